"""Values like one that was seen, near and far, as descriptions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from bot.gate.probing.inputs import Call, Tagged, integer, number_of


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


def _numbers(tagged: Tagged, random: Random) -> Iterator[tuple[Tagged, bool]]:
    value = number_of(tagged)
    if tagged[0] == "bool":
        yield ["bool", not tagged[1]], True
        yield integer(2), False
        return
    if isinstance(value, float):
        steps = (0.5, -0.5, 0.01, -0.01, 1.0, -1.0, 10.0)
        found = [*(value + step for step in steps), -value, value * 10, value / 3, 0.0, 0.1, 1.5, 1e6, -1e-9]
        found += [random.uniform(-10, 10) * max(abs(value), 1.0) for _ in range(8) if math.isfinite(value)]
        yield from ((["float", float(item).hex()], True) for item in found)
        yield from ((["float", item], False) for item in ("nan", "inf", "-inf"))
        yield integer(random.randint(-20, 60)), True
        return
    wide = max(abs(value), 6) * 10
    found_whole = [value + step for step in (1, -1, 2, -2, 10, -10)] + [-value, value * 2, value * 10, value // 2]
    found_whole += [0, 1, 2, 3, 5, 7, 12, 100, 1000, -1]
    found_whole += [random.randint(-wide, wide) for _ in range(10)] + [random.randint(0, 60) for _ in range(14)]
    yield from ((integer(item), True) for item in found_whole)
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
    for sign in random.sample("0123456789", 5):
        place = random.randint(0, len(text))
        found.append(text[:place] + sign + text[place:])
    for _ in range(6):
        found.append("".join(random.choice("0123456789") if char.isdigit() else char for char in text))
        found.append("".join(_letter(char, random) for char in text))
    lines = text.splitlines(keepends=True)
    if len(lines) > 1:
        place = random.randrange(len(lines))
        rows = (lines[:place] + lines[place + 1 :], lines[: place + 1] + lines[place:], lines[::-1], ["\n", *lines])
        found += ["".join(row) for row in (*rows, random.sample(lines, len(lines)))]
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
            filled = ([integer(1)], [integer(number) for number in (3, 1, 2)], [["str", "a"], ["str", "b"]])
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
