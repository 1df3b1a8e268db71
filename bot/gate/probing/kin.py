"""Calls of the same build as one that was seen, with other numbers and texts in it."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from bot.gate.probing.inputs import Call, Kin, Tagged, atom, content, essence, integer, is_edge, number_of

_DIGITS = "0123456789"


@dataclass(frozen=True)
class Way:
    """What is changed: letters and digits of texts, numbers; each sign alike everywhere, or each text by itself."""

    letters: bool = False
    digits: bool = False
    numbers: bool = False
    alike: bool = True
    one: bool = False
    """Only one number or text of the call is changed, wherever it stands."""
    resized: bool = False
    kinds: bool = False
    """Texts become numbers."""

    @property
    def name(self) -> str:
        """Of a way that changes results as it changes inputs, where the code does not look into its texts."""
        if self.numbers or self.one or self.resized or not self.alike:
            return ""
        return "kinds" if self.kinds else "letters" if self.letters else "digits"


WAYS = (
    Way(digits=True, numbers=True),
    Way(letters=True, digits=True, numbers=True),
    Way(letters=True, digits=True, numbers=True, alike=False, resized=True),
    Way(digits=True, alike=False, one=True, numbers=True),
    Way(letters=True, digits=True, numbers=True, alike=False),
    Way(digits=True, alike=False),
    Way(letters=True),
    Way(digits=True),
    Way(kinds=True),
    Way(digits=True, numbers=True, resized=True),
    Way(digits=True, numbers=True, alike=False, resized=True),
)
"""Keywords in a text mean something, and so do parts that two texts have in common: some ways keep each of them."""


def kin(seen: Sequence[Call], random: Random, count: int, kept: Collection[object]) -> Iterator[Call]:
    """Calls like those that were seen, each way in turn. `kept`: what means something to the code stays as it is."""
    for turn in range(count):
        call, way = seen[turn % len(seen)], WAYS[(turn + turn // len(seen)) % len(WAYS)]
        change = Renaming(call, way, random, kept)
        sized = resized if way.resized else lambda value, _: value
        named = tuple((name, change(sized(value, random))) for name, value in call.named)
        keeps_words = way.alike and not (way.letters or way.kinds or way.one)
        made = Kin(call.key, change, way.name, keeps_words, way.resized)
        near = call.near and not way.kinds
        yield Call(tuple(change(sized(value, random)) for value in call.arguments), named, near, made)


def resized(tagged: Tagged, random: Random) -> Tagged:
    """A row of things of one kind, made longer or shorter; an object by the rows that it was made of.

    Also what an iterator gives, or the lines of a file.
    """
    if tagged[0] == "object" and len(tagged) > 3 and tagged[3] is not None:
        arguments, named, later = tagged[3]
        made = [[resized(item, random) for item in arguments], named, later]
        return [*tagged[:3], made, *tagged[4:]]
    inner = content(tagged)
    if inner is not tagged:
        return [*tagged[:2], [_lines(inner, random) if inner[0] == "str" else resized(inner, random), *tagged[2][1:]]]
    if tagged[0] not in ("list", "tuple") or len({item[0] for item in tagged[1]}) != 1:
        return tagged
    least = min(len(tagged[1]), 2)  # a single thing is an edge of its own, and among the variants
    items = [random.choice(tagged[1]) for _ in range(random.randint(least, 2 * len(tagged[1]) + 3))]
    spread = [integer(int(number_of(item)) + random.randint(0, 30)) if item[0] == "int" else item for item in items]
    return [tagged[0], spread]


def _lines(tagged: Tagged, random: Random) -> Tagged:
    """A text of more or fewer of its lines."""
    lines = str(tagged[1]).splitlines(keepends=True)
    if len(lines) < 2:
        return tagged
    return ["str", "".join(random.choice(lines) for _ in range(random.randint(2, 2 * len(lines) + 3)))]


class Renaming:
    """Gives numbers and texts other values. What was equal still is; numbers keep their order, and so do digits."""

    def __init__(self, call: Call, way: Way, random: Random, kept: Collection[object] = ()) -> None:
        self._random = random
        # A word that the code knows is that word in other cases, too.
        self._kept = {one.casefold() if isinstance(one, str) else one for one in kept}
        self._way = way
        self._known: dict[object, Tagged] = {}
        values = [*call.arguments, *(value for _, value in call.named)]
        atoms = [inner for inner in essence(values) if self._is_free(inner)]
        self._only = random.choice(atoms) if way.one and atoms else None
        self._signs = _signs("".join(str(inner[1]) for inner in atoms if inner[0] == "str"), way, random)
        texts = sorted({inner[1] for inner in atoms if inner[0] == "str"}) if way.kinds else []
        self._numbers = dict(zip(texts, sorted(random.sample(range(1000, 10**6), len(texts))), strict=True))
        self._step = random.choice((0, 0, random.randint(1, 40), random.randint(1, 9)))
        self._factor = random.choice((1, 2, 3, 7)) if self._step else random.choice((2, 3, 7, 13))

    def __call__(self, tagged: Any) -> Any:
        if isinstance(tagged, dict):
            return {key: self(item) for key, item in tagged.items()}
        if not isinstance(tagged, list):
            return tagged
        if self._is_free(tagged):
            return self._renamed(tagged)
        if tagged and tagged[0] in ("object", "sub", "std", "enum", "ref"):
            return [*tagged[:2], *(self(part) for part in tagged[2:])] if tagged[0] not in ("enum", "ref") else tagged
        return [self(item) for item in tagged]

    def _is_free(self, tagged: Any) -> bool:
        """Whether this is a number or a text that may become another one."""
        if len(tagged) != 2 or tagged[0] not in ("int", "float", "str"):
            return False
        value = atom(tagged)
        return (value.casefold() if isinstance(value, str) else value) not in self._kept and not is_edge(tagged)

    def _renamed(self, tagged: Tagged) -> Tagged:
        if self._only is not None and tagged != self._only:
            return tagged
        key = (tagged[0], atom(tagged))
        if key not in self._known:
            self._known[key] = self._other(tagged)
        return self._known[key]

    def _other(self, tagged: Tagged) -> Tagged:
        if tagged[0] == "str" and self._way.kinds:
            return integer(self._numbers.get(tagged[1], 0) or self._random.randrange(1000, 10**6))
        if tagged[0] == "str":
            return ["str", "".join(self._sign(sign) for sign in tagged[1])]
        if not self._way.numbers:
            return tagged
        number = number_of(tagged)
        moved = number * self._factor + (self._step if number > 0 else -self._step)
        return integer(int(moved)) if isinstance(number, int) else ["float", float(moved).hex()]

    def _sign(self, sign: str) -> str:
        if self._way.alike:
            return self._signs.get(sign, sign)
        if sign.isdigit():
            return self._random.choice("123456789") if self._way.digits else sign
        if not sign.isalpha() or not sign.isascii() or not self._way.letters:
            return sign
        other = self._random.choice(string.ascii_lowercase)
        return other.upper() if sign.isupper() else other


def _signs(text: str, way: Way, random: Random) -> dict[str, str]:
    """Each letter and each digit of the text, and what takes its place everywhere."""
    signs: dict[str, str] = {}
    if way.digits:
        used = sorted(set(text) & set(_DIGITS))
        others = _DIGITS[1:] if len(used) < len(_DIGITS) else _DIGITS
        signs |= dict(zip(used, sorted(random.sample(others, len(used))), strict=True))
    if way.letters:
        letters = sorted(set(text.lower()) & set(string.ascii_lowercase))
        drawn = sorted(random.sample(string.ascii_lowercase, len(letters)))  # in order: what is sorted still is
        signs |= dict(zip(letters, drawn, strict=True))
        signs |= {sign.upper(): other.upper() for sign, other in zip(letters, drawn, strict=True)}
    return signs
