"""Whether it matters with the patch which calls came before: each call in a process of its own, and after others.

A patch may remember what it was asked, and be right only in the order that tests ask in. What came to the same on the
untouched commit, alone and in each order, must do so with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
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


class Orders:
    """Some calls, alone and in some orders, on both sides of the patch; made when first asked for."""

    def __init__(self, case: Case, boxes: Boxes, compared: Compared) -> None:
        self._case, self._boxes = case, boxes
        self._probes = _some(case, compared)

    @cached_property
    def _before(self) -> Came:
        return _fresh(self._case, self._boxes, self._case.tree, self._probes)

    @cached_property
    def _now(self) -> Came:
        return _fresh(self._case, self._boxes, self._case.after, self._probes)

    def told_apart(self) -> Iterator[Reason]:
        """The first call that comes to one thing alone, and to another after other calls, and did not before."""
        torn = [number for number, came in enumerate(self._now) if _is_torn(came)]
        for number in torn:
            if self._before and _is_whole(self._before[number]):
                probe, (alone, _, *others) = self._probes[number], self._now[number]
                other = next(one for one in others if _is_other(one, alone))
                detail = f"{probe.told} comes to {_shown(alone)} when nothing was called before, "
                detail += f"and to {_shown(other)} after other calls"
                yield Reason(LAYER, "order-matters", detail, probe.function.path, hard=False)
                return

    def frees(self) -> bool:
        """Whether results hung on earlier calls, and with the patch on none, alone the same: nothing is shared now.

        Such a fix changes no result of any input alone, and yet it is one of all inputs.
        """
        if not any(_is_torn(came) for came in self._before):
            return False
        alone = [was[0] == came[0] for was, came in zip(self._before, self._now, strict=False)]
        return bool(alone) and all(alone) and all(_is_whole(came) for came in self._now)


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
    changed = [probe for probe, _, _ in compared.beyond() if probe.call.near]
    same = [probe for probe, _, _ in compared.same if not probe.seen and probe.call.near]
    others = [random.sample(row, min(len(row), most)) for row, most in ((changed, MOST_CHANGED), (same, MOST_SAME))]
    return [*compared.tested()[:MOST_SEEN], *others[0], *others[1]]


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
