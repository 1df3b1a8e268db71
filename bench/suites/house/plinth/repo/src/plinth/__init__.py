"""Configuration as classes, read from files, variables and arguments."""

from __future__ import annotations

import importlib
from types import ModuleType

from plinth.convert import Duration
from plinth.errors import BadConfig, PlinthError, Problem
from plinth.model import Config, field
from plinth.sources import load

__version__ = "1.6.0"
__all__ = ["BadConfig", "Config", "Duration", "PlinthError", "Problem", "field", "ini", "load", "toml"]

_LAZY = {"ini": "plinth.formats.ini", "toml": "plinth.formats.toml"}


def __getattr__(name: str) -> ModuleType:
    if name in _LAZY:
        return importlib.import_module(_LAZY[name])
    raise AttributeError(f"module 'plinth' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
