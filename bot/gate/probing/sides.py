"""The same calls on the untouched commit and with the patch, each in a box of its own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.gate.layer import Boxes, Case
from bot.gate.outside import results
from bot.gate.probing.compared import Probe, bare
from bot.gate.source.helpers import helpers
from bot.gate.source.news import calls_nothing_new

EACH_S = 0.2
TOTAL_S = 40.0
"""For all calls on one side; those that were not made by then are left out."""
BEFORE = 2
"""Place of the arguments before the call in a result: came, arguments after, arguments before, printed."""

UNSTEADY = {"unsteady": True}
"""What a call comes to that comes to something else each time."""
MANY, MOST_DOUBTED = 4, 8
"""How often calls are made that seem to be so, and how many of them."""
_ILL_FORMED: dict[str, bool] = {}
"""In place of a list that is no result."""
Raw = tuple[Probe, Any, Any]
"""A call, and the whole record of it on either side."""


@dataclass(frozen=True)
class Both:
    """What came of some calls on both sides."""

    raw: list[Raw]
    worn: list[Probe]
    """Calls of tests that with the patch come to something else after all others."""
    seconds: float
    """How long the untouched side took."""


def both(case: Case, boxes: Boxes, chosen: Sequence[Probe]) -> Both | None:
    """Each call twice on each side. What comes to nothing before the patch is not called with it."""
    late = [number for number, probe in enumerate(chosen) if probe.seen]
    numbers = [*range(len(chosen)), *late]
    tasks = [{**chosen[number].task("call"), "times": 2} for number in numbers]
    how: dict[str, Any] = {"each_s": EACH_S, "total_s": TOTAL_S, "helpers": helpers(case)}
    started = time.monotonic()
    before = checked(results(boxes, case, case.tree, tasks, **how))
    seconds = time.monotonic() - started
    lasting = [place for place, result in enumerate(before or ()) if has_come(result)]
    asked = [tasks[place] for place in lasting]
    found = checked(results(boxes, case, case.after, asked, **how)) if before else None
    if before is None or found is None:
        return None
    after = dict(zip(lasting, found, strict=True))
    pairs = [(number, place) for place, number in enumerate(late, len(chosen))]
    worn = [
        chosen[number]
        for number, place in pairs
        if _is_same(before[number], before[place]) and _is_other(after.get(number), after.get(place))
    ]
    raw = [(probe, before[number], after.get(number)) for number, probe in enumerate(chosen)]
    return Both(raw, worn, seconds)


def is_still_unsteady(case: Case, boxes: Boxes, raw: Sequence[Raw], doubted: Sequence[Probe]) -> bool:
    """Whether some of these calls differ from themselves again: alone, or after the same calls as before.

    Once may be the machine, which was busy. Where the patch calls nothing more than before, what differs with the
    clock alone does not count: an entry that is kept now holds the time when it was made.
    """
    how: dict[str, Any] = {"each_s": EACH_S, "total_s": TOTAL_S, "helpers": helpers(case)}
    still = {"stopped": calls_nothing_new(case)}
    alone = [{**probe.task("call"), "times": MANY, **still} for probe in doubted[:MOST_DOUBTED]]
    found = results(boxes, case, case.after, alone, **how)
    if found is None or UNSTEADY in found:
        return True
    order = [probe for probe, was, _ in raw if has_come(was)]
    found = results(boxes, case, case.after, [{**probe.task("call"), "times": 2, **still} for probe in order], **how)
    known = set(map(id, doubted))
    return found is None or any(
        one == UNSTEADY and id(probe) in known for probe, one in zip(order, found, strict=True)
    )


def _is_same(one: Any, other: Any) -> bool:
    return has_come(one) and has_come(other) and told(one) == told(other)


def _is_other(one: Any, other: Any) -> bool:
    return has_come(one) and has_come(other) and told(one) != told(other)


def checked(found: list[Any] | None) -> list[Any] | None:
    """What a box reports, looked at once: `has_come` tells from then on."""
    if found is None:
        return None
    return [_ILL_FORMED if isinstance(one, list) and not is_sound(one) else one for one in found]


def has_come(result: Any) -> bool:
    """Whether a call came to something that can be compared."""
    return isinstance(result, list)


def is_sound(result: Any) -> bool:
    """Whether a result has the shape that ours have: the box may have written what it liked."""
    if not isinstance(result, list) or [type(part) for part in result] != [list, list, str, str] or not result[0]:
        return False
    return all(map(is_formed, [result[0], *result[1]]))


_ROWS = ("list", "tuple", "set", "frozenset")
_PARTS = {"std": 2, "iter": 2, **dict.fromkeys(_ROWS, 1)}
"""Where the row of parts stands in a description."""


def is_formed(tagged: Any) -> bool:
    """Whether a description has the parts that one of its kind has, and these have theirs (see inside/values.py)."""
    if not isinstance(tagged, list) or not tagged or not isinstance(tagged[0], str):
        return False
    if tagged[0] == "raised":
        return len(tagged) == 3 and isinstance(tagged[1], list) and bool(tagged[1]) and isinstance(tagged[1][0], str)
    if tagged[0] == "object":
        return len(tagged) > 2 and isinstance(tagged[2], dict) and all(map(is_formed, tagged[2].values()))
    if tagged[0] == "dict":
        pairs = tagged[1] if len(tagged) > 1 and isinstance(tagged[1], list) else [None]
        return all(isinstance(pair, list) and len(pair) == 2 and all(map(is_formed, pair)) for pair in pairs)
    place = _PARTS.get(tagged[0])
    if place is None:
        return True
    return len(tagged) > place and isinstance(tagged[place], list) and all(map(is_formed, tagged[place]))


def told(result: list[Any]) -> list[Any]:
    """A result without what says how an object was made: only what it is counts."""
    return [bare(part) for place, part in enumerate(result) if place != BEFORE]
