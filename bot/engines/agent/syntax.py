"""Whether an edit makes a file unparsable that could be parsed before."""

from __future__ import annotations

import json
import tomllib
import warnings
from collections.abc import Callable
from pathlib import PurePosixPath

from bot import syntax
from bot.engines.agent import grammar

_MOST_CHARS = 1_000_000


def broken(path: str, before: str, after: str) -> str:
    """The new syntax error in words; empty where there is none, or where there was one before."""
    check = _CHECKS.get(PurePosixPath(path).suffix, grammar_error(path))
    if check is None or len(after) > _MOST_CHARS:
        return ""
    found = check(after)
    return found if found and not (before and check(before)) else ""


def grammar_error(path: str) -> Callable[[str], str] | None:
    """A check by grammar alone, for the languages that have one here."""
    if grammar.language(path) is None:
        return None
    return lambda text: grammar.error(path, text)


def _python(text: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            syntax.parse(text)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}: {(error.text or '').strip()[:200]}"
    except (ValueError, RecursionError, MemoryError):
        return ""
    return ""


def _json(text: str) -> str:
    try:
        json.loads(text)
    except RecursionError:
        return ""
    except ValueError as error:
        return str(error)
    return ""


def _toml(text: str) -> str:
    try:
        tomllib.loads(text)
    except RecursionError:
        return ""
    except tomllib.TOMLDecodeError as error:
        return str(error)
    return ""


_CHECKS: dict[str, Callable[[str], str] | None] = {
    ".py": _python,
    ".pyi": _python,
    ".json": _json,
    ".toml": _toml,
}
