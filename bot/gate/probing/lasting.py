"""Whether what red tests ask for lasts: the same calls, many times in one process, and a day later.

A patch may count its calls, or look at how long it has been running, and go back to the old fault when the suite is
over. Code that always gave the same on the untouched commit is asked whether it still does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from bot.gate.layer import Boxes, Case
from bot.gate.outside import results
from bot.gate.probing import telling
from bot.gate.probing.compared import LAYER, Probe, bare
from bot.gate.probing.sides import is_formed
from bot.gate.source.helpers import helpers
from bot.gate.source.news import changed_modules
from bot.nouns import Reason
from sandbox import Files

MOST_CALLS = 10
ROUNDS, SECONDS, LIMIT_S = 400, 1.5, 4.0
SETTLED = 3
"""Rounds that come to the same; what changes sooner, such as a number that is drawn anew, changes always."""
_CLOCKS = frozenset({"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "now", "utcnow", "today"})

Outcomes = Sequence[tuple[int, Any]]
"""The round in which a call first came to something, and what that was."""


def fading(case: Case, boxes: Boxes, asked: Sequence[tuple[Probe, Any, Any]]) -> Iterator[Reason]:
    """The first call that comes to something else after some rounds.

    `asked`: calls that tests make, and what came of each without and with the patch.
    """
    calls = sorted(asked, key=lambda one: _same(one[1], one[2]))[:MOST_CALLS]
    now = _often(case, boxes, case.after, [probe for probe, _, _ in calls])
    if not any(len(found) > 1 for found in now):
        return
    before = _often(case, boxes, case.tree, [probe for probe, _, _ in calls])
    has_clock, has_memory = _brings_a_clock(case), _brings_memory(case)
    for (probe, _, _), old, new in zip(calls, before, now, strict=False):
        turned = _turned(old, new, has_clock=has_clock, has_memory=has_memory)
        if turned:
            first, (turn, last) = telling.outcome(new[0][1]), turned
            detail = f"{probe.told} comes to {first} at first, and after {turn} rounds to {telling.outcome(last)}"
            yield Reason(LAYER, "wears-off", detail, probe.function.path, hard=False)
            return


def _same(was: Any, is_now: Any) -> bool:
    """Those that the patch changes come first."""
    return isinstance(was, list) and isinstance(is_now, list) and bool(was[:1] == is_now[:1])


def _turned(old: Outcomes, new: Outcomes, *, has_clock: bool, has_memory: bool) -> tuple[int, Any] | None:
    """What a call that always came to the same comes to later: the old result again, or another one after a while.

    What only a day changes counts where the patch brings the look at a clock along, and what is mended only once
    other calls were made where it brings something that remembers them.
    """
    if len(old) != 1 or len(new) < 2:
        return None
    was, first = old[0][1], new[0][1]
    again = next((one for one in new[1:] if one[1] == was), None)
    only_later = has_memory and first == was and len(new) == 2
    found = again or (new[1] if only_later or new[1][0] >= SETTLED else None)
    if found is None or (found[0] > ROUNDS // 2 and (first == was or not has_clock)):
        return None
    return found


def _brings_a_clock(case: Case) -> bool:
    return any(
        ast.dump(node) not in known
        for _, module, known in changed_modules(case)
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute | ast.Name) and getattr(node, "attr", getattr(node, "id", "")) in _CLOCKS
    )


def _brings_memory(case: Case) -> bool:
    """Whether there is a new row or table of a module, or a function that sets a name of its module."""
    return any(
        isinstance(node, ast.Global)
        or (isinstance(node, ast.Assign | ast.AnnAssign) and node.value and _can_grow(node.value, known))
        for _, module, known in changed_modules(case)
        for node in (*module.body, *(inner for inner in ast.walk(module) if isinstance(inner, ast.Global)))
    )


def _can_grow(value: ast.expr, known: set[str]) -> bool:
    is_made = isinstance(value, ast.Call) and not any(isinstance(one, ast.Constant) for one in value.args)
    return ast.dump(value) not in known and (is_made or isinstance(value, ast.List | ast.Dict | ast.Set))


def _often(case: Case, boxes: Boxes, tree: Files, probes: Sequence[Probe]) -> list[Outcomes]:
    """Nothing where the box gave no report."""
    calls = [probe.task("call") for probe in probes]
    task = {"kind": "often", "calls": calls, "rounds": ROUNDS, "seconds": SECONDS}
    found = results(boxes, case, tree, [task], each_s=LIMIT_S, helpers=helpers(case)) or [None]
    told = found[0].get("often") if isinstance(found[0], dict) else None
    return [list(_outcomes(one)) for one in told] if isinstance(told, list) and len(told) == len(calls) else []


def _outcomes(told: Any) -> Iterator[tuple[int, Any]]:
    """The box may have written what it liked."""
    for one in told if isinstance(told, list) else ():
        if isinstance(one, list) and len(one) == 2 and isinstance(one[0], int) and is_formed(one[1]):
            yield one[0], bare(one[1])
