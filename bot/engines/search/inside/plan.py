"""What a search starts from, and what it knows by now."""

from __future__ import annotations

import heapq
import itertools
import math
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from .belief.chance import luck
from .belief.rank import described, final_cost
from .frontier import Candidate, Frontier, Turn
from .guard import TreeGuard
from .hints import Hints
from .job import Job
from .order import DOUBTED, Order, Survivor, counts
from .places import Place
from .trace import Lines
from .trial import Ground
from .wire import Wire

SETTLED = 0.55
"""So likely is a survivor that nothing else need be looked for."""


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
    crowd: float = 0.0
    """How many statements are under suspicion."""
    places: Sequence[Place] = ()
    """The statements under suspicion that stand in functions."""
    lines: Mapping[str, Lines] = {}
    """What each traced test runs."""
    apart: bool = False
    """The red tests run the code in processes of their own: only files that are written reach it."""


class Standing:
    """What is known by now: how much was tried, the survivors, and the best that did not suffice."""

    def __init__(self, hints: Hints, host: Wire, crowd: float = 0.0) -> None:
        self._hints = hints
        self._crowd = crowd
        self._host = host
        self.tried = 0
        self.restored = 0
        """How often the tree had to be put back."""
        self.spoiled = 0
        """How often one of its own files was gone or another one."""
        self.order = Order()
        self.effects: Dict[object, int] = {}
        """By the key of a candidate that passed the red tests: the same for those that come to the same code."""
        self._found: List[Survivor] = []
        self.cured = 0
        self.best: Optional[Candidate] = None
        self.lost: Dict[Any, str] = {}
        """Key of a candidate that cures the red tests -> the test that fails with it all the same."""

    def survive(self, candidate: Candidate) -> None:
        cost = self.final(candidate)
        self._found.append((cost, candidate))
        self._host.send({"kind": "found", "candidate": described(candidate, cost)})

    def drop(self, candidate: Candidate) -> None:
        self._found = [pair for pair in self._found if pair[1].key != candidate.key]

    def has(self, candidate: Candidate) -> bool:
        return any(survivor.key == candidate.key for _cost, survivor in self._found)

    def end(self) -> Turn:
        """The last turn that counts, as far as is known."""
        return self.order.end(self._distinct())

    def survivors(self) -> List[Survivor]:
        """Those whose turn counts, the cheapest first."""
        end = self.end()
        return sorted((pair for pair in self._distinct() if counts(pair[1], end)), key=lambda pair: pair[0])

    def _distinct(self) -> List[Survivor]:
        """In the order of their turns; of those that come to the same code, the first."""
        seen: Set[object] = set()
        kept = []
        for cost, candidate in sorted(self._found, key=lambda pair: (pair[1].turn, pair[1].key)):
            effect = self.effects.get(candidate.key, candidate.key)
            if effect not in seen and candidate.key not in seen:
                seen.update((effect, candidate.key))
                kept.append((cost, candidate))
        return kept

    def any(self) -> bool:
        return bool(self._found)

    def any_believed(self) -> bool:
        """Whether one survived that may be proposed."""
        return any(cost <= DOUBTED for cost, _candidate in self._found)

    def is_settled(self) -> bool:
        """Whether one survivor is likelier than all others and a wrong one together, if no two of them agree."""
        weights = [math.exp(-cost) for cost, _candidate in self._distinct()]
        return bool(weights) and max(weights) > SETTLED * (sum(weights) + math.exp(-DOUBTED))

    def first_turn(self) -> Optional[float]:
        """Of all survivors; None without any."""
        return min((candidate.turn.cost for _cost, candidate in self._found), default=None)

    def any_until_now(self) -> bool:
        """Whether one survived whose turn is not behind the last one that the fast path was given."""
        return any(candidate.turn.cost <= self.order.last() for _cost, candidate in self._found)

    def final(self, candidate: Candidate) -> float:
        return final_cost(candidate, self._hints) + luck(candidate, self._crowd)

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

    def turns(self) -> Iterator[float]:
        """When those that wait come to count."""
        return (candidate.turn.cost for _cost, _serial, candidate in self._heap)


Message = Dict[str, Any]
