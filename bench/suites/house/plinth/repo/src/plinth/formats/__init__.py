"""Formats of files, by their suffix. A format is loaded when the first file of it is read."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from plinth.errors import BadConfig, Problem

MODULES = {".toml": "plinth.formats.toml", ".ini": "plinth.formats.ini", ".json": "plinth.formats.json_"}


def read(file: str | Path) -> dict[str, Any]:
    """Return what stands in a file. Raises BadConfig, OSError."""
    path = Path(file)
    if path.suffix.lower() not in MODULES:
        raise BadConfig([Problem("", f"{path.name}: files of this kind cannot be read")])
    module = importlib.import_module(MODULES[path.suffix.lower()])
    try:
        values: dict[str, Any] = module.parse(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise BadConfig([Problem("", f"{path.name}: {error}")]) from error
    return values
