"""TOML, as far as configurations need it: tables, dotted keys, strings, numbers, booleans, lists on one line."""

from __future__ import annotations

import json
import re
from typing import Any

_KEY = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
_ITEM = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\'[^\']*\'|\[[^\[\]]*\]|[^,\s\[\]]+)\s*(,|$)')


def parse(text: str) -> dict[str, Any]:
    """Return the values of a text. Raises ValueError with the number of the line."""
    values: dict[str, Any] = {}
    table = values
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _uncommented(raw).strip()
        try:
            if line.startswith("["):
                table = _table(values, line)
            elif line:
                key, equals, value = line.partition("=")
                if not equals or not _KEY.fullmatch(key.strip()):
                    raise ValueError(f"{line!r} is no value")
                *path, last = key.strip().split(".")
                inner = _into(table, path)
                if last in inner:
                    raise ValueError(f"{key.strip()} stands there twice")
                inner[last] = scalar(value.strip())
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
    return values


def _uncommented(line: str) -> str:
    """A # in quotes begins no comment."""
    quote = ""
    for place, sign in enumerate(line):
        if quote:
            if sign == quote and line[place - 1] != "\\":
                quote = ""
        elif sign in "\"'":
            quote = sign
        elif sign == "#":
            return line[:place]
    return line


def _table(values: dict[str, Any], line: str) -> dict[str, Any]:
    name = line[1:-1].strip()
    if not line.endswith("]") or not _KEY.fullmatch(name):
        raise ValueError(f"{line!r} is no table")
    return _into(values, name.split("."))


def _into(table: dict[str, Any], path: list[str]) -> dict[str, Any]:
    for name in path:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            raise ValueError(f"{name} is a value and a table")
    return table


def scalar(text: str) -> Any:
    """Return one value."""
    if text in ("true", "false"):
        return text == "true"
    if text.startswith('"'):
        return json.loads(text)
    if len(text) >= 2 and text[0] == text[-1] == "'":
        return text[1:-1]
    if text.startswith("[") and text.endswith("]"):
        return _list(text[1:-1])
    for kind in (int, float):
        try:
            return kind(text.replace("_", ""))
        except ValueError:
            continue
    raise ValueError(f"{text!r} is no value")


def _list(text: str) -> list[Any]:
    items, place = [], 0
    while text[place:].strip():
        match = _ITEM.match(text, place)
        if match is None:
            raise ValueError(f"[{text}] is no list")
        items.append(scalar(match[1]))
        place = match.end()
    return items
