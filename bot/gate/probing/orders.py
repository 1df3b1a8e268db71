"""Whether it matters with the patch which calls came before: each call in a process of its own, and after others.

A patch may remember what it was asked, and be right only in the order that tests ask in. What came to the same on the
untouched commit, alone and in each order, must do so with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from bot.gate.layer import Boxes, Case
from bot.gate.outside import results
from bot.gate.probing import telling
from bot.gate.probing.compared import LAYER, Compared, Probe
from bot.gate.probing.sides import has_come, is_sound, told
from bot.gate.source.helpers import helpers
from bot.nouns import Reason
from sandbox import Files

MOST_SEEN, MOST_CHANGED, MOST_SAME = 12, 16, 16
SECONDS, LIMIT_S = 3.0, 5.0

Came = Sequence[Sequence[Any]]
"""For each call what it came to: twice alone, and then in each order."""


def told_apart(case: Case, boxes: Boxes, compared: Compared) -> Iterator[Reason]:
    """The first call that comes to one thing alone, and to another after other calls, and did not before."""
    probes = _some(case, compared)
    now = _fresh(case, boxes, case.after, probes)
    torn = [number for number, came in enumerate(now) if _is_torn(came)]
    before = _fresh(case, boxes, case.tree, probes) if torn else []
    for number in torn:
        if before and _is_whole(before[number]):
            alone, other = now[number][0], next(one for one in now[number][2:] if _is_other(one, now[number][0]))
            detail = f"{probes[number].told} comes to {_shown(alone)} when nothing was called before, "
            detail += f"and to {_shown(other)} after other calls"
            yield Reason(LAYER, "order-matters", detail, probes[number].function.path, hard=False)
            return


def frees(case: Case, boxes: Boxes, compared: Compared) -> bool:
    """Whether results hung on the calls before, and with the patch on none, alone the same: what was shared is not.

    Such a fix changes no result of any input alone, and yet it is one of all inputs.
    """
    probes = _some(case, compared)
    before = _fresh(case, boxes, case.tree, probes)
    if not any(_is_torn(came) for came in before):
        return False
    now = _fresh(case, boxes, case.after, probes)
    alone = [was[0] == came[0] for was, came in zip(before, now, strict=False)]
    return bool(alone) and all(alone) and all(_is_whole(came) for came in now)


def _is_torn(came: Sequence[Any]) -> bool:
    """The same alone each time, and another thing in some order."""
    alone, again, *others = came
    return _is_whole([alone, again]) and any(_is_other(one, alone) for one in others)


def _is_whole(came: Sequence[Any]) -> bool:
    return all(has_come(one) and told(one) == told(came[0]) for one in came)


def _is_other(one: Any, alone: Any) -> bool:
    return has_come(one) and told(one) != told(alone)


def _some(case: Case, compared: Compared) -> list[Probe]:
    """Calls of tests, those first that the patch changes; others that it changes, and others that it does not."""
    random = Random(f"{case.seed}:orders")  # noqa: S311 - the seed is secret
    seen = [probe for probe, _, _ in [*compared.seen(), *compared.same] if probe.seen]
    changed = [probe for probe, _, _ in compared.beyond() if probe.call.near]
    same = [probe for probe, _, _ in compared.same if not probe.seen and probe.call.near]
    others = [random.sample(row, min(len(row), most)) for row, most in ((changed, MOST_CHANGED), (same, MOST_SAME))]
    return [*seen[:MOST_SEEN], *others[0], *others[1]]


def _fresh(case: Case, boxes: Boxes, tree: Files, probes: Sequence[Probe]) -> Came:
    """Nothing where the box gave no report."""
    numbers = list(range(len(probes)))
    mixed = Random(f"{case.seed}:orders:mixed").sample(numbers, len(numbers))  # noqa: S311 - the seed is secret
    alone = [[number] for number in numbers]
    rows = [*alone, *alone, numbers, numbers[::-1], mixed]
    task = {"kind": "fresh", "calls": [probe.task("call") for probe in probes], "rows": rows, "seconds": SECONDS}
    found = (results(boxes, case, tree, [task], each_s=LIMIT_S, helpers=helpers(case)) or [None])[0]
    came = found.get("fresh") if isinstance(found, dict) else None
    if not isinstance(came, list) or len(came) != len(rows) or not all(map(_is_row, came)):
        return []
    pairs = [pair for row, outcomes in zip(rows, came, strict=True) for pair in zip(row, outcomes, strict=False)]
    return [[outcome for one, outcome in pairs if one == number] for number in numbers]


def _is_row(row: Any) -> bool:
    return isinstance(row, list) and all(not has_come(one) or is_sound(one) for one in row)


def _shown(outcome: Any) -> str:
    return telling.outcome(outcome[0])
