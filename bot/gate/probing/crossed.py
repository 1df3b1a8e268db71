"""Calls put together from parts of two that were seen: what is rare in the tests comes together here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from bot.gate.probing.inputs import Call, Tagged

_PARTS = re.compile(r"[^\W\d_]+|\d+|\s+|.", re.DOTALL)
_ROWS = frozenset({"list", "tuple", "set", "frozenset", "dict"})


def crossed(seen: Sequence[Call], random: Random, count: int) -> Iterator[Call]:
    """Calls with the same arguments as some that were seen, each argument from two of them."""
    for _ in range(count):
        one = random.choice(seen)
        others = [other for other in seen if other.slots() == one.slots()]
        call, other = one, random.choice(others)
        for slot in one.slots():
            call = call.put(slot, cross(one.at(slot), other.at(slot), random), other.near)
        yield call


def cross(one: Tagged, other: Tagged, random: Random) -> Tagged:
    """One value of two. Of two different kinds, one of them."""
    if one == other or one[0] != other[0] or random.random() < 0.2:
        return random.choice((one, other))
    if one[0] == "str":
        return ["str", _spliced(one[1], other[1], random)]
    if one[0] in _ROWS and one[0] != "tuple":
        return [one[0], _mixed(one[1], other[1], random)]
    if one[0] == "tuple" and len(one[1]) == len(other[1]):
        return ["tuple", [cross(left, right, random) for left, right in zip(one[1], other[1], strict=True)]]
    if one[0] in ("object", "std") and one[1] == other[1]:
        return _remade(one, other, random)
    return random.choice((one, other))


def _spliced(one: str, other: str, random: Random) -> str:
    """The start of one and the end of the other, cut between words, numbers and signs; or one part put into it."""
    left, right = _PARTS.findall(one), _PARTS.findall(other)
    if left and right and random.random() < 0.5:
        place = random.randint(0, len(left))
        first = random.randrange(len(right))
        return "".join([*left[:place], *right[first : first + random.randint(1, 3)], *left[place:]])
    return "".join(left[: random.randint(0, len(left))] + right[random.randint(0, len(right)) :])


def _mixed(one: Sequence[Any], other: Sequence[Any], random: Random) -> list[Any]:
    return [*one[: random.randint(0, len(one))], *other[random.randint(0, len(other)) :]]


def _remade(one: Tagged, other: Tagged, random: Random) -> Tagged:
    """An object of the same class, made of parts of both; by its fields where its making was not seen."""
    if one[0] == "std":
        if len(one[2]) != len(other[2]):
            return one
        return ["std", one[1], [cross(left, right, random) for left, right in zip(one[2], other[2], strict=True)]]
    if one[3] is None or other[3] is None:
        return [*one[:2], _fields(one[2], other[2], random), None, *one[4:]]
    (first, named, later), (second, others, _) = one[3], other[3]
    if len(first) != len(second):
        return random.choice((one, other))
    arguments = [cross(left, right, random) for left, right in zip(first, second, strict=True)]
    return [*one[:3], [arguments, _fields(named, others, random), later], *one[4:]]


def _fields(one: dict[str, Tagged], other: dict[str, Tagged], random: Random) -> dict[str, Tagged]:
    return {name: cross(value, other.get(name, value), random) for name, value in one.items()}
