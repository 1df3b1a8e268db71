"""Values that the code itself names: constants of functions, entries of the tables they read, literals of an edit.

A survivor that forgets an entry of a table, or puts a bound one further, shows only where just that value is given.
"""

from __future__ import annotations

import ast
import contextlib
import random
from types import CodeType, FunctionType
from typing import Any, Dict, Iterable, Iterator, List

MOST_CHARS = 24
"""Longer texts are messages."""
MOST = 60
"""So many values of one type are kept."""
_TYPES = (str, int, float)

Named = Dict[type, List[Any]]


def named_values(functions: Iterable[FunctionType], texts: Iterable[str] = ()) -> Named:
    """By type, each once, in the order in which they are met. `texts`: literals as they stand in code."""
    found: Named = {}
    for value in [*_of_functions(functions), *_of_texts(texts)]:
        kept = found.setdefault(type(value), [])
        if value not in kept and len(kept) < MOST and (type(value) is not str or len(value) <= MOST_CHARS):
            kept.append(value)
    return found


def _of_functions(functions: Iterable[FunctionType]) -> Iterator[Any]:
    for function in functions:
        for code in _codes(function.__code__):
            consts = [value for value in code.co_consts if value != function.__doc__]
            yield from (plain for value in consts for plain in _plain(value))
            for name in code.co_names:
                yield from _plain(function.__globals__.get(name))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """It, and those of functions and comprehensions inside."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _plain(value: Any) -> Iterator[Any]:
    """The value, or what a table holds: its entries, or its keys."""
    if type(value) in _TYPES:
        yield value
    elif type(value) in (set, frozenset):
        yield from sorted((one for one in value if type(one) in _TYPES), key=repr)
    elif type(value) in (list, tuple, dict):
        yield from (one for one in value if type(one) in _TYPES)


def _of_texts(texts: Iterable[str]) -> Iterator[Any]:
    for text in texts:
        with contextlib.suppress(SyntaxError, ValueError):
            yield from _plain(ast.literal_eval(text))


def with_named(value: Any, named: Named, chance: random.Random) -> Any:
    """A value that the code names in the place of one of its type, or of one in a list; the same without one."""
    known = named.get(type(value))
    if known:
        return _beside(chance.choice(known), chance)
    if type(value) in (list, tuple) and value:
        at = chance.randrange(len(value))
        return type(value)([*value[:at], with_named(value[at], named, chance), *value[at + 1 :]])
    return value


def _beside(value: Any, chance: random.Random) -> Any:
    """The value itself most of the time, or one just beside it."""
    if chance.random() < 0.6:
        return value
    if type(value) is str:
        return chance.choice([value.upper(), value.lower(), value + " ", " " + value])
    return chance.choice([value + 1, value - 1])
