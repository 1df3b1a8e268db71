"""When each candidate's turn is. What a search keeps follows from turns alone, never from who was quicker."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right, insort
from typing import Callable, List, Optional, Sequence, Tuple

from .frontier import Candidate, Turn

SLOWNESS = 2.5
"""Nats by which a slow candidate must be likelier than the fast ones: it takes the time of hundreds of them."""
SLOW_TRIES = 40
"""So many fast candidates a slow one counts for."""
MARGIN = 1.6
"""How much dearer than the best survivor a candidate may be and still be tried."""
AFTER_FIRST = (1500, 4000)
"""So many candidates are tried after the first survivor: what was hard to find deserves a longer look."""
DOUBTED = 4.6
"""A survivor that costs more is hardly proposed, not even alone."""
LONGER = 4
"""So many times as many candidates are tried after survivors of which none is to be believed."""
MOST_SURVIVORS = 40
_STEP = 1e-9


Survivor = Tuple[float, Candidate]
"""What it costs in the end, and the candidate."""


class Order:
    """Gives turns out, and says with which one a search has seen enough.

    Several candidates are tried at a time, and fast ones beside slow ones, so that those of later turns are often
    answered first: they count only if the search would have come to them.
    """

    def __init__(self) -> None:
        self._fast = array("d")
        self._slow: List[float] = []
        self._marks: List[int] = []
        """How many fast turns there were when each further phase began."""

    def fast(self, candidate: Candidate) -> Candidate:
        """The next turn of the fast path: never before the one given out last."""
        cost = max(candidate.cost, self.last() + _STEP)
        self._fast.append(cost)
        return candidate._replace(turn=Turn(cost, len(self._fast), len(self._marks)))

    def at_once(self, candidates: Sequence[Candidate], beside: Optional[float]) -> List[Candidate]:
        """One turn of the fast path for all, so that each counts if any does: the next one, whatever they cost.

        `beside`: the turn of the first survivor, where there is one. What is tried because it is not believed must
        not come too late to count.
        """
        cost, given = self.last() + _STEP if beside is None else beside, []
        for candidate in candidates:
            insort(self._fast, cost)
            given.append(candidate._replace(turn=Turn(cost, len(self._fast), len(self._marks))))
        return given

    def slow(self, candidate: Candidate, penalty: float) -> Candidate:
        cost = candidate.cost + penalty + SLOWNESS
        insort(self._slow, cost)
        return candidate._replace(turn=Turn(cost, -1))

    def given(self) -> int:
        """How many turns of the fast path were given out."""
        return len(self._fast)

    def last(self) -> float:
        return self._fast[-1] if self._fast else -math.inf

    def next_phase(self) -> None:
        """From now on come candidates that are tried only because no single edit passed."""
        self._marks.append(len(self._fast))

    def end(self, survivors: Sequence[Survivor]) -> Turn:
        """The last turn that counts, as far as these survivors tell; infinitely far without any."""
        ranked = sorted(survivors, key=lambda pair: pair[1].turn[:2])
        if not ranked:
            return Turn(math.inf, 0, len(self._marks))
        first = ranked[0][1].turn.cost
        phase, known = self._open(first)
        end = self._enough(first, known, LONGER)
        believed = [one.turn.cost for cost, one in ranked if cost <= DOUBTED and one.turn.cost <= end][:1]
        if believed:
            end = self._enough(believed[0], known)
        for count, (cost, candidate) in enumerate(ranked, start=1):
            if candidate.turn.cost > end:
                break
            if candidate.turn.phase <= phase:
                end = min(end, max(candidate.turn.cost, cost + MARGIN))
            if count >= MOST_SURVIVORS:
                end = min(end, candidate.turn.cost)
        return Turn(end, 0, phase)

    def _open(self, first: float) -> Tuple[int, int]:
        """The last phase that begins before the first survivor's turn, and how many fast turns it takes part in."""
        for phase, count in enumerate(self._marks):
            if count and first <= self._fast[count - 1]:
                return phase, count
        return len(self._marks), len(self._fast)

    def _enough(self, first: float, known: int, times: int = 1) -> float:
        """The cost at which enough was tried after the first survivor; infinite when there was not so much yet."""
        fast, slow = bisect_right(self._fast, first, 0, known), bisect_right(self._slow, first)
        wanted = times * min(max(AFTER_FIRST[0], fast), AFTER_FIRST[1])

        def reached(cost: float) -> bool:
            tried = bisect_right(self._fast, cost, 0, known) - fast
            return tried + SLOW_TRIES * (bisect_right(self._slow, cost) - slow) >= wanted

        return min(_first(self._fast, fast, known, reached), _first(self._slow, slow, len(self._slow), reached))


def _first(costs: Sequence[float], low: int, high: int, reached: Callable[[float], bool]) -> float:
    """The first of the sorted costs between two places with which it is reached; infinity when there is none."""
    end = high
    while low < high:
        middle = (low + high) // 2
        if reached(costs[middle]):
            high = middle
        else:
            low = middle + 1
    return costs[low] if low < end else math.inf


def counts(candidate: Candidate, end: Turn) -> bool:
    """Whether its turn comes before the end."""
    return candidate.turn.cost <= end.cost and candidate.turn.phase <= end.phase
