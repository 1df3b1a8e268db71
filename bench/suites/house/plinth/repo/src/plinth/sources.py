"""Where values come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from plinth.errors import BadConfig, Problem
from plinth.formats import read
from plinth.model import Config

T = TypeVar("T", bound=Config)


def load(
    kind: type[T],
    *,
    files: Sequence[str | Path] = (),
    variables: Mapping[str, str] | None = None,
    prefix: str = "",
    arguments: Sequence[str] = (),
) -> T:
    """Return a config from all sources. Of files the later ones are stronger. Raises BadConfig, OSError."""
    values: dict[str, Any] = {}
    for file in files:
        values = merged(values, read(file))
    values = merged(values, from_variables(variables or {}, prefix))
    values = merged(values, from_arguments(arguments))
    return kind.from_dict(values)


def merged(weak: Mapping[str, Any], strong: Mapping[str, Any]) -> dict[str, Any]:
    """Return both as one; tables are merged name by name, all else is replaced. Neither is changed."""
    found = dict(weak)
    for name, value in strong.items():
        known = found.get(name)
        found[name] = merged(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return found


def from_variables(variables: Mapping[str, str], prefix: str) -> dict[str, Any]:
    """Return the values of `APP_NAME` and `APP_TABLE__NAME`, names in small letters."""
    values: dict[str, Any] = {}
    start = f"{prefix}_" if prefix else ""
    for name, value in sorted(variables.items()):
        if name.startswith(start):
            put(values, name.removeprefix(start).lower().split("__"), value)
    return values


def from_arguments(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the values of `--name value`, `--table.name=value`, and `--flag` for yes. Raises BadConfig."""
    values: dict[str, Any] = {}
    left = list(arguments)
    while left:
        word = left.pop(0)
        if not word.startswith("--") or word == "--":
            raise BadConfig([Problem("", f"{word!r} is no argument")])
        name, equals, value = word[2:].partition("=")
        if not equals:
            value = left.pop(0) if left and not left[0].startswith("--") else "yes"
        put(values, name.replace("-", "_").split("."), value)
    return values


def put(values: dict[str, Any], path: Sequence[str], value: Any) -> None:
    """Put a value into nested tables. Raises BadConfig where a plain value is in the way."""
    *tables, last = path
    for depth, name in enumerate(tables, start=1):
        values = values.setdefault(name, {})
        if not isinstance(values, dict):
            raise BadConfig([Problem(".".join(tables[:depth]), "is a value and a table")])
    values[last] = value
