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

from bot.gate.layer import Boxes, Case, Findings, Options
from bot.gate.probing import (
    bounds,
    closer,
    effect,
    forks,
    kept,
    lasting,
    observe,
    orders,
    rows,
    skipped,
    spelled,
    surplus,
    telling,
    twins,
)
from bot.gate.probing import compared as known
from bot.gate.probing.compared import LAYER, Asked, Compared, Entry, Probe
from bot.gate.probing.draws import probes
from bot.gate.probing.effect import ENOUGH
from bot.gate.probing.forks import Taken
from bot.gate.probing.inputs import Call, normal
from bot.gate.probing.mishaps import checks_lost_on_a_way, unsteady
from bot.gate.probing.narrow import too_narrow
from bot.gate.probing.sides import BEFORE, TOTAL_S, UNSTEADY, Raw, both, has_come, is_still_unsteady, told
from bot.gate.probing.touched import Touched, touched
from bot.gate.targets.compare import stripped
from bot.nouns import Behaviour, Reason

__all__ = ["LAYER", "examine"]
TOTAL_INPUTS = 600
LEAST_INPUTS = 120
LARGE, LEAST_LARGE = 1_500_000, 40
"""Characters in all inputs together; where a single one is so large that fewer are drawn, at least so many are."""
MOST_SHOWN = 10
SLOW_S = 20.0
"""Calls that take longer in all are not drawn again."""


def examine(case: Case, boxes: Boxes, options: Options) -> Findings:
    """Probes the changed functions. Not applicable where their calls cannot be seen or made again."""
    functions = touched(case, boxes.paths)
    if not functions:
        return Findings(unapplied="no function that was there before, and that can be imported, is changed")
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
    entries: Sequence[Entry]
    compared: Compared
    forks: Sequence[str] = ()
    taken: Taken = field(default_factory=dict)
    is_slow: bool = False
    """Whether calls took so long that not all were made: more would be no more."""

    def is_doubtful(self, case: Case) -> bool:
        return not self.is_slow and bool(too_narrow(case, self.compared) or self.lonely(case))

    def lonely(self, case: Case) -> list[Reason]:
        found = [*forks.lonely(case, self.compared, self.taken, self.forks), *forks.named(case, self.compared)]
        return found[:1]

    def with_more(self, case: Case, boxes: Boxes) -> _Probed:
        """The same with inputs like those of the tests whose result differs: a draw may miss a narrow condition."""
        more = _probed(case, boxes, list(_again(case, self.compared)))
        if more is None:
            return self
        raw = [*self.raw, *more.raw]
        entries = _entries(raw)
        compared = _compared(raw, entries)
        compared.worn = self.compared.worn
        return _Probed(raw, entries, compared, self.forks, {**self.taken, **more.taken}, more.is_slow)


def _probed(case: Case, boxes: Boxes, chosen: Sequence[Probe]) -> _Probed | None:
    ordered = _mixed(case, chosen)
    found = both(case, boxes, ordered)
    if found is None:
        return None
    tree, texts = forks.marked(case)
    lasting = [probe for probe, was, _ in found.raw if has_come(was) and not probe.is_twin]
    taken = forks.taken(case, boxes, tree, lasting, TOTAL_S) if texts else {}
    entries = _entries(found.raw)
    compared = _compared(found.raw, entries)
    compared.worn = found.worn
    return _Probed(found.raw, entries, compared, texts, taken, len(lasting) < len(ordered) and found.seconds > SLOW_S)


def _mixed(case: Case, chosen: Sequence[Probe]) -> list[Probe]:
    """Those of the tests first, and others of all functions: the time may be over before all are called."""
    others = [probe for probe in chosen if not probe.seen]
    Random(f"{case.seed}:probe:order").shuffle(others)  # noqa: S311 - the seed is secret
    return [*(probe for probe in chosen if probe.seen), *others]


def _chosen(case: Case, functions: Sequence[Touched], seen: Sequence[Sequence[Call]]) -> Iterator[Probe]:
    """The calls that were seen, and others."""
    called = [(function, calls) for function, calls in zip(functions, seen, strict=True) if calls]
    for function, calls in called:
        yield from (Probe(function, call, True) for call in calls)
        drawn = list(_drawn(case, function, calls, _count(calls, len(called)), "first"))
        yield from drawn
        alike = [probe.call for probe in drawn if probe.call.kin and probe.call.kin.keeps_words]
        yield from (Probe(function, call, False) for call in twins.twins([*calls, *alike]))


def _count(calls: Sequence[Call], functions: int) -> int:
    """How many inputs of one function are drawn: what is large takes its time to make, to call and to compare."""
    affordable = _affordable(calls)
    if affordable >= TOTAL_INPUTS:
        return max(TOTAL_INPUTS // functions, LEAST_INPUTS)
    return max(min(affordable // functions, LEAST_INPUTS), LEAST_LARGE)


def _affordable(calls: Sequence[Call]) -> int:
    return LARGE // max(1, sum(len(call.key) for call in calls) // len(calls))


def _again(case: Case, compared: Compared) -> Iterator[Probe]:
    """More inputs like those of the tests whose result differs: a draw may have missed a narrow condition."""
    differing: dict[Touched, list[Call]] = {}
    for probe, _, _ in compared.seen():
        differing.setdefault(probe.function, []).append(probe.call)
    for function, calls in differing.items():
        count = min(TOTAL_INPUTS // len(differing), 2 * _count(calls, len(differing)))
        yield from _drawn(case, function, calls, count, "again")


def _drawn(case: Case, function: Touched, calls: Sequence[Call], count: int, turn: str) -> Iterator[Probe]:
    random = Random(f"{case.seed}:probe:{function.where}:{turn}")  # noqa: S311 - the seed is secret
    kept, fresh = known.known_constants(case), known.fresh_constants(case)
    return (Probe(function, call, False) for call in probes(calls, random, count, kept, fresh))


def _compared(raw: Sequence[Raw], entries: Sequence[Entry]) -> Compared:
    """What came of all but the twins, which say nothing by themselves."""
    raw = [one for one in raw if not one[0].is_twin]
    entries = [entry for entry in entries if not entry[0].is_twin]
    found = _sorted(next((one for one in _views(entries) if _tells(one)), entries), entries)
    found.endless = [probe for probe, was, is_now in raw if has_come(was) and is_now == {"slow": True}]
    found.unsteady = [probe for probe, was, is_now in raw if has_come(was) and is_now == UNSTEADY]
    return found


def _entries(raw: Sequence[Raw]) -> list[Entry]:
    states = {was[BEFORE] for probe, was, _ in raw if probe.seen and has_come(was)}
    return [
        (probe, old := told(was), rows.broken(old, told(is_now)))
        for probe, was, is_now in raw
        # One made in another way may be one of those that the tests use, and yet not look so.
        if has_come(was) and has_come(is_now) and (probe.seen or was[BEFORE] not in states)
    ]


def _views(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    """What came, by less and less of it left out: fields that only one side has, and types."""
    had = frozenset(name for _, old, _ in entries for name in kept.fields(old))
    has = frozenset(name for _, _, new in entries for name in kept.fields(new))
    for gone in dict.fromkeys((had - has, frozenset[str]())):
        if gone or has - had:
            yield [
                (probe, _untyped(kept.without(old, gone)), _untyped(kept.without(new, has - had)))
                for probe, old, new in entries
            ]
    yield [(probe, _untyped(old), _untyped(new)) for probe, old, new in entries]


def _tells(entries: Sequence[Entry]) -> bool:
    """Whether what tests call comes to something else."""
    return any(probe.seen and old != new for probe, old, new in entries)


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


# -- what it means


def _findings(case: Case, boxes: Boxes, found: _Probed) -> Findings:
    compared = found.compared
    beyond, count = compared.beyond(), compared.count()
    changed = tuple(_shown(case, compared))
    in_order = orders.Orders(case, boxes, compared)
    fading = (
        *_fading(case, boxes, found),
        *spelled.told_apart(case, boxes, compared),
        *in_order.told_apart(),
        *kept.unreadable(case, compared),
    )
    note = f"{len(beyond)} of {count} inputs that no test uses give another result with the patch"
    if any(_affordable([probe.call]) < TOTAL_INPUTS for probe, _, _ in found.raw[:1]):
        note += "; inputs are large here, so that fewer than elsewhere were drawn"
    doubts = tuple(unsteady(compared))
    if doubts and not is_still_unsteady(case, boxes, found.raw, compared.unsteady):
        doubts = ()
    if not doubts and (count < ENOUGH or not (compared.seen() or beyond)):
        why = "too few inputs could be compared" if count < ENOUGH else "the calls that were seen come to the same"
        return Findings(fading, "" if fading else why, (note,), changed)
    reasons = (*doubts, *_effects(case, found, in_order), *twins.left(found.entries), *fading)
    if not any(reason.hard for reason in reasons):  # what is refused for good needs no doubts beside it
        raising = forks.raising(compared, found.taken, found.forks)
        undecided = bounds.undecided(case, boxes, compared, found.taken, found.forks)
        lost = checks_lost_on_a_way(case, compared, found.taken, found.forks)
        effects = skipped.effects(case, boxes, [one for one in found.raw if has_come(one[1]) and has_come(one[2])])
        unneeded = surplus.unneeded(case, boxes, compared)
        nearby = closer.reasons(case, boxes, compared)
        reasons = (*reasons, *found.lonely(case), *raising, *lost, *undecided, *effects, *unneeded, *nearby)
    return Findings(reasons, notes=(note,), changed=changed)


def _effects(case: Case, found: _Probed, in_order: orders.Orders) -> list[Reason]:
    """What the differences say; that inputs alone show none is nothing where state is shared no more."""
    reasons = effect.reasons(case, found.compared)
    narrow = [reason.code for reason in reasons] == ["no-general-effect"]
    return [] if narrow and not found.forks and in_order.frees() else reasons


def _fading(case: Case, boxes: Boxes, found: _Probed) -> Iterator[Reason]:
    """Calls of tests that came to something before the patch, and do not come to the same again and again with it."""
    if not found.compared.worn:
        came = [one for one in found.raw if one[0].seen and has_come(one[1])]
        asked = [one for one in came if has_come(one[2]) or one[2] in (None, UNSTEADY)]
        yield from lasting.fading(case, boxes, asked)


def _shown(case: Case, compared: Compared) -> Iterator[Behaviour]:
    """At most ten differences at inputs that no test uses: counter-examples, then the nearest and shortest."""
    asked = Asked(case, compared.seen())

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
