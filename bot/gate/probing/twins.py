"""Calls that say the same as another one in other words, and that a fix should reach as well.

Where the code before the patch never looked at blanks, or took what stands in parentheses for what stands in them, a
patch that mends `8 - 3 - 2` and leaves `(8 - 3 - 2)` wrong knows what tests look like, and not what they mean.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bot.gate.probing.compared import LAYER, Entry
from bot.gate.probing.inputs import Call, Kin, Tagged, normal
from bot.gate.targets.compare import nodes, short, stripped
from bot.nouns import Reason

MOST_ORIGINS = 40
ENOUGH_PAIRS, ENOUGH_RESULTS = 6, 3
MOST_LEFT, LEFT = 3, 0.5

_TEXTS: dict[str, Callable[[str], str]] = {
    "more blanks between words": lambda text: re.sub(r"(?<=\S) (?=\S)", "  ", text),
    "blanks around it": lambda text: f" {text} ",
    "parentheses around it": lambda text: f"({text})",
}
_ROWS: dict[str, Callable[[Tagged], Tagged]] = {"one more row around it": lambda row: ["list", [row]]}


def twins(origins: Sequence[Call]) -> Iterator[Call]:
    """Each call again in other words, as far as there are any."""
    for call in origins[:MOST_ORIGINS]:
        for slot in call.slots()[:2]:  # the object of a method is none
            for name, other in _others(call.at(slot)):
                made = call.put(slot, other, near=False)
                if made.key != call.key:
                    yield Call(made.arguments, made.named, False, Kin(call.key, lambda value: value, "", twin=name))


def _others(tagged: Tagged) -> Iterator[tuple[str, Tagged]]:
    if tagged[0] == "str" and tagged[1].strip():
        yield from ((name, ["str", change(tagged[1])]) for name, change in _TEXTS.items())
    if tagged[0] == "list" and tagged[1]:
        yield from ((name, change(tagged)) for name, change in _ROWS.items())


def left(entries: Sequence[Entry]) -> Iterator[Reason]:
    """Inputs whose result the patch changes, while their twins, which came to the same before, stay as they were."""
    origins = {(entry[0].function, entry[0].call.key): entry for entry in entries}
    pairs: dict[tuple[Any, str], list[tuple[Entry, Entry]]] = {}
    for entry in entries:
        kin = entry[0].call.kin
        if kin is not None and kin.twin and (entry[0].function, kin.of) in origins:
            origin = origins[entry[0].function, kin.of]
            pairs.setdefault((entry[0].function, kin.twin), []).append((origin, entry))
    for (function, name), found in pairs.items():
        lost = list(_left(found))
        if lost:
            one, other = lost[0]
            detail = (
                f"{one[0].told} came to the same with {name}, and with the patch {other[0].told} is left as it was"
            )
            yield Reason(LAYER, "relation-lost", f"{function.name}: {detail}", function.path, hard=False)
            return


def _left(found: Sequence[tuple[Entry, Entry]]) -> Iterator[tuple[Entry, Entry]]:
    """The pairs that came to the same and do not any more, where all did and most that change are such."""
    results = {json.dumps(one[1][0]) for one, _ in found if one[1][0][0] != "raised"}
    if len(found) < ENOUGH_PAIRS or len(results) < ENOUGH_RESULTS:
        return
    if not all(_said(one[1]) == _said(other[1]) for one, other in found):
        return
    said = [(one, other) for one, other in found if not _names_a_part(one, other)]
    changed = [(one, other) for one, other in said if _said(one[1]) != _said(one[2])]
    stay = [(one, other) for one, other in changed if _said(other[1]) == _said(other[2])]
    tested = [pair for pair in changed if pair[0][0].seen]
    if tested and all(pair in stay for pair in tested) and len(stay) >= max(MOST_LEFT, LEFT * len(changed)):
        yield from sorted(stay, key=lambda pair: not pair[0][0].seen)


def _names_a_part(one: Entry, other: Entry) -> bool:
    """Whether the text that was written in another way stands in what else is given: as a name of something there."""
    call = one[0].call
    varied = [slot for slot in call.slots() if call.at(slot) != other[0].call.at(slot)]
    elsewhere = [list(nodes(call.at(slot))) for slot in call.slots() if slot not in varied]
    return any(call.at(slot) in found for slot in varied for found in elsewhere)


def _said(told: Any) -> Any:
    came = told[0]
    return short(came[1][0]) if came[0] == "raised" else normal(stripped(came))
