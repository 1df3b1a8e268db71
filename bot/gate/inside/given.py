"""Iterators and open files as arguments: what they give is described without taking it, and given again elsewhere.

They stand in descriptions as values of the standard library do:

    ["std", "_regreen_given:iterator", [["list", [items]]]]
    ["std", "_regreen_given:text", [text, position]]            in memory, `data` alike; no position is the start
    ["std", "_regreen_given:text_file", [text, position]]       binary_file alike; both can be read and written
    ["std", "_regreen_given:closed", []]                        a stream of one of these kinds that was closed
"""

from __future__ import annotations

import inspect
import io
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

Tagged = Any
Describe = Callable[[Any], Tagged]

NAME = "_regreen_given"
MAX_ITEMS = 60
_KNOWN: weakref.WeakKeyDictionary[Any, Callable[[Describe], list[Tagged]]] = weakref.WeakKeyDictionary()
"""Iterators of ours, and what says what they give from their start on."""


def told(value: Any, describe: Describe, exhaust: bool) -> Tagged | None:
    """The description of an iterator of ours, or of a stream; None for whatever else there is.

    `exhaust`: what is left in an iterator is wanted, so that none is described here.
    """
    if isinstance(value, types.GeneratorType):
        known = None if exhaust else _KNOWN.get(value)
        return ["std", NAME + ":iterator", [["list", known(describe)]]] if known else None
    name = _STREAMS.get(type(value))
    if name is None:
        return None
    if value.closed:
        return ["std", NAME + ":closed", []]
    try:
        return ["std", "%s:%s" % (NAME, name), [describe(part) for part in _content(value) if part != 0]]
    except (OSError, ValueError):
        return None


# -- streams


class Kept(io.BytesIO):
    """The bytes of a file that is none; they are still known once it is closed."""

    name = "file"
    mode = "r+"


def text_file(content: str, position: int = 0) -> io.TextIOWrapper:
    stream = io.TextIOWrapper(Kept(content.encode("utf-8", "surrogatepass")), "utf-8", "surrogatepass")
    stream.read(position)
    return stream


def binary_file(content: bytes, position: int = 0) -> Any:
    stream: Any = io.BufferedRandom(Kept(content))  # type: ignore[arg-type]
    stream.seek(position)
    return stream


def text(content: str, position: int = 0) -> io.StringIO:
    stream = io.StringIO(content)
    stream.seek(position)
    return stream


def data(content: bytes, position: int = 0) -> io.BytesIO:
    stream = io.BytesIO(content)
    stream.seek(position)
    return stream


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


_STREAMS: dict[type, str] = {
    io.StringIO: "text", io.BytesIO: "data", io.TextIOWrapper: "text_file", io.BufferedReader: "binary_file",
    io.BufferedWriter: "binary_file", io.BufferedRandom: "binary_file",
}  # fmt: skip


def _content(stream: Any) -> tuple[Any, int]:
    """All that is in a stream, and how much of it was read; it stands where it stood."""
    if isinstance(stream, (io.StringIO, io.BytesIO)):
        return stream.getvalue(), stream.tell()
    if not stream.readable():
        return ("" if isinstance(stream, io.TextIOWrapper) else b""), 0  # nothing of it can be asked for
    place = stream.tell()
    rest = stream.read()
    stream.seek(0)
    whole = stream.read()
    stream.seek(place)
    return whole, len(whole) - len(rest)


# -- iterators


def iterator(items: list[Any]) -> Iterator[Any]:
    """A generator of these, known by what it gives."""
    made = _each(items)
    _KNOWN[made] = lambda describe: [describe(item) for item in items]
    return made


def _each(items: list[Any]) -> Iterator[Any]:
    yield from items


def watched(value: Any, describe: Describe) -> Any:
    """An iterator that gives the same, and whose description grows with what is taken; other values as they are."""
    if not _can_be_watched(value):
        return value
    items: list[Tagged] = []
    made = _noted(value, items, describe)
    _KNOWN[made] = lambda _: items
    return made


def _can_be_watched(value: Any) -> bool:
    """A generator that was not begun, or an iterator of the language; ours as soon as something was taken."""
    if isinstance(value, types.GeneratorType):
        is_fresh = inspect.getgeneratorstate(value) == inspect.GEN_CREATED
        return is_fresh != (value in _KNOWN)
    return type(value).__module__ in ("builtins", "itertools") and hasattr(type(value), "__next__")


def _noted(source: Any, items: list[Tagged], describe: Describe) -> Any:
    given: Any = None
    try:
        while True:
            try:
                item = next(source) if given is None else source.send(given)
            except StopIteration as end:
                return end.value
            if len(items) < MAX_ITEMS:
                items.append(describe(item))
            given = yield item
    finally:
        if hasattr(source, "close"):
            source.close()
