"""Changes at two places, where one alone cannot pass: partial improvements joined with what else was tried."""

from __future__ import annotations

import heapq
import itertools
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .fast import Fast
from .frontier import Candidate, joined
from .plan import Message, Plan, Standing
from .source import paired

SCANNED = 4000
"""So many of the cheapest candidates are looked at again: how far does each one come?"""
WIDTH = 24
"""So many partial improvements are gone on with."""
PARTNERS = 1500
JOINT_PRICE = 1.0
"""Two faults at once are rarer than one, even where both edits are likely."""

Faults = Sequence[Optional[List[Any]]]
"""For each red test: None when it passed, else kind, line and message of its failure."""


class Partial(NamedTuple):
    """A candidate that brings some red tests further."""

    candidate: Candidate
    cures: int
    """Bit by bit: the red tests that pass."""
    gain: float


class Beam:
    """Starts when the single candidates are used up and none has survived."""

    def __init__(self, plan: Plan, standing: Standing, fast: Fast) -> None:
        self._plan = plan
        self._standing = standing
        self._fast = fast
        self._before: Optional[Faults] = None
        self._scan: Optional[Iterator[Candidate]] = None
        self._scanned: List[Tuple[Candidate, Faults]] = []
        self._pairs: Optional[Iterator[Candidate]] = None

    @property
    def begun(self) -> bool:
        return self._scan is not None

    def start(self) -> bool:
        """Offer the next batch to the fast path and start it; False when there is nothing to do."""
        if self._scan is None:
            if self._fast.active or self._standing.any_until_now():
                return False
            self._standing.order.next_phase()
            self._scan = iter(sorted(self._fast.failed, key=lambda one: one.turn)[:SCANNED])
        batch = self._taken(self._scan)
        if batch:
            self._fast.offer(batch, self._heard)
            return self._fast.start_one()
        if self._pairs is None:
            if self._fast.active:
                return False
            self._pairs = self._joined()
        batch = self._taken(self._pairs)
        if not batch:
            return False
        self._fast.offer(batch)
        return self._fast.start_one()

    def _taken(self, candidates: Iterator[Candidate]) -> List[Candidate]:
        size = self._fast.size()
        return list(itertools.islice(candidates, size))

    def _heard(self, candidate: Candidate, message: Message) -> None:
        faults = message.get("faults")
        if faults is not None:
            self._scanned.append((candidate, faults))

    def _joined(self) -> Iterator[Candidate]:
        """Pairs, the cheapest first: complements before anything else, then improvements with all others."""
        self._scanned.sort(key=lambda pair: pair[0].turn)
        usual = _usual([faults for _candidate, faults in self._scanned])
        partials = [Partial(candidate, _cures(faults), _gain(faults, usual)) for candidate, faults in self._scanned]
        improved = [partial for partial in partials if partial.gain > 0.0]
        improved = heapq.nsmallest(WIDTH, improved, key=lambda one: one.candidate.cost - one.gain)
        all_cured = (1 << len(self._plan.job.targets)) - 1
        curing = [partial for partial in partials if partial.cures]
        for one in improved:
            for other in curing:
                if one.cures and (one.cures | other.cures) == all_cured:
                    yield from joined(one.candidate, other.candidate, _price(one.candidate, other.candidate))
        others = sorted((candidate for candidate, _faults in self._scanned), key=lambda one: one.cost)[:PARTNERS]
        streams = [_partners(one.candidate, others) for one in improved]
        yield from heapq.merge(*streams, key=lambda pair: pair.cost)


def _partners(one: Candidate, others: Sequence[Candidate]) -> Iterator[Candidate]:
    for other in others:
        yield from joined(one, other, _price(one, other))


def _price(one: Candidate, other: Candidate) -> float:
    return one.cost + other.cost + JOINT_PRICE


def _cures(faults: Faults) -> int:
    return sum(1 << number for number, fault in enumerate(faults) if fault is None)


def _usual(all_faults: Sequence[Faults]) -> List[Any]:
    """How each red test fails under most candidates: that is how it fails without any."""
    usual = []
    for faults in zip(*all_faults):  # noqa: B905
        counts: Dict[Any, int] = {}
        for fault in faults:
            if fault is not None:
                key = (fault[0], fault[1])
                counts[key] = counts.get(key, 0) + 1
        usual.append(max(counts, key=lambda key: counts[key]) if counts else None)
    return usual


def _gain(faults: Faults, usual: Sequence[Any]) -> float:
    """How much further the red tests come: cured, at a later line, or at an assertion in place of an error."""
    gain = 0.0
    for fault, before in paired(faults, usual):
        if fault is None:
            gain += 3.0
        elif before is not None:
            if before[1] and fault[1] > before[1]:
                gain += 1.5
            elif fault[0] == "AssertionError" != before[0] and fault[1] == before[1]:
                gain += 1.0
    return gain
