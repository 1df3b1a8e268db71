"""Turns what stands in files and variables into what annotations ask for."""

from __future__ import annotations

import re
import types
import typing
from datetime import timedelta
from pathlib import Path
from typing import Any

from plinth.errors import BadConfig, Problem, Unconvertible

_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")
_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?")


class Duration(timedelta):
    """A length of time; text like `1h30m` or a number of seconds becomes one."""

    @classmethod
    def parse(cls, text: str) -> Duration:
        match = _DURATION.fullmatch(text.strip())
        if match is None or not text.strip():
            raise Unconvertible(f"{text!r} is no duration")
        return cls(seconds=sum(float(part) * unit for part, unit in zip(match.groups(), _UNITS.values()) if part))

    def __str__(self) -> str:
        left, parts = self.total_seconds(), []
        for name, unit in _UNITS.items():
            count, left = divmod(left, unit) if name != "s" else (left, 0)
            if count:
                parts.append(f"{count:g}{name}")
        return "".join(parts) or "0s"


def convert(value: Any, kind: Any) -> Any:
    """Return the value as an annotation asks for it. Raises Unconvertible, or BadConfig for what is nested."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _union(value, parts)
    if origin is list:
        return _list(value, parts[0])
    if origin is dict:
        return _dict(value, parts[1])
    if origin is typing.Literal:
        return _literal(value, parts)
    if kind is Any:
        return value
    if isinstance(kind, type) and hasattr(kind, "from_dict"):
        return value if isinstance(value, kind) else kind.from_dict(_mapping(value))
    return _plain(value, kind)


def _plain(value: Any, kind: type) -> Any:
    if kind is bool:
        return _bool(value)
    if kind is Duration and isinstance(value, (int, float)) and not isinstance(value, bool):
        return Duration(seconds=value)
    if kind is Duration and isinstance(value, str):
        return Duration.parse(value)
    # A bool is an int for Python, and is none for people.
    if isinstance(value, bool) and kind in (int, float, str):
        raise Unconvertible(f"{value!r} is no {kind.__name__}")
    if isinstance(value, kind):
        return value
    if kind is float and isinstance(value, int):
        return float(value)
    if kind in (int, float, Path) and isinstance(value, str):
        try:
            return kind(value.strip())
        except ValueError:
            pass
    raise Unconvertible(f"{value!r} is no {kind.__name__}")


def _bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in (*_YES, *_NO):
        return value.strip().lower() in _YES
    raise Unconvertible(f"{value!r} is neither yes nor no")


def _union(value: Any, kinds: tuple[Any, ...]) -> Any:
    """The first kind that takes the value as it is, then the first that it can become."""
    if value is None or (value == "" and str not in kinds):
        if type(None) in kinds:
            return None
    others = [kind for kind in kinds if kind is not type(None)]
    for kind in others:
        if isinstance(kind, type) and type(value) is kind:
            return value
    for kind in others:
        try:
            return convert(value, kind)
        except (Unconvertible, BadConfig) as error:
            if len(others) == 1:
                raise
            last = error
    raise Unconvertible(f"{value!r} is none of {', '.join(getattr(kind, '__name__', str(kind)) for kind in others)}") from last


def _list(value: Any, kind: Any) -> list[Any]:
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    if not isinstance(value, (list, tuple)):
        raise Unconvertible(f"{value!r} is no list")
    return _each({str(number): one for number, one in enumerate(value)}, kind, list)


def _dict(value: Any, kind: Any) -> dict[str, Any]:
    return dict(zip(_mapping(value), _each(value, kind, list)))


def _each(values: dict[str, Any], kind: Any, into: type) -> Any:
    found, problems = [], []
    for name, value in values.items():
        try:
            found.append(convert(value, kind))
        except Unconvertible as error:
            problems.append(Problem(name, str(error)))
        except BadConfig as error:
            problems.extend(problem.below(name) for problem in error.problems)
    if problems:
        raise BadConfig(problems)
    return into(found)


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unconvertible(f"{value!r} is no table")
    return value


def _literal(value: Any, choices: tuple[Any, ...]) -> Any:
    for choice in choices:
        if value == choice and isinstance(value, bool) == isinstance(choice, bool):
            return choice
        if isinstance(value, str) and not isinstance(choice, str) and value == str(choice):
            return choice
    raise Unconvertible(f"{value!r} is none of {', '.join(map(repr, choices))}")
