"""Conditions made from what was seen: first which other way cures the red tests, then what tells when to take it.

After Nopol (Xuan et al. 2017) and DynaMoth (Durieux and Monperrus 2016): a place is forced to behave otherwise; where
that cures the red tests, a condition is looked for that holds at their visits and at no others.
"""

from __future__ import annotations

import time
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Set, Tuple

from ..batches import Batch, Errand, Work
from ..fast import Fast
from ..frontier import Candidate, Part, Turn, base_cost
from ..plan import Message, Plan, Standing
from ..trial import PASSED
from ..wire import Wire
from .chosen import ALWAYS, Condition, Pattern, conditions, joined_visits, literals_of, patterns
from .gaps import Gap, View, chosen, views_of
from .observed import Row, Watch
from .vocabulary import Vocabulary

AFTER = 1500
"""So many candidates of the usual kind are tried before."""
AFTER_SHARE = 0.4
"""Where tests are slow: that share of the budget is spent before, however few these were."""
SHARE = 0.15
"""Of the budget: what this may take."""
MOST_VIEWS, MOST_TRIED, MOST_SEEDS, MOST_MADE = 90, 1800, 24, 120
MOST_REDS, MOST_GREENS = 5, 24
VISIT_LIMIT_S = 2.0
PRICE = 2.6


class Seed(NamedTuple):
    """Another way that cures all red tests when taken at some of their visits."""

    view: int
    gap: int
    pattern: int
    cost: float


class Synthesis:
    """Starts when the usual candidates leave nothing to believe. What it finds has its turn at once."""

    def __init__(self, plan: Plan, standing: Standing, fast: Fast) -> None:
        self._plan = plan
        self._standing = standing
        self._fast = fast
        self._steps = self._all_steps()
        self._over = plan.ground is None or not plan.places
        self._begun = False
        self._begun_s = time.monotonic()
        self._end_s = 0.0
        self._views: List[View] = []
        self._tests: Dict[int, List[Tuple[int, Condition]]] = {}
        """By view: what its gaps are tried with, each with the number of its pattern."""
        self._tried: Dict[Tuple[Any, ...], Seed] = {}
        self._seeds: Set[Seed] = set()
        self._made: List[Candidate] = []

    def due(self) -> bool:
        """Whether the search should wait for its children and then `start` this."""
        if self._over or self._begun:
            return not self._over
        if self._standing.is_settled():
            return False
        order, plan = self._standing.order, self._plan
        late = time.monotonic() - self._begun_s > AFTER_SHARE * (plan.end_s - self._begun_s)
        return order.given() >= AFTER or late or plan.fast.next_cost() == float("inf")

    def start(self) -> bool:
        """Start the next step; False when there is none."""
        if not self._begun:
            self._begun = True
            self._end_s = min(self._plan.end_s, time.monotonic() + SHARE * self._plan.job.budget_s)
        for works in self._steps:
            if works:
                self._fast.take(works)
                return self._fast.start_one()
        self._over = True
        return False

    def _all_steps(self) -> Iterator[Sequence[Work]]:
        places = sorted(self._plan.places, key=lambda place: -place.score)
        views = [view for place in places for view in views_of(place.site, base_cost(place.score))]
        self._views = chosen(views, MOST_VIEWS)

        yield [Errand(self._look_at_reds, self._hear_patterns)]
        yield self._batches()
        yield [Errand(self._look_at_greens, self._hear_condition)]
        made = sorted(self._made, key=lambda one: one.cost)
        yield [self._fast.next_are([one for one in made if self._plan.fast.is_new(one)][:MOST_MADE])]

    # What red tests see ---------------------------------------------------------------------------------------

    @property
    def _reds(self) -> List[str]:
        return self._plan.job.targets[:MOST_REDS]

    def _watch(self) -> Watch:
        assert self._plan.ground is not None
        return Watch(self._plan.ground, max(VISIT_LIMIT_S, self._plan.limit_s))

    def _visits(self, watch: Watch, number: int) -> "Tuple[Vocabulary, List[Row], List[Pattern], List[Any]]":
        """Of the red tests at one place; no patterns where one of them does not come by."""
        view = self._views[number]
        vocabulary = watch.vocabulary(view, self._reds)
        seen = watch.rows(view, vocabulary, self._reds)
        rows, counts = joined_visits(list(seen.values()))
        if not counts or not all(counts):
            return vocabulary, rows, [], []
        literals = literals_of(vocabulary.atoms, rows)
        return vocabulary, rows, patterns(literals, counts), literals

    def _look_at_reds(self, wire: Wire) -> None:
        watch = self._watch()
        for number in range(len(self._views)):
            if time.monotonic() > self._end_s:
                return
            vocabulary, rows, found, _literals = self._visits(watch, number)
            every = (1 << len(rows)) - 1
            told = [list(ALWAYS if one.vector == every else one.said(vocabulary.atoms)) for one in found]
            wire.send({"view": number, "tests": told})

    def _hear_patterns(self, message: Message) -> None:
        tests = [(number, Condition(*told)) for number, told in enumerate(message["tests"])]
        self._tests[message["view"]] = tests

    # Which other way cures them -------------------------------------------------------------------------------

    def _batches(self) -> List[Batch]:
        forced = sorted(self._forced(), key=lambda one: one.cost)[:MOST_TRIED]
        size = self._fast.size()
        batches = [self._fast.forced(forced[at : at + size], self._hear_forced) for at in range(0, len(forced), size)]
        return batches[::-1]

    def _forced(self) -> Iterator[Candidate]:
        for number, tests in self._tests.items():
            view = self._views[number]
            for place, gap in enumerate(view.gaps):
                for pattern, condition in tests:
                    candidate = candidate_for(view, gap, condition)
                    if candidate is not None:
                        self._tried[candidate.key] = Seed(number, place, pattern, candidate.cost)
                        yield candidate

    def _hear_forced(self, candidate: Candidate, message: Message) -> None:
        if message["code"] == PASSED:
            self._seeds.add(self._tried[candidate.key])

    # What tells when to take it -------------------------------------------------------------------------------

    def _look_at_greens(self, wire: Wire) -> None:
        watch = self._watch()
        seeds = sorted(self._seeds, key=lambda seed: (seed.cost, seed))[:MOST_SEEDS]
        for number in dict.fromkeys(seed.view for seed in seeds):
            if time.monotonic() > self._end_s:
                return
            vocabulary, rows, found, literals = self._visits(watch, number)
            seen = watch.rows(self._views[number], vocabulary, self._greens(self._views[number]))
            greens = list(dict.fromkeys(row for rows in seen.values() for row in rows))
            for seed in seeds:
                if seed.view == number and seed.pattern < len(found):
                    pattern = found[seed.pattern]
                    for condition in conditions(vocabulary.atoms, literals, pattern, len(rows), greens):
                        wire.send({"view": number, "gap": seed.gap, "condition": list(condition)})

    def _greens(self, view: View) -> List[str]:
        """Green tests that come through the function."""
        path, node = view.site.source.path, view.site.function
        assert node is not None
        body = range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
        lines = self._plan.lines
        return [
            name for name in self._plan.greens() if any(line in body for line in lines.get(name, {}).get(path, ()))
        ][:MOST_GREENS]

    def _hear_condition(self, message: Message) -> None:
        view = self._views[message["view"]]
        candidate = candidate_for(view, view.gaps[message["gap"]], Condition(*message["condition"]))
        if candidate is not None:
            self._made.append(candidate)


def candidate_for(view: View, gap: Gap, condition: Condition) -> "Candidate | None":
    """None for what the fast path cannot try, and for what asks beside the point."""
    if condition is not ALWAYS and not gap.is_about(condition.text):
        return None
    edits = gap.asked(condition.text, condition.opposite)
    unit = view.site.unit
    if unit is None or not unit.holds(edits):
        return None
    cost = view.base + PRICE + gap.cost + condition.cost
    fault = gap.fault.format(condition.text)
    return Candidate((Part(view.site, edits),), cost, gap.operator, gap.what, fault, True, Turn(0.0, 1))
