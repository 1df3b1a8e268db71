"""The queue of candidates, cheapest first, filled lazily: an operator runs at a site only when its turn has come."""

from __future__ import annotations

import heapq
import math
import traceback
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple

from .catalogue import EVERY, Operator, operators_for
from .kinds import Raw
from .places import Place
from .site import Change, Site
from .source import neighbours
from .table import Swappable
from .unit import Edit

SUSPICION_WEIGHT = 1.2
MOST_OF_ONE_OPERATOR = 40_000
TABLE_CAPS = 8
"""A table is one statement with many entries: so many times the ideas of another one."""
LONG = 30
"""A statement of so many more expressions has as many ideas as two."""
TWIN_PRICE = 1.2
MOST_TWINS = 4


class Part(NamedTuple):
    """Edits of one operator at one place."""

    site: Site
    edits: Tuple[Edit, ...]

    @property
    def path(self) -> str:
        return self.site.source.path


class Turn(NamedTuple):
    """The place of a candidate in the order of trying; `phase` counts the ways in which single edits ran out."""

    cost: float
    serial: int
    phase: int = 0


class Candidate(NamedTuple):
    """One concrete change, at one place or at two. `exact`: the fast path can try it."""

    parts: Tuple[Part, ...]
    cost: float
    operator: str
    what: str
    fault: str
    exact: bool
    turn: Turn = Turn(0.0, 0)
    """Given to it when it is drawn."""

    @property
    def site(self) -> Site:
        """Where it is told to be: the place of its first part."""
        return self.parts[0].site

    @property
    def path(self) -> str:
        return self.parts[0].path

    @property
    def key(self) -> Tuple[Tuple[str, Tuple[Edit, ...]], ...]:
        return tuple((part.path, part.edits) for part in self.parts)

    def files(self) -> Dict[str, Tuple[Edit, ...]]:
        """Path -> all edits of that file."""
        found: Dict[str, Tuple[Edit, ...]] = {}
        for part in self.parts:
            found[part.path] = found.get(part.path, ()) + part.edits
        return found

    def swaps(self) -> List[Tuple[Swappable, Tuple[Edit, ...]]]:
        """The functions and tables that change, with the edits of each. Only for exact ones."""
        found: Dict[int, Tuple[Swappable, Tuple[Edit, ...]]] = {}
        for part in self.parts:
            unit = part.site.unit
            assert unit is not None
            found[id(unit)] = (unit, found.get(id(unit), (unit, ()))[1] + part.edits)
        return list(found.values())


class Frontier:
    """Best-first over (site, operator) and then over the changes that an operator yields there."""

    def __init__(self, places: Sequence[Place]) -> None:
        self._heap: List[Tuple[float, int, Any]] = []
        self._serial = 0
        self._seen: Set[Any] = set()
        self._twins: Dict[Any, List[Candidate]] = {}
        self._made = {operator.name: 0 for operator in EVERY}
        cheapest = min(operator.price for operator in EVERY)
        for place in places:
            base = base_cost(place.score)
            self._push(base + cheapest - 1.0, (base, place.site))

    def _push(self, cost: float, entry: Raw) -> None:
        self._serial += 1
        heapq.heappush(self._heap, (cost, self._serial, entry))

    def is_new(self, candidate: Candidate) -> bool:
        """Whether no operator has made the same; from now on it is known."""
        key = (candidate.path, candidate.parts[0].edits)
        new = key not in self._seen
        self._seen.add(key)
        return new

    def next_cost(self) -> float:
        """A lower bound on what the next candidate costs; infinity when there is none."""
        return self._heap[0][0] if self._heap else math.inf

    def next(self) -> Optional[Candidate]:
        while self._heap:
            _cost, _serial, entry = heapq.heappop(self._heap)
            if isinstance(entry, Candidate):
                self._pair_with_twins(entry)
                return entry
            if len(entry) == 2:
                base, site = entry
                for operator in operators_for(site):
                    self._push(base + operator.price - operator.bonus, (base, site, operator))
            else:
                self._expand(*entry)
        return None

    def _pair_with_twins(self, candidate: Candidate) -> None:
        """The same change at two places of a function is one mistake made twice: both bounds, both branches."""
        if len(candidate.parts) > 1 or not candidate.exact:
            return
        twins = self._twins.setdefault(_sameness(candidate), [])
        for twin in twins:
            for pair in joined(twin, candidate, max(twin.cost, candidate.cost) + TWIN_PRICE):
                self._push(pair.cost, pair)
        if len(twins) < MOST_TWINS:
            twins.append(candidate)

    def _expand(self, base: float, site: Site, operator: Operator) -> None:
        most = operator.cap * (TABLE_CAPS if site.function is None else 1 + len(site.nodes) // LONG)
        try:
            for count, change in enumerate(operator.changes(site)):
                if count >= most or self._made[operator.name] >= MOST_OF_ONE_OPERATOR:
                    break
                self._offer(base + operator.price, site, operator.name, change)
        except Exception:
            # An operator that stumbles over rare syntax costs its own ideas, not the search.
            traceback.print_exc()

    def _offer(self, base: float, site: Site, operator: str, change: Change) -> None:
        key = (site.source.path, change.edits)
        if key in self._seen or _changes_nothing(site, change.edits):
            return
        self._seen.add(key)
        self._made[operator] += 1
        cost = base + change.cost
        exact = site.unit is not None and site.unit.holds(change.edits)
        part = Part(site, change.edits)
        self._push(cost, Candidate((part,), cost, operator, change.what, change.fault, exact))


def base_cost(score: float) -> float:
    """What a place costs that is suspected so much."""
    return -SUSPICION_WEIGHT * math.log(min(1.0, max(score, 0.01)))


def _changes_nothing(site: Site, edits: Tuple[Edit, ...]) -> bool:
    data = site.source.data
    return all(data[start:end] == text.encode("utf-8") for start, end, text in edits)


def _sameness(candidate: Candidate) -> Tuple[Any, ...]:
    """Equal for changes of one function that put the same text in the place of the same text."""
    ((site, edits),) = candidate.parts
    old = [site.source.data[start:end].strip() for start, end, _text in edits]
    return id(site.unit), candidate.operator, tuple(old), tuple(text.strip() for _start, _end, text in edits)


def joined(one: Candidate, other: Candidate, cost: float) -> Iterator[Candidate]:
    """Both edits as one candidate; nothing where they touch the same text."""
    parts = one.parts + other.parts
    spans: Dict[str, List[Tuple[int, int]]] = {}
    for part in parts:
        spans.setdefault(part.path, []).extend((start, end) for start, end, _text in part.edits)
    for found in spans.values():
        found.sort()
        if any(after[0] < before[1] or after == before for before, after in neighbours(found)):
            return
    fault = "%s, and %s (line %d) %s" % (one.fault, other.what, other.site.first, other.fault)
    yield Candidate(parts, cost, one.operator, one.what, fault, one.exact and other.exact)
