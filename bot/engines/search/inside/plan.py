"""What a search starts from, and what it knows by now."""

from __future__ import annotations

import heapq
import itertools
import time
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from .frontier import Candidate, Frontier
from .guard import TreeGuard
from .hints import Hints
from .job import Job
from .rank import described, final_cost
from .trial import Ground
from .wire import Wire


class Plan(NamedTuple):
    """What the search starts from."""

    job: Job
    hints: Hints
    guard: TreeGuard
    ground: Optional[Ground]
    """None when the suite cannot be collected: then everything is slow."""
    fast: Frontier
    slow: Frontier
    greens: Callable[[], List[str]]
    """Green tests that are green here too, most telling first."""
    limit_s: float
    stateful: bool
    imported: Set[Tuple[str, int, str]]
    end_s: float


class Standing:
    """What is known by now: how much was tried, the survivors, and the best that did not suffice."""

    def __init__(self, hints: Hints, host: Wire) -> None:
        self._hints = hints
        self._host = host
        self.tried = 0
        self.restored = 0
        """How often the tree had to be put back."""
        self.survivors: List[Tuple[float, Candidate]] = []
        self.first_s = 0.0
        self.first_tried = 0
        """When the first survivor was found, and how much had been tried by then."""
        self.cured = 0
        self.best: Optional[Candidate] = None

    def survive(self, candidate: Candidate) -> None:
        if not self.survivors:
            self.first_s, self.first_tried = time.monotonic(), self.tried
        cost = self.final(candidate)
        self.survivors.append((cost, candidate))
        self._host.send({"kind": "found", "candidate": described(candidate, cost)})

    def drop(self, candidate: Candidate) -> None:
        self.survivors = [pair for pair in self.survivors if pair[1] is not candidate]

    def has(self, candidate: Candidate) -> bool:
        return any(survivor is candidate for _cost, survivor in self.survivors)

    def ranked(self) -> List[Candidate]:
        return [candidate for _cost, candidate in sorted(self.survivors, key=lambda pair: pair[0])]

    def cheapest(self) -> float:
        return min(cost for cost, _candidate in self.survivors)

    def final(self, candidate: Candidate) -> float:
        return final_cost(candidate, self._hints)

    def note(self, candidate: Candidate, cured: int) -> None:
        """Keep the candidate that cures most red tests; of those, the first."""
        if cured > self.cured:
            self.cured, self.best = cured, candidate


class Waiting:
    """Candidates in the order of their cost, those that came first first."""

    _serials = itertools.count()

    def __init__(self) -> None:
        self._heap: List[Tuple[float, int, Candidate]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, cost: float, candidate: Candidate) -> None:
        heapq.heappush(self._heap, (cost, next(self._serials), candidate))

    def pop(self) -> Candidate:
        return heapq.heappop(self._heap)[2]

    def cheapest(self) -> Iterator[float]:
        """The lowest cost, or nothing."""
        return (entry[0] for entry in self._heap[:1])


Message = Dict[str, Any]
