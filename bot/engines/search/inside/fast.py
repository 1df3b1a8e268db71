"""The fast path's queue: batches of candidates for children of the collected process, and rechecks of what passes."""

from __future__ import annotations

from typing import Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

from . import trial
from .batches import Batch, Checked, Errand, Heard, Work
from .children import Child, end_strays
from .frontier import Candidate
from .plan import Message, Plan, Standing, Waiting
from .slowly import Slowly
from .trial import Trial
from .wire import Wire

BATCH = 200
FIRST_BATCH = 16
LONGEST_S = 10.0
MOST_DRIFTS = 5
SAMPLED = 50
"""Of so many candidates one is tried again by the slow path, as long as the sample lasts."""
LATE_BATCH_S = 2.0
PATIENCE = 12
"""Candidates that ran out of time get so many times more of it, once everything else is tried."""
IMPORT_PENALTY = 1.5
PIECES = 8
"""What is tried again because something disturbed it is tried in so many parts."""

MOST_KEPT = 8000
"""So many failed candidates are remembered: the frontier gives the cheapest first."""


class Fast:
    """Children that try candidates. Whoever drives it listens to `active` and calls `hear`."""

    def __init__(self, plan: Plan, standing: Standing, slowly: Slowly) -> None:
        self._plan = plan
        self._standing = standing
        self._slowly = slowly
        self._again: List[Batch] = []
        self._errands: List[Errand] = []
        self._by_itself: List[Work] = []
        """What ran while the tree was spoiled: again, with nothing beside it."""
        self._to_check = Waiting()
        self._timed_out: List[Candidate] = []
        self._limit_s = plan.limit_s
        self._alone = plan.stateful
        self._drifts = 0
        self._known: Set[int] = set()
        self.active: Dict[int, Tuple[Child, Work]] = {}
        self.failed: List[Candidate] = []
        """What was tried and did not pass, in the order of trying: material for changes at two places."""

    def has_room(self) -> bool:
        """Whether another child may be started beside those that run."""
        if self._by_itself or any(work.alone for _child, work in self.active.values()):
            return not self.active
        return len(self.active) < self._plan.job.cores

    def start_one(self) -> bool:
        """Start the next piece of work; False when there is none."""
        if self._by_itself:
            self._start(self._by_itself.pop())
            return True
        if len(self._to_check):
            self._start(Checked([self._to_check.pop()], alone=False))
            return True
        if self._errands:
            self._start(self._errands.pop())
            return True
        batch = self._again.pop() if self._again else self._next_batch()
        if batch is None:
            return False
        self._start(batch)
        return True

    def offer(self, candidates: List[Candidate], heard: Optional[Heard] = None) -> None:
        """Have candidates tried that did not come from the frontier."""
        if heard is None:
            candidates = [self._standing.order.fast(candidate) for candidate in candidates]
        self._again.append(Batch(candidates, self._limit_s, heard))

    def forced(self, candidates: List[Candidate], heard: Heard) -> Batch:
        """A batch to `take`, of what is tried only to learn from it."""
        batch = Batch(candidates, self._limit_s, heard)
        batch.forced = True
        return batch

    def next_are(self, candidates: Sequence[Candidate]) -> Batch:
        """A batch to `take`, of candidates that come before all others."""
        given = self._standing.order.at_once(candidates, self._standing.first_turn())
        for candidate in given:
            if self._ran_at_import(candidate):
                self._slowly.offer(candidate, IMPORT_PENALTY)
        return Batch(given, self._limit_s)

    def take(self, works: Sequence[Work]) -> None:
        """Do these before anything else is drawn."""
        self._again += [work for work in works if isinstance(work, Batch)]
        self._errands += [work for work in works if isinstance(work, Errand)]

    def waiting(self) -> bool:
        """Whether there is work that need not be drawn."""
        return bool(self._by_itself or self._to_check or self._again or self._errands)

    def size(self) -> int:
        """How many candidates a child gets; it gives back those that it has no time for."""
        if self._alone:
            return 1
        return FIRST_BATCH if self._standing.tried == 0 else BATCH

    def _next_batch(self) -> Optional[Batch]:
        candidates: List[Candidate] = []
        while len(candidates) < self.size():
            candidate = self._plan.fast.next()
            if candidate is None:
                break
            if candidate.exact:
                candidates.append(self._standing.order.fast(candidate))
            elif candidate.site.function is None:
                continue  # the slow path's own frontier has it
            if not candidate.exact or self._ran_at_import(candidate):
                self._slowly.offer(candidate, IMPORT_PENALTY if candidate.exact else 0.0)
        return Batch(candidates, self._limit_s) if candidates else None

    def _ran_at_import(self, candidate: Candidate) -> bool:
        return any(unit.key in self._plan.imported for unit, _edits in candidate.swaps())

    def be_patient(self) -> bool:
        """Once all else is tried: candidates that ran out of time get more of it. False when there are none."""
        if not self._timed_out or self._limit_s >= LONGEST_S or self.active or self._standing.any_until_now():
            return False
        self._limit_s = min(LONGEST_S, self._limit_s * PATIENCE)
        self._standing.order.next_phase()
        late, self._timed_out = sorted(self._timed_out, key=lambda candidate: candidate.turn), []
        late = [self._standing.order.fast(candidate) for candidate in late]
        self._known.clear()
        size = max(1, int(LATE_BATCH_S / self._limit_s))
        self._again += [Batch(late[at : at + size], self._limit_s) for at in range(0, len(late), size)][::-1]
        return self.start_one()

    def _start(self, work: Work) -> None:
        work.begin(self._standing)
        child = Child(self._work_of(work))
        self.active[child.descriptor] = (child, work)

    def _work_of(self, work: Work) -> Callable[[Wire], None]:
        if isinstance(work, Errand):
            return work.work
        return self._trial(work) if isinstance(work, Batch) else self._recheck(work)

    def _trial(self, batch: Batch) -> Callable[[Wire], None]:
        ground = self._plan.ground
        assert ground is not None
        known = set() if batch.heard else self._known
        thorough = batch.heard is not None and not batch.forced
        return lambda wire: Trial(ground, batch.limit_s, known, thorough).batch(wire, batch.candidates)

    def _recheck(self, checked: Work) -> Callable[[Wire], None]:
        ground, greens, suite_s = self._plan.ground, self._plan.greens(), self._plan.job.suite_s
        assert ground is not None
        return lambda wire: trial.recheck(ground, checked.candidates[0], greens, suite_s, wire)

    # What children say ----------------------------------------------------------------------------------------

    def hear(self, descriptor: int) -> bool:
        """Read what a child says; True when it has ended."""
        child, work = self.active[descriptor]
        for message in child.messages():
            if isinstance(work, Batch):
                self._hear(work, message)
            elif isinstance(work, Errand):
                work.heard(message)
            elif isinstance(work, Checked):
                work.passed = message.get("ok") is True
                if isinstance(message.get("lost"), str):
                    self._standing.lost[work.candidates[0].key] = message["lost"]
        return child.ended

    def _hear(self, batch: Batch, message: Message) -> None:
        batch.drifted = batch.drifted or message.get("drift") is True
        batch.enough = batch.enough or message.get("enough") is True
        if message.get("n") != batch.next or batch.next >= len(batch.candidates):
            return
        candidate = batch.candidates[batch.next]
        batch.next += 1
        self._standing.tried += 1
        if not batch.forced:
            self._note(candidate, message, thorough=batch.heard is not None)
        if batch.heard is not None:
            batch.heard(candidate, message)

    def _note(self, candidate: Candidate, message: Message, *, thorough: bool) -> None:
        code = message["code"]
        if code == trial.PASSED:
            self._standing.effects[candidate.key] = int(message["effect"])
            self._to_check.add(self._standing.final(candidate), candidate)
        elif code == trial.TIMED_OUT:
            self._timed_out.append(candidate)
        elif code == trial.INEXACT:
            self._slowly.offer(candidate, 0.0)
        elif code == trial.FAILED and not thorough and len(self.failed) < MOST_KEPT:
            self.failed.append(candidate)
        if code in (trial.FAILED, trial.PASSED):
            self._known.add(int(message["effect"]))
            # Tables are not claimed to be exact: the slow path has them all.
            if candidate.turn.serial % SAMPLED == 0 and candidate.site.function is not None:
                self._slowly.compare(candidate, code == trial.PASSED)
        self._standing.note(candidate, int(message["cured"]))

    def ended(self, descriptor: int) -> Work:
        """End a child, and give back what it was about: `settle` it once the tree is whole again."""
        child, work = self.active.pop(descriptor)
        child.end()
        return work

    def settle(self, work: Work) -> None:
        """Draw the conclusions. When a child left candidates over, the first of them killed it."""
        if isinstance(work, Batch):
            self._settle_batch(work)
        elif isinstance(work, Checked):
            self._settle_check(work)

    def _settle_batch(self, batch: Batch) -> None:
        left = batch.left()
        spoiled = self._standing.spoiled > batch.spoiled
        if spoiled and not (batch.alone and len(batch.candidates) == 1):
            self._known.clear()
            self._by_itself += batch.pieces(batch.candidates, len(batch.candidates) // PIECES, alone=True)
            return
        if left and not batch.enough:
            self._standing.tried += 1
            left = left[1:]
        if left:
            self._again += batch.pieces(left, len(left))
        if batch.drifted and not self._alone:
            self._drift(batch)

    def _drift(self, batch: Batch) -> None:
        """Some candidate left state behind that we do not put back: those beside it are tried again, fewer together.

        Where it happens again and again, each candidate gets a process of its own.
        """
        self._drifts += 1
        self._alone = self._drifts >= MOST_DRIFTS
        self._known.clear()
        tried = batch.candidates[: batch.next]
        self._again += batch.pieces(tried, 1 if self._alone else len(tried) // PIECES)

    def _settle_check(self, checked: Checked) -> None:
        """Where the tree was put back meanwhile, a lost test may be another candidate's doing."""
        candidate = checked.candidates[0]
        if checked.passed:
            self._standing.survive(candidate)
        elif not checked.alone and self._standing.restored > checked.restored:
            self._by_itself.append(Checked([candidate], alone=True))

    def sweep(self) -> None:
        end_strays({child.pid for child, _work in self.active.values()})

    def overdue(self) -> List[int]:
        """Children that have said nothing for too long."""
        late = []
        for descriptor, (child, work) in self.active.items():
            if isinstance(work, Batch):
                limit_s = max(2.0, 20 * work.limit_s)
            else:
                limit_s = max(20.0, 6 * self._plan.job.suite_s)
            if child.is_stuck(limit_s):
                late.append(descriptor)
        return late

    def end(self) -> None:
        for child, _work in self.active.values():
            child.end()
        self.active.clear()

    def turns(self) -> Iterator[float]:
        """Of all that is under way or waits."""
        under_way = [work for _child, work in self.active.values()]
        for work in [*under_way, *self._again, *self._by_itself]:
            if not (isinstance(work, Batch) and work.heard):
                yield from (candidate.turn.cost for candidate in work.left())
        yield from self._to_check.turns()
