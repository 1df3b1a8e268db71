"""What a call does, as a short text: the same for the same behaviour, in any process and at any address."""

from __future__ import annotations

import asyncio
import copy
import inspect
import itertools
import types
from typing import Any, Dict, List, Tuple

from ..kinds import Raw

DEEP = 6
MOST_NODES = 3000
MOST_YIELDED = 60
_PLAIN = (bool, int, str, bytes, complex, type(None), type(Ellipsis))
_COPIED: Tuple[type, ...] = (type(iter([0])), type(iter((0,))), type(iter("a")), type(iter(range(1))))
"""Iterators that can be told without using them up."""
_ITERATORS = (types.GeneratorType, map, filter, zip, enumerate, reversed)


class TooMuch(Exception):
    """The value is too large to be told."""


class Teller:
    """Tells one value; objects by their type and attributes."""

    def __init__(self) -> None:
        self._left = MOST_NODES
        self._open: Dict[int, int] = {}

    def told(self, value: Raw, depth: int = DEEP) -> str:
        self._left -= 1
        if self._left < 0:
            raise TooMuch
        if type(value) in _PLAIN:
            return repr(value)
        if type(value) is float:
            return "%.12gf" % value  # never the same as a whole number
        if id(value) in self._open:
            return "<again %d>" % self._open[id(value)]
        if depth == 0:
            return "<deep>"
        self._open[id(value)] = len(self._open)
        try:
            return self._inner(value, depth - 1)
        finally:
            del self._open[id(value)]

    def _inner(self, value: Raw, depth: int) -> str:
        name = type(value).__qualname__
        if isinstance(value, _COPIED):
            fresh: Raw = copy.copy(value)
            return name + self._all(list(fresh), depth)
        if isinstance(value, _ITERATORS):
            return name + self._all(itertools.islice(value, MOST_YIELDED), depth)
        if isinstance(value, (list, tuple)):
            return name + self._all(value, depth)
        if isinstance(value, (set, frozenset)):
            return name + str(sorted(self.told(inner, depth) for inner in value))
        if isinstance(value, dict):
            return name + str([(self.told(key, depth), self.told(inner, depth)) for key, inner in value.items()])
        if isinstance(value, BaseException):
            return name + self._all(value.args, depth)
        if isinstance(value, type) or callable(value):
            return "<%s>" % getattr(value, "__qualname__", name)
        if isinstance(value, types.ModuleType):
            return "<module %s>" % value.__name__
        return name + self._attributes(value, depth)

    def _all(self, values: Raw, depth: int) -> str:
        return str([self.told(inner, depth) for inner in values])

    def _attributes(self, value: Raw, depth: int) -> str:
        kept: Dict[str, Any] = dict(getattr(value, "__dict__", {}))
        for klass in type(value).__mro__:
            slots = klass.__dict__.get("__slots__", ())
            for slot in [slots] if isinstance(slots, str) else slots:
                if hasattr(value, slot):
                    kept[slot] = getattr(value, slot)
        if kept or type(value).__module__ not in _WITHOUT_ATTRIBUTES:
            return str(
                [(key, self.told(inner, depth)) for key, inner in sorted(kept.items(), key=lambda i: str(i[0]))]
            )
        return repr(value)


_WITHOUT_ATTRIBUTES = ("datetime", "decimal", "fractions", "uuid", "zoneinfo", "re", "pathlib", "collections")


def outcome(function: Raw, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Tuple[str, str]:
    """("ok" or "error", what came of it and of the arguments). OutOfTime and the like go up."""
    kind = "ok"
    try:
        result = function(*args, **kwargs)
        if inspect.iscoroutine(result):
            result = asyncio.run(result)
        told: List[str] = [Teller().told(result)]
    except Exception as error:
        kind, told = "error", [type(error).__qualname__]
    except SystemExit:
        kind, told = "error", ["SystemExit"]
    try:
        told.append(Teller().told(args) + Teller().told(kwargs))
    except Exception:
        told.append("?")
    return kind, "\n".join(told)
