"""The slow path's queue: what only a new import can try, and proofs of the best survivors."""

from __future__ import annotations

import itertools
import math
import os
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from .frontier import Candidate
from .order import SLOWNESS
from .plan import Message, Plan, Standing, Waiting
from .wire import Lines, Wire

MOST_SLOW = 4000
PROVEN = 3
"""So many of the best survivors are proven by the slow path before we stop."""


class Asked(NamedTuple):
    """A request under way in the process that makes slow runs."""

    candidate: Candidate
    proof: bool
    fast: Optional[bool] = None
    """What the fast path said, where the answer is only compared with that."""
    spoiled: int = 0
    """How often the tree had been spoiled when it was asked."""


class Slowly:
    """Requests to the process that imports everything anew. `link` is readable when it has answered."""

    def __init__(self, plan: Plan, standing: Standing, link: int) -> None:
        self._plan = plan
        self._standing = standing
        self.link = link
        self._lines = Lines()
        self._waiting = Waiting()
        self._serials = itertools.count()
        self._proofs: Dict[object, bool] = {}
        self.doubted: List[Candidate] = []
        """Proofs that failed while something else ran: repeated while nothing does."""
        self._unproven: List[Candidate] = []
        self._active: Dict[int, Asked] = {}
        self.lost = False
        """The other process is gone."""
        self._disturbed: Set[object] = set()
        """Failed once while the tree was spoiled, and so asked about again."""
        self._samples: List[Tuple[Candidate, bool]] = []
        self._sampled = 0
        self.compared = 0
        self.disagreed: List[Candidate] = []
        """Candidates of which the fast path said something else."""

    def offer(self, candidate: Candidate, penalty: float) -> None:
        if len(self._waiting) < MOST_SLOW:
            candidate = self._standing.order.slow(candidate, penalty)
            self._waiting.add(candidate.turn.cost, candidate)

    def compare(self, candidate: Candidate, passed: bool) -> None:
        """Have a candidate tried again that the fast path has tried."""
        if self._sampled < self._plan.job.sample:
            self._sampled += 1
            self._samples.append((candidate, passed))

    def busy(self) -> bool:
        return bool(self._active or self.doubted or self._unproven)

    def proving(self) -> bool:
        return any(asked.proof for asked in self._active.values())

    def writing(self) -> bool:
        """Whether the tree may be another one just now."""
        return self.proving() or (self._plan.apart and bool(self._active))

    def fill(self, others: bool) -> None:
        """Start what there is room for; `others` says that the fast path is at work too."""
        self._prove_one(others)
        while len(self._active) < (1 if others else self._plan.job.cores):
            self._draw()
            if others and self.next_turn() > self._plan.fast.next_cost():
                return
            if self._samples:
                candidate, passed = self._samples.pop(0)
                self._ask(candidate, proof=False, fast=passed)
            elif len(self._waiting):
                self._ask(self._waiting.pop(), proof=False)
            else:
                return

    def next_turn(self) -> float:
        """When the next untried candidate comes to count; infinite when there is none."""
        return min([self._plan.slow.next_cost() + SLOWNESS, *self._waiting.cheapest()])

    def _draw(self) -> None:
        while self._plan.slow.next_cost() + SLOWNESS < min(self._waiting.cheapest(), default=math.inf):
            candidate = self._plan.slow.next()
            if candidate is None:
                return
            self.offer(candidate, 0.0)

    def _prove_one(self, others: bool) -> None:
        """The best survivors run the whole suite by the slow path: the gate will be as strict."""
        if self.proving():
            return
        if self.doubted:
            if not others:
                self._ask(self.doubted[0], proof=True)
        elif self._unproven:
            self._ask(self._unproven.pop(0), proof=True)
        else:
            for _cost, candidate in self._standing.survivors()[:PROVEN]:
                if candidate.key not in self._proofs:
                    self._proofs[candidate.key] = False
                    self._ask(candidate, proof=True)
                    return

    def _ask(self, candidate: Candidate, *, proof: bool, fast: Optional[bool] = None) -> None:
        job = self._plan.job
        wanted = list(job.targets)
        if proof and (job.suite_s < 0.1 * job.budget_s or not self._standing.has(candidate)):
            wanted += self._plan.greens()
        serial = next(self._serials)
        self._active[serial] = Asked(candidate, proof, fast, self._standing.spoiled)
        files = [[path, [list(edit) for edit in edits]] for path, edits in candidate.files().items()]
        limit_s = min(job.budget_s / 4, 10.0 + 6 * job.suite_s)
        written = proof or self._plan.apart
        Wire(self.link).send({"n": serial, "files": files, "wanted": wanted, "written": written, "limit_s": limit_s})

    def hear(self) -> None:
        data = os.read(self.link, 1 << 16)
        self.lost = self.lost or not data
        for message in self._lines.feed(data):
            self._hear(self._active.pop(message["n"]), message)

    def _hear(self, asked: Asked, message: Message) -> None:
        good = message.get("ok") is True
        self._standing.spoiled += message.get("spoiled") is True
        if asked.proof:
            self._proven(asked.candidate, good)
            return
        if not good and self._standing.spoiled > asked.spoiled and asked.candidate.key not in self._disturbed:
            self._disturbed.add(asked.candidate.key)
            self._waiting.add(asked.candidate.turn.cost, asked.candidate)
            return
        if asked.fast is None:
            self._standing.tried += 1
        else:
            self.compared += 1
            if asked.fast != good:
                self.disagreed.append(asked.candidate)
        if good and asked.fast is not True:
            self._unproven.append(asked.candidate)

    def _proven(self, candidate: Candidate, good: bool) -> None:
        """A proof that fails is repeated while nothing else runs: a candidate beside it may have spoiled the tree."""
        self._proofs[candidate.key] = good
        if candidate in self.doubted:
            self.doubted.remove(candidate)
        elif not good:
            self.doubted.append(candidate)
            return
        if good and not self._standing.has(candidate):
            self._standing.survive(candidate)
        elif not good:
            self._standing.drop(candidate)

    def best_is_proven(self) -> bool:
        return all(self._proofs.get(candidate.key, False) for _cost, candidate in self._standing.survivors()[:PROVEN])

    def turns(self) -> Iterator[float]:
        """Of all that is under way and not yet a survivor."""
        under_way = [asked.candidate for asked in self._active.values() if asked.fast is None]
        yield from (one.turn.cost for one in under_way + self._unproven + self.doubted if not self._standing.has(one))
