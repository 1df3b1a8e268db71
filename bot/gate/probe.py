"""Layer P: what the patch does to inputs that no test names, and whether it does anything to them at all.

The functions that a patch changes are called with some hundred inputs near and far from those that the tests were
seen to use, on the untouched commit and with the patch, in boxes without pytest. A fix changes results outside the
tests too; a table of answers does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bot.gate import bounds, effect, forks, observe, telling
from bot.gate import compared as known
from bot.gate.compare import stripped
from bot.gate.compared import LAYER, Asked, Compared, Entry, Probe, bare
from bot.gate.draws import probes
from bot.gate.effect import ENOUGH
from bot.gate.forks import Taken
from bot.gate.helpers import helpers
from bot.gate.inputs import Call, normal
from bot.gate.layer import Boxes, Case, Findings, Options
from bot.gate.mishaps import checks_lost_on_a_way
from bot.gate.narrow import too_narrow
from bot.gate.outside import results
from bot.gate.touched import Touched, touched
from bot.nouns import Behaviour, Reason

__all__ = ["LAYER", "examine"]
TOTAL_INPUTS = 600
LEAST_INPUTS = 120
EACH_S = 0.2
TOTAL_S = 90.0
MOST_SHOWN = 10
_BEFORE = 2
"""Place of the arguments before the call in a result: came, arguments after, arguments before, printed."""


Raw = tuple[Probe, Any, Any]
"""A call, and the whole record of it on either side."""


def examine(case: Case, boxes: Boxes, options: Options) -> Findings:
    """Probes the changed functions. Not applicable where their calls cannot be seen or made again."""
    functions = touched(case, boxes.paths)
    if not functions:
        return Findings(unapplied="no function that was there before is changed")
    seen = observe.calls(case, boxes, functions)
    if not seen or not any(seen):
        return Findings(
            unapplied="the tests were not seen to call what is changed with values that can be made again"
        )
    found = _probed(case, boxes, list(_chosen(case, functions, seen)))
    if found is None:
        return Findings(unapplied="the changed functions could not be called outside pytest")
    if found.is_doubtful(case):
        found = found.with_more(case, boxes)
    return _findings(case, boxes, found)


@dataclass(frozen=True)
class _Probed:
    """What came of some probes, and which ways they went."""

    raw: Sequence[Raw]
    compared: Compared
    forks: Sequence[str] = ()
    taken: Taken = field(default_factory=dict)

    def is_doubtful(self, case: Case) -> bool:
        return bool(too_narrow(case, self.compared) or self.lonely(case))

    def lonely(self, case: Case) -> list[Reason]:
        found = [*forks.lonely(case, self.compared, self.taken, self.forks), *forks.named(case, self.compared)]
        return found[:1]

    def with_more(self, case: Case, boxes: Boxes) -> _Probed:
        """The same with inputs like those of the tests whose result differs: a draw may miss a narrow condition."""
        more = _probed(case, boxes, list(_again(case, self.compared)))
        if more is None:
            return self
        raw = [*self.raw, *more.raw]
        compared = _compared(raw)
        compared.worn = self.compared.worn
        return _Probed(raw, compared, self.forks, {**self.taken, **more.taken})


def _probed(case: Case, boxes: Boxes, chosen: Sequence[Probe]) -> _Probed | None:
    found = _results(case, boxes, chosen)
    if found is None:
        return None
    tree, texts = forks.marked(case)
    taken = forks.taken(case, boxes, tree, chosen, TOTAL_S) if texts else {}
    compared = _compared(found[0])
    compared.worn = found[1]
    return _Probed(found[0], compared, texts, taken)


def _chosen(case: Case, functions: Sequence[Touched], seen: Sequence[Sequence[Call]]) -> Iterator[Probe]:
    """The calls that were seen, and others."""
    called = [(function, calls) for function, calls in zip(functions, seen, strict=True) if calls]
    for function, calls in called:
        yield from (Probe(function, call, True) for call in calls)
        yield from _drawn(case, function, calls, max(TOTAL_INPUTS // len(called), LEAST_INPUTS), "first")


def _again(case: Case, compared: Compared) -> Iterator[Probe]:
    """More inputs like those of the tests whose result differs: a draw may have missed a narrow condition."""
    differing: dict[Touched, list[Call]] = {}
    for probe, _, _ in compared.seen():
        differing.setdefault(probe.function, []).append(probe.call)
    for function, calls in differing.items():
        yield from _drawn(case, function, calls, TOTAL_INPUTS // len(differing), "again")


def _drawn(case: Case, function: Touched, calls: Sequence[Call], count: int, turn: str) -> Iterator[Probe]:
    random = Random(f"{case.seed}:probe:{function.where}:{turn}")  # noqa: S311 - the seed is secret
    kept, fresh = known.known_constants(case), known.fresh_constants(case)
    return (Probe(function, call, False) for call in probes(calls, random, count, kept, fresh))


def _results(case: Case, boxes: Boxes, chosen: Sequence[Probe]) -> tuple[list[Raw], list[Probe]] | None:
    """What came of each, and the calls of tests that with the patch come to something else after all others."""
    late = [number for number, probe in enumerate(chosen) if probe.seen]
    tasks = [{**probe.task("call"), "times": 2} for probe in (*chosen, *(chosen[number] for number in late))]
    how: dict[str, Any] = {"each_s": EACH_S, "total_s": TOTAL_S, "helpers": helpers(case)}
    before = results(boxes, case, case.tree, tasks, **how)
    after = results(boxes, case, case.after, tasks, **how) if before else None
    if before is None or after is None:
        return None
    worn = [
        chosen[number]
        for place, number in enumerate(late, len(chosen))
        if _is_steady(before[number], before[place]) and _is_sound(after[place])
        and _is_sound(after[number]) and not _is_steady(after[number], after[place])
    ]  # fmt: skip
    return list(zip(chosen, before, after, strict=False)), worn


def _is_steady(first: Any, last: Any) -> bool:
    return _is_sound(first) and _is_sound(last) and _told(first) == _told(last)


def _compared(raw: Sequence[Raw]) -> Compared:
    states = {was[_BEFORE] for probe, was, _ in raw if probe.seen and _is_sound(was)}
    entries = [
        (probe, _told(was), _told(is_now))
        for probe, was, is_now in raw
        # One made in another way may be one of those that the tests use, and yet not look so.
        if _is_sound(was) and _is_sound(is_now) and (probe.seen or was[_BEFORE] not in states)
    ]
    plain = [(probe, _untyped(old), _untyped(new)) for probe, old, new in entries]
    found = _sorted(plain if any(probe.seen and old != new for probe, old, new in plain) else entries, entries)
    found.endless = [probe for probe, was, is_now in raw if _is_sound(was) and is_now == {"slow": True}]
    return found


def _sorted(judged: Sequence[Entry], entries: Sequence[Entry]) -> Compared:
    """By what differs in `judged`, with what came as it stands in `entries`."""
    found = Compared()
    # Another error for what is an error anyway says little, unless it is what the tests are about.
    about_errors = any(probe.seen and _both_raise(old, new) and old != new for probe, old, new in judged)
    for (probe, old, new), entry in zip(judged, entries, strict=True):
        is_nothing = _both_raise(old, new) and not probe.seen and not about_errors
        (found.same if old == new or is_nothing else found.differs).append(entry)
    return found


def _both_raise(old: Any, new: Any) -> bool:
    return bool(old[0][0] == new[0][0] == "raised")


def _untyped(told: list[Any]) -> list[Any]:
    """What came without its type: `5`, `5.0` and an `Amount(5)` are the same amount."""
    return [normal(stripped(part)) for part in told]


def _is_sound(result: Any) -> bool:
    """Whether a result has the shape that ours have: the box may have written what it liked."""
    if not isinstance(result, list) or [type(part) for part in result] != [list, list, str, str] or not result[0]:
        return False
    came = result[0]
    if came[0] == "raised":
        return len(came) == 3 and isinstance(came[1], list) and bool(came[1]) and isinstance(came[1][0], str)
    return isinstance(came[0], str)


def _told(result: list[Any]) -> list[Any]:
    """A result without what says how an object was made: only what it is counts."""
    return [bare(part) for place, part in enumerate(result) if place != _BEFORE]


# -- what it means


def _findings(case: Case, boxes: Boxes, found: _Probed) -> Findings:
    compared = found.compared
    beyond, count = compared.beyond(), compared.count()
    changed = tuple(_shown(case, compared))
    note = f"{len(beyond)} of {count} inputs that no test uses give another result with the patch"
    if count < ENOUGH or not (compared.seen() or beyond):
        why = "too few inputs could be compared" if count < ENOUGH else "the calls that were seen come to the same"
        return Findings(unapplied=why, notes=(note,), changed=changed)
    reasons = tuple(effect.reasons(case, compared))
    if not any(reason.hard for reason in reasons):  # what is refused for good needs no doubts beside it
        raising = forks.raising(compared, found.taken, found.forks)
        undecided = bounds.undecided(case, boxes, compared, found.taken, found.forks)
        lost = checks_lost_on_a_way(case, compared, found.taken, found.forks)
        reasons = (*reasons, *found.lonely(case), *raising, *lost, *undecided)
    return Findings(reasons, notes=(note,), changed=changed)


def _shown(case: Case, compared: Compared) -> Iterator[Behaviour]:
    """At most ten differences at inputs that no test uses: counter-examples, then the nearest and shortest."""
    asked = Asked(case)

    def order(entry: Entry) -> tuple[bool, bool, int]:
        return not asked.is_worse(entry), not entry[0].call.near, len(entry[0].told)

    entries = sorted((entry for entry in compared.beyond() if entry[0].call.near), key=order)
    worse = [entry for entry in entries if asked.is_worse(entry)][: MOST_SHOWN // 2]
    rest = [entry for entry in entries if not asked.is_worse(entry)]
    for probe, old, new in [*worse, *rest][:MOST_SHOWN]:
        before, after = _sides(probe, old, new)
        yield Behaviour(probe.told, before, after, asked.is_worse((probe, old, new)))


def _sides(probe: Probe, old: Any, new: Any) -> tuple[str, str]:
    """What differs: the result, what became of the arguments, or what was printed."""
    if old[0] != new[0]:
        return telling.outcome(old[0]), telling.outcome(new[0])
    if old[1] != new[1]:
        return f"leaves {telling.value(['list', old[1]])}", f"leaves {telling.value(['list', new[1]])}"
    return f"prints {telling.cut(repr(old[2]))}", f"prints {telling.cut(repr(new[2]))}"
