"""What results depended on, and with the patch do not: an argument, or all of it but its length or its first sign.

A price that was a product of two numbers, and is worked out of one of them; a code that was made of a whole text, and
is now its first letter. One argument is changed at a time, and the results before and after the patch are compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.gate.probing.compared import LAYER, Compared, Entry, Probe
from bot.gate.probing.inputs import Call, Tagged, atom, normal
from bot.gate.targets.compare import stripped
from bot.nouns import Reason

ENOUGH, DEPENDED, LEFT = 8, 0.3, 0.05
"""So many pairs must have differed before, and such a share of all; at most that share of those still does."""
ENOUGH_ALIKE, ENOUGH_RESULTS, APART = 12, 6, 0.6

MOST_SEEN = 12
"""Calls of tests with which others are compared."""

_PARTS: dict[str, Callable[[str], object]] = {
    "its length": len,
    "its first sign": lambda text: text[:1],
    "its last sign": lambda text: text[-1:],
}


@dataclass(frozen=True)
class Pair:
    """Two calls that differ in one place."""

    one: Entry
    other: Entry
    slot: int
    """Which of the values that are given."""
    fields: frozenset[str] = frozenset()
    """In which fields these differ, where they are objects of a class."""

    def differs(self, side: int) -> bool:
        """Whether they come to something else, before (1) or after (2) the patch."""
        return bool(_result(self.one[side], self.slot) != _result(self.other[side], self.slot))


def ignored(compared: Compared) -> Iterator[Reason]:
    """At most one reason for each function whose tests were red."""
    for function in dict.fromkeys(probe.function for probe, _, _ in compared.seen()):
        pairs = list(_pairs(compared.of(function)))
        found = [*_lost(pairs), *_read_in_part(pairs)]
        for detail in found[:1]:
            yield Reason(LAYER, "argument-ignored", f"{function.name}: {detail}", function.path, hard=False)


def _lost(found: Sequence[tuple[str, Pair]]) -> Iterator[str]:
    """A place that results depended on, whatever stands there now."""
    places: dict[str, list[Pair]] = defaultdict(list)
    asked = {(pair.slot, pair.fields) for _, pair in found if len(pair.fields) < 2 and _is_asked(pair)}
    for place, pair in found:
        differing = {frozenset({name}) for name in pair.fields} or {frozenset[str]()}
        if not asked & {(pair.slot, field) for field in differing}:
            places[place].append(pair)
    for place, pairs in places.items():
        before = [pair for pair in pairs if pair.differs(1)]
        after = [pair for pair in before if pair.differs(2)]
        if len(before) >= ENOUGH and len(before) >= DEPENDED * len(pairs) and len(after) <= LEFT * len(before):
            one, other = before[0].one[0], before[0].other[0]
            yield f"results depended on {place}, and with the patch they do not, as of {one.told} and {other.told}"


def _is_asked(pair: Pair) -> bool:
    """Whether tests make both calls, a failing one among them, and want the same of them as they did not get."""
    calls = [pair.one[0], pair.other[0]]
    is_tested = all(one.seen for one in calls) and any(one.call.red for one in calls)
    return is_tested and pair.differs(1) and not pair.differs(2)


def _read_in_part(found: Sequence[tuple[str, Pair]]) -> Iterator[str]:
    """A text or a number of which results tell only the length, or the first or the last sign, for all tests."""
    places: dict[str, dict[str, list[Pair]]] = defaultdict(lambda: defaultdict(list))
    for place, pair in found:
        if _text(pair.other, pair.slot) and _text(pair.one, pair.slot):
            places[place][pair.one[0].call.key].append(pair)
    for place, groups in places.items():
        for name, measure in _PARTS.items():
            alike = [_alike(pairs, measure) for pairs in groups.values()]
            is_one = all(len({new for _, new in group}) == 1 for shared in alike for group in shared)
            if is_one and any(_says_enough(shared) for shared in alike):
                told = next(iter(groups.values()))[0].one[0].told
                yield f"results depended on {place}, and with the patch on {name} alone, as for {told}"


def _alike(pairs: Sequence[Pair], measure: Callable[[str], object]) -> list[list[tuple[str, str]]]:
    """Results before and after of two or more inputs that are alike in this."""
    entries = [(pairs[0].one, pairs[0].slot), *((pair.other, pair.slot) for pair in pairs)]
    alike: dict[object, list[tuple[str, str]]] = defaultdict(list)
    for entry, slot in entries:
        told = (repr(_result(entry[1], slot)), repr(_result(entry[2], slot)))
        alike[measure(_text(entry, slot))].append(told)
    return [group for group in alike.values() if len(group) > 1]


def _says_enough(shared: Sequence[Sequence[tuple[str, str]]]) -> bool:
    """Whether most came to something of their own before, and not all to the same now."""
    count, before = sum(map(len, shared)), sum(len({old for old, _ in group}) for group in shared)
    is_many = count >= ENOUGH_ALIKE and before >= APART * count and before >= ENOUGH_RESULTS
    return is_many and len({group[0][1] for group in shared}) > 1


def _text(entry: Entry, slot: int) -> str:
    """The text or the number that stands there; empty for anything else, and for a number below zero."""
    value = atom(_given(entry[0].call)[slot])
    return value if isinstance(value, str) else str(value) if type(value) is int and value >= 0 else ""


# -- calls that differ in one place


def _pairs(part: Compared) -> Iterator[tuple[str, Pair]]:
    """Each call of a test with each other one that differs from it in one place, and the name of that place.

    Only those that come to a number or a text: which things stand in a row may have depended on what it should not.
    """
    entries = [entry for entry in part.entries() if _is_simple(entry[1]) and _is_simple(entry[2])]
    values = {id(entry): [repr(normal(value)) for value in _given(entry[0].call)] for entry in entries}
    for one in [entry for entry in entries if entry[0].seen][:MOST_SEEN]:
        for other in entries:
            mine, others = values[id(one)], values[id(other)]
            if other is one or len(mine) != len(others):
                continue
            apart = [slot for slot, value in enumerate(mine) if value != others[slot]]
            if len(apart) == 1:
                fields = _fields(_given(one[0].call)[apart[0]], _given(other[0].call)[apart[0]])
                place = f".{min(fields)}" if len(fields) == 1 else ""
                yield f"{_name(one[0], apart[0])}{place}", Pair(one, other, apart[0], fields)


def _fields(one: Tagged, other: Tagged) -> frozenset[str]:
    """Where two objects of a class differ; empty for other values."""
    if one[0] != "object" or other[0] != "object" or one[1] != other[1]:
        return frozenset()
    made = one[3] is not None and other[3] is not None
    fields = [_made(one), _made(other)] if made else [one[2], other[2]]
    names = fields[0].keys() | fields[1].keys()
    return frozenset(name for name in names if fields[0].get(name) != fields[1].get(name))


def _made(tagged: Tagged) -> dict[str, Tagged]:
    arguments, named, later = tagged[3]
    return {**{f"argument {place + 1}": value for place, value in enumerate(arguments)}, **named, **later}


def _given(call: Call) -> list[Tagged]:
    return [call.at(slot) for slot in call.slots()]


def _name(probe: Probe, slot: int) -> str:
    name = probe.call.slots()[slot]
    return f"`{name}`" if isinstance(name, str) else f"argument {name + 1}"


def _is_simple(told: Any) -> bool:
    return stripped(told[0])[0] in ("int", "float", "str", "std")


def _result(told: Any, slot: int) -> Any:
    """What came, what was printed, and what became of the other arguments."""
    after = [value for place, value in enumerate(told[1]) if place != slot]
    return [normal(stripped(told[0])), normal(stripped(after)), told[2]]
