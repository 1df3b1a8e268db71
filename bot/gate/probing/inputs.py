"""The inputs of one call, as descriptions of values (see inside/values.py)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bot.gate.inside import given

Tagged = Any
Slot = int | str


@dataclass(frozen=True)
class Kin:
    """How a call comes from another one."""

    of: str
    """The key of that call."""
    change: Callable[[Tagged], Tagged]
    """The same done to any other value."""
    way: str
    """What was changed: `letters`, `digits`, `kinds`; empty where results need not change in the same way."""
    keeps_words: bool = False
    """True: texts have other digits at most, and numbers the same order."""
    resized: bool = False
    """True: rows are longer or shorter, and hold two things at least."""
    twin: str = ""
    """How it says the same in other words; empty where it does not."""


@dataclass(frozen=True)
class Call:
    """The arguments of one call."""

    arguments: tuple[Tagged, ...]
    named: tuple[tuple[str, Tagged], ...] = ()
    near: bool = True
    """False where an argument is of a kind that was not seen in its place."""
    kin: Kin | None = field(default=None, compare=False, repr=False)
    """What it was made from, where it is a seen call with other numbers and texts in it."""
    red: bool = field(default=False, compare=False)
    """True where a failing test makes it."""

    @cached_property
    def key(self) -> str:
        """Equal for calls whose arguments are equal: 2, 2.0 and True count as one number where they are whole."""
        return json.dumps([normal(self.arguments), normal(self.named)], sort_keys=True)

    def slots(self) -> list[Slot]:
        return [*range(len(self.arguments)), *(name for name, _ in self.named)]

    def at(self, slot: Slot) -> Tagged:
        return self.arguments[slot] if isinstance(slot, int) else dict(self.named)[slot]

    def put(self, slot: Slot, value: Tagged, near: bool) -> Call:
        if isinstance(slot, int):
            arguments = (*self.arguments[:slot], value, *self.arguments[slot + 1 :])
            return Call(arguments, self.named, self.near and near)
        named = tuple((name, value if name == slot else old) for name, old in self.named)
        return Call(self.arguments, named, self.near and near)


def normal(value: Any) -> Any:
    """The same for descriptions of values that are equal, whatever number they are."""
    if isinstance(value, list | tuple):
        number = atom(value) if len(value) == 2 and value[0] in ("int", "float", "bool") else None
        if isinstance(number, int | float):
            whole = isinstance(number, int) or (math.isfinite(number) and number == int(number))
            return ["number", hex(int(number)) if whole else repr(number)]
        return [normal(item) for item in value]
    return {key: normal(item) for key, item in value.items()} if isinstance(value, dict) else value


def number_of(tagged: Tagged) -> float | int:
    if tagged[0] == "int":
        return int(tagged[1], 16)
    return float.fromhex(tagged[1]) if tagged[0] == "float" else int(tagged[1])


def atom(tagged: Tagged) -> int | float | str | None:
    """The number or the text that a description is of."""
    try:
        if tagged[0] in ("int", "float", "bool"):
            return number_of(tagged)
        return tagged[1] if tagged[0] == "str" else None
    except (ValueError, TypeError, LookupError):
        return None  # a box may write what it likes


def integer(value: int) -> Tagged:
    return ["int", hex(value)]


def content(tagged: Tagged) -> Tagged:
    """The row or the text that an iterator or an open file gives; other values as they are."""
    is_given = tagged[0] == "std" and str(tagged[1]).startswith(f"{given.NAME}:") and tagged[2]
    return tagged[2][0] if is_given else tagged


def is_edge(tagged: Tagged) -> bool:
    """Nothing, empty, or a number that is one of its kind."""
    if tagged[0] in ("int", "float", "bool"):
        number = atom(tagged)
        return number in (0, 1, -1) or (isinstance(number, float) and not math.isfinite(number))
    return tagged[0] == "none" or (
        tagged[0] in ("str", "bytes", "list", "tuple", "dict", "set") and not any(tagged[1:])
    )


def is_bare(tagged: Tagged) -> bool:
    """An edge, or an object that holds nothing else: an empty map, a cart without goods."""
    if tagged[0] != "object":
        return is_edge(tagged)
    return all(is_edge(inner) for inner in essence(tagged[2]) if atom(inner) is not None)


def essence(tagged: Any) -> Iterator[Any]:
    """What a description is made of, itself included; of an object whose making was seen that, and not its state."""
    if isinstance(tagged, dict):
        for item in tagged.values():
            yield from essence(item)
    elif isinstance(tagged, list | tuple):
        if tagged and isinstance(tagged[0], str):
            yield tagged
        was_made = len(tagged) > 3 and tagged[0] == "object" and tagged[3] is not None
        for item in (tagged[3],) if was_made else tagged:
            yield from essence(item)
