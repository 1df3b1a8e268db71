"""Values near a value: of the same kind, and a little different, at its edges above all."""

from __future__ import annotations

import copy
import enum
import random
import types
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable, Dict, List, Set, Tuple

NESTED = 2
"""So deep objects in objects are changed."""


def near(value: Any, chance: random.Random, depth: int = NESTED) -> Any:
    """A value of the same kind near this one; objects get one attribute changed, or one of an object in them."""
    change = _NEAR.get(type(value))
    if change is not None:
        return change(value, chance)
    if isinstance(value, enum.Enum):
        return chance.choice(list(type(value)))
    if depth and _has_parts(value):
        names = [name for name, inner in vars(value).items() if type(inner) in _NEAR or _has_parts(inner)]
        if names:
            name = chance.choice(names)
            value.__dict__[name] = near(value.__dict__[name], chance, depth - 1)
    return value


def _has_parts(value: Any) -> bool:
    return hasattr(value, "__dict__") and not callable(value) and not isinstance(value, types.ModuleType)


def _near_moment(value: Any, chance: random.Random) -> Any:
    """A date or a moment: the day before or after, a month's end, another year; of moments, another hour too."""
    steps = [timedelta(days=days) for days in (-1, 1, 7, -30, 365)]
    if isinstance(value, datetime):
        steps += [timedelta(hours=1), timedelta(hours=-12), timedelta(minutes=30), timedelta(microseconds=1)]
    return chance.choice([value + step for step in steps] + [value.replace(day=1), value.replace(month=12, day=31)])


def _near_duration(value: timedelta, chance: random.Random) -> timedelta:
    return chance.choice([-value, value * 2, timedelta(0), value + timedelta(seconds=1), value + timedelta(days=1)])


def _near_time(value: time, chance: random.Random) -> time:
    return chance.choice([value.replace(hour=(value.hour + 1) % 24), value.replace(minute=0), value.replace(hour=0)])


def _near_number(value: Any, chance: random.Random) -> Any:
    return chance.choice([value + 1, value - 1, value * 2, -value, type(value)(0), value + 7, value * 10])


def _near_text(value: str, chance: random.Random) -> str:
    if not value:
        return chance.choice([" ", "a", "0", "A b"])
    at = chance.randrange(len(value))
    return chance.choice(
        [
            "",
            value[:at] + value[at + 1 :],
            value[:at] + value[at] + value[at:],
            value[:at] + chance.choice(" aZ0,.-_\u00e9") + value[at:],
            value + " ",
            " " + value,
            value.upper(),
            value.lower(),
            value[::-1],
            value + value,
            " " * min(3, len(value)),
        ]
    )


def _near_bytes(value: bytes, chance: random.Random) -> bytes:
    return chance.choice([b"", value[1:], value[:-1], value + b"\x00", value + value])


def _near_list(value: List[Any], chance: random.Random) -> List[Any]:
    if not value:
        return value
    at = chance.randrange(len(value))
    choice = chance.randrange(6)
    if choice == 0:
        return []
    if choice == 1:
        return value[:at] + value[at + 1 :]
    if choice == 2:
        return [*value[:at], copy.deepcopy(value[at]), *value[at:]]
    if choice == 3:
        return value[::-1]
    return [*value[:at], near(value[at], chance), *value[at + 1 :]]


def _near_tuple(value: Tuple[Any, ...], chance: random.Random) -> Tuple[Any, ...]:
    if not value:
        return value
    at = chance.randrange(len(value))
    return (*value[:at], near(value[at], chance), *value[at + 1 :])


def _near_dict(value: Dict[Any, Any], chance: random.Random) -> Dict[Any, Any]:
    if not value:
        return value
    name = chance.choice(list(value))
    choice = chance.randrange(6)
    if choice == 0:
        value.clear()
    elif choice == 1:
        del value[name]
    elif choice == 2:
        value[near(name, chance)] = near(copy.deepcopy(value[name]), chance)
    else:
        value[name] = near(value[name], chance)
    return value


def _near_set(value: Set[Any], chance: random.Random) -> Set[Any]:
    some = sorted(value, key=repr)
    return set(some[1:]) if chance.random() < 0.5 else {near(thing, chance) for thing in some}


def _near_iterator(value: Any, chance: random.Random) -> Any:
    """Another one at its start, as a test makes them of lists."""
    return iter(_near_list(list(value), chance))


def _near_tuple_iterator(value: Any, chance: random.Random) -> Any:
    return iter(tuple(_near_list(list(value), chance)))


_NEAR: Dict[type, Callable[[Any, random.Random], Any]] = {
    date: _near_moment,
    datetime: _near_moment,
    time: _near_time,
    timedelta: _near_duration,
    Decimal: _near_number,
    Fraction: _near_number,
    bool: lambda value, chance: not value,
    int: _near_number,
    float: _near_number,
    str: _near_text,
    bytes: _near_bytes,
    list: _near_list,
    tuple: _near_tuple,
    dict: _near_dict,
    set: _near_set,
    type(iter([0])): _near_iterator,
    type(iter((0,))): _near_tuple_iterator,
}
