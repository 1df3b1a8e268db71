"""Makes inputs near and far from those that were seen, as descriptions (see inside/values.py)."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Tagged = Any
Slot = int | str


@dataclass(frozen=True)
class Call:
    """The arguments of one call."""

    arguments: tuple[Tagged, ...]
    named: tuple[tuple[str, Tagged], ...] = ()
    near: bool = True
    """False where an argument is of a kind that was not seen in its place."""

    @property
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


def probes(
    seen: Sequence[Call], random: Random, count: int, kept: Collection[object] = (), fresh: Sequence[Tagged] = ()
) -> list[Call]:
    """At most `count` calls that are equal to none of those seen, most of them near.

    `kept`: numbers and texts that mean something to the code, so that they stay what they are when all others change.
    `fresh`: those that the patch brings; a table of more than the tests' answers shows by them.
    """
    known = {call.key for call in seen}
    near: dict[str, Call] = {}
    far: dict[str, Call] = {}
    brought = {call.key: call for call in _brought(seen, fresh) if call.key not in known}
    for call in _all(seen, random, count):
        if call.key not in known:
            (near if call.near else far).setdefault(call.key, call)
    alike = {call.key: call for call in _alike(seen, random, count // 2, kept) if call.key not in known}
    alike = {**_first(brought, random, count // 8), **_first(alike, random, count // 4)}
    rest = {key: call for key, call in near.items() if key not in alike}
    chosen = [*alike.values(), *_some(rest, random, count * 4 // 5 - len(alike))]
    return [*chosen, *_some(far, random, count - len(chosen) if len(chosen) < count * 4 // 5 else count // 5)]


def _brought(seen: Sequence[Call], fresh: Sequence[Tagged]) -> Iterator[Call]:
    """Calls with what the patch brings in the place of a value of its kind."""
    for call in seen:
        for slot in call.slots():
            yield from (call.put(slot, value, True) for value in fresh if value[0] == call.at(slot)[0])


def _first(calls: dict[str, Call], random: Random, count: int) -> dict[str, Call]:
    return {call.key: call for call in _some(calls, random, count)}


def _some(calls: dict[str, Call], random: Random, count: int) -> list[Call]:
    found = list(calls.values())
    random.shuffle(found)
    return found[:count]


def _all(seen: Sequence[Call], random: Random, count: int) -> Iterator[Call]:
    pools: dict[Slot, list[Tagged]] = {}
    for call in seen:
        for slot in call.slots():
            pools.setdefault(slot, []).append(call.at(slot))
    for call in seen:
        for slot in call.slots():
            for value, near in variants(call.at(slot), random):
                yield call.put(slot, value, near)
            for value in pools[slot][:20]:
                yield call.put(slot, value, True)
    for _ in range(count * 2):
        call = random.choice(seen)
        for slot in call.slots():
            value = random.choice(pools[slot])
            nearby = [variant for variant, near in variants(value, random) if near]
            call = call.put(slot, random.choice(nearby) if nearby and random.random() < 0.7 else value, True)
        yield call


def _alike(seen: Sequence[Call], random: Random, count: int, kept: Collection[object]) -> Iterator[Call]:
    """Calls in which every number and every text is another one, and what was equal still is."""
    for turn in range(count):
        call = seen[turn % len(seen)]
        change = _Renaming(random, kept)
        sized = _resized if turn % 3 == 2 else lambda value, _: value
        named = tuple((name, change(sized(value, random))) for name, value in call.named)
        yield Call(tuple(change(sized(value, random)) for value in call.arguments), named, call.near)


def _resized(tagged: Tagged, random: Random) -> Tagged:
    """A row of things of one kind, made longer or shorter."""
    if tagged[0] not in ("list", "tuple") or len({item[0] for item in tagged[1]}) != 1:
        return tagged
    items = [random.choice(tagged[1]) for _ in range(random.randint(1, 2 * len(tagged[1]) + 3))]
    spread = [_integer(int(number_of(item)) + random.randint(0, 30)) if item[0] == "int" else item for item in items]
    return [tagged[0], spread]


class _Renaming:
    """Numbers moved or stretched alike, so that their order stays; letters and digits of texts exchanged."""

    def __init__(self, random: Random, kept: Collection[object]) -> None:
        self._random = random
        self._kept = kept
        self._known: dict[object, Tagged] = {}
        self._step = random.choice((0, 0, random.randint(1, 40), random.randint(1, 9)))
        self._factor = random.choice((1, 2, 3, 7)) if self._step else random.choice((2, 3, 7, 13))

    def __call__(self, tagged: Any) -> Any:
        if isinstance(tagged, dict):
            return {key: self(item) for key, item in tagged.items()}
        if not isinstance(tagged, list):
            return tagged
        if len(tagged) == 2 and tagged[0] in ("int", "float", "str"):
            value = atom(tagged)
            if value in self._kept or is_edge(tagged):
                return tagged
            if (tagged[0], value) not in self._known:
                self._known[tagged[0], value] = self._other(tagged)
            return self._known[tagged[0], value]
        if tagged and tagged[0] in ("object", "sub", "std", "enum", "ref"):
            return [*tagged[:2], *(self(part) for part in tagged[2:])] if tagged[0] not in ("enum", "ref") else tagged
        return [self(item) for item in tagged]

    def _other(self, tagged: Tagged) -> Tagged:
        if tagged[0] == "str":
            return ["str", "".join(self._sign(sign) for sign in tagged[1])]
        number = number_of(tagged)
        moved = number * self._factor + (self._step if number > 0 else -self._step)
        return _integer(int(moved)) if isinstance(number, int) else ["float", float(moved).hex()]

    def _sign(self, sign: str) -> str:
        if sign.isdigit():
            return self._random.choice("123456789")
        if not sign.isalpha() or not sign.isascii():
            return sign
        other = self._random.choice("abcdefghijklmnopqrstuvwxyz")
        return other.upper() if sign.isupper() else other


def variants(tagged: Tagged, random: Random, depth: int = 0) -> Iterator[tuple[Tagged, bool]]:
    """Values like this one, and whether they are of the same kind."""
    tag = tagged[0]
    if tag in ("int", "float", "bool"):
        yield from _numbers(tagged, random)
    elif tag in ("str", "bytes"):
        yield from _texts(tagged, random)
    elif tag in ("list", "tuple", "set", "frozenset"):
        yield from _rows(tagged, random, depth)
    elif tag == "dict":
        yield from _tables(tagged, random, depth)
    elif tag in ("std", "sub", "object"):
        yield from _inner(tagged, random, depth)
    elif tag == "none":
        yield from ((["int", "0x0"], False), (["str", ""], False))


def _integer(value: int) -> Tagged:
    return ["int", hex(value)]


def _numbers(tagged: Tagged, random: Random) -> Iterator[tuple[Tagged, bool]]:
    value = number_of(tagged)
    if tagged[0] == "bool":
        yield ["bool", not tagged[1]], True
        yield _integer(2), False
        return
    if isinstance(value, float):
        steps = (0.5, -0.5, 0.01, -0.01, 1.0, -1.0, 10.0)
        found = [*(value + step for step in steps), -value, value * 10, value / 3, 0.0, 0.1, 1.5, 1e6, -1e-9]
        found += [random.uniform(-10, 10) * max(abs(value), 1.0) for _ in range(8) if math.isfinite(value)]
        yield from ((["float", float(item).hex()], True) for item in found)
        yield from ((["float", item], False) for item in ("nan", "inf", "-inf"))
        yield _integer(random.randint(-20, 60)), True
        return
    wide = max(abs(value), 6) * 10
    found_whole = [value + step for step in (1, -1, 2, -2, 10, -10)] + [-value, value * 2, value * 10, value // 2]
    found_whole += [0, 1, 2, 3, 5, 7, 12, 100, 1000, -1]
    found_whole += [random.randint(-wide, wide) for _ in range(10)] + [random.randint(0, 60) for _ in range(14)]
    yield from ((_integer(item), True) for item in found_whole)
    yield ["float", (value + 0.5).hex() if abs(value) < 2**50 else "0x1.8p+0"], False
    yield ["none"], False
    yield ["str", "7"], False


_WORDS = ("a", "B", " ", "-", "é", "ß", "0", "x y", "Zürich", "日本", "\t", "\n", ",", "'")


def _texts(tagged: Tagged, random: Random) -> Iterator[tuple[Tagged, bool]]:
    if tagged[0] == "bytes":
        yield from (
            (["bytes", item], True) for item in ("", tagged[1] * 2, tagged[1] + "00", tagged[1][2:], "ff" * 9)
        )
        return
    text: str = tagged[1]
    found = [
        "",
        text.upper(),
        text.lower(),
        text.title(),
        text[::-1],
        text * 2,
        f" {text}",
        f"{text} ",
        text[1:],
        text[:-1],
    ]
    for word in random.sample(_WORDS, 7):
        place = random.randint(0, len(text))
        found += [word + text, text + word, text[:place] + word + text[place:]]
    for _ in range(6):
        found.append("".join(random.choice("0123456789") if char.isdigit() else char for char in text))
        found.append("".join(_letter(char, random) for char in text))
    found += [text * 40, random.choice(_WORDS), "".join(random.sample(text, len(text)))]
    yield from ((["str", item[:4000]], True) for item in found)
    yield ["none"], False


def _letter(char: str, random: Random) -> str:
    """Now and then another letter of the same case."""
    if not char.isalpha() or random.random() < 0.6:
        return char
    other = random.choice("abcdefghijklmnopqrstuvwxyz")
    return other.upper() if char.isupper() else other


def _rows(tagged: Tagged, random: Random, depth: int) -> Iterator[tuple[Tagged, bool]]:
    tag, items = tagged[0], list(tagged[1])
    if tag != "tuple":
        shuffled = random.sample(items, len(items))
        shapes = [[], items[::-1], items[1:], items[:-1], items * 2, items[:1], items[:1] + items, shuffled]
        yield from (([tag, shape], True) for shape in shapes)
        if not items:
            filled = ([_integer(1)], [_integer(number) for number in (3, 1, 2)], [["str", "a"], ["str", "b"]])
            yield from (([tag, list(shape)], True) for shape in filled)
    else:
        yield from (([tag, shape], False) for shape in ([], items[1:], items * 2))
    places = list(range(len(items)))
    for place in random.sample(places, min(len(places), 4)):
        yield from (
            ([tag, [*items[:place], new, *items[place + 1 :]]], near)
            for new, near in _few(items[place], random, depth)
        )
    for other in ("list", "tuple"):
        if tag != other:
            yield [other, items], False


def _few(tagged: Tagged, random: Random, depth: int) -> list[tuple[Tagged, bool]]:
    """A handful of variants of something inside."""
    if depth > 4:
        return []
    found = list(variants(tagged, random, depth + 1))
    return random.sample(found, min(len(found), 8))


def _tables(tagged: Tagged, random: Random, depth: int) -> Iterator[tuple[Tagged, bool]]:
    items = list(tagged[1])
    yield from ((["dict", shape], True) for shape in ([], items[1:], items[:-1], items[::-1]))
    for place in random.sample(range(len(items)), min(len(items), 4)):
        key, value = items[place]
        rest = items[:place], items[place + 1 :]
        yield from ((["dict", [*rest[0], [key, new], *rest[1]]], near) for new, near in _few(value, random, depth))
        yield from (
            (["dict", [*rest[0], [new, value], *rest[1]]], near) for new, near in _few(key, random, depth)[:3]
        )


def _inner(tagged: Tagged, random: Random, depth: int) -> Iterator[tuple[Tagged, bool]]:
    """Values of classes: the same class, made of other things."""
    if tagged[0] == "std":
        for place, argument in enumerate(tagged[2]):
            for new, near in _few(argument, random, depth):
                yield ["std", tagged[1], [*tagged[2][:place], new, *tagged[2][place + 1 :]]], near
    elif tagged[0] == "sub":
        for new, near in _few(tagged[2], random, depth):
            yield ["sub", tagged[1], new, *tagged[3:]], near
    elif tagged[3] is not None:
        arguments, named, later = tagged[3]
        call = Call(tuple(arguments), tuple(named.items()))
        for slot in call.slots():
            for new, near in _few(call.at(slot), random, depth):
                other = call.put(slot, new, near)
                # Made of other things it is fresh: what was done to this one would hide the difference.
                yield [*tagged[:3], [list(other.arguments), dict(other.named), {}], *tagged[4:]], near
        yield from _fields(tagged, later, 3, random, depth)
    else:
        yield from _fields(tagged, tagged[2], 2, random, depth)


def _fields(
    tagged: Tagged, fields: dict[str, Tagged], place: int, random: Random, depth: int
) -> Iterator[tuple[Tagged, bool]]:
    for name, value in fields.items():
        for new, near in _few(value, random, depth)[:4]:
            changed = {**fields, name: new}
            inside = changed if place == 2 else [*tagged[3][:2], changed]
            yield [*tagged[:place], inside, *tagged[place + 1 :]], near


def is_edge(tagged: Tagged) -> bool:
    """Nothing, empty, or a number that is one of its kind."""
    if tagged[0] in ("int", "float", "bool"):
        number = atom(tagged)
        return number in (0, 1, -1) or (isinstance(number, float) and not math.isfinite(number))
    return tagged[0] == "none" or (
        tagged[0] in ("str", "bytes", "list", "tuple", "dict", "set") and not any(tagged[1:])
    )
