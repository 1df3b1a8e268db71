"""The fast path's queue: batches of candidates for children of the collected process, and rechecks of what passes."""

from __future__ import annotations

from typing import Callable, Dict, Iterator, List, Optional, Set, Union

from . import trial
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

MOST_KEPT = 8000
"""So many failed candidates are remembered: the frontier gives the cheapest first."""

Heard = Callable[[Candidate, Message], None]


class Batch:
    """Candidates under way in one child, and which of them has not reported yet."""

    def __init__(self, candidates: List[Candidate], limit_s: float, heard: Optional[Heard] = None) -> None:
        self.candidates = candidates
        self.limit_s = limit_s
        self.heard = heard
        """Who wants to know how far each one came; then they are tried thoroughly."""
        self.next = 0
        self.drifted = False
        self.enough = False

    def left(self) -> List[Candidate]:
        return self.candidates[self.next :]


class Checked:
    """A candidate under recheck in one child, and how often the tree had been restored before."""

    def __init__(self, candidate: Candidate, restored: int) -> None:
        self.candidate = candidate
        self.restored = restored
        self.passed = False

    def left(self) -> List[Candidate]:
        return [self.candidate]


class Fast:
    """Children that try candidates. Whoever drives it listens to `active` and calls `hear`."""

    def __init__(self, plan: Plan, standing: Standing, slowly: Slowly) -> None:
        self._plan = plan
        self._standing = standing
        self._slowly = slowly
        self._again: List[Batch] = []
        self._to_check = Waiting()
        self._timed_out: List[Candidate] = []
        self._limit_s = plan.limit_s
        self._alone = plan.stateful
        self._drifts = 0
        self._known: Set[int] = set()
        self.active: Dict[int, "tuple[Child, Union[Batch, Checked]]"] = {}
        self.failed: List[Candidate] = []
        """What was tried and did not pass, in the order of trying: material for changes at two places."""

    def start_one(self) -> bool:
        """Start the next piece of work; False when there is none."""
        if len(self._to_check):
            self._check(self._to_check.pop())
            return True
        batch = self._again.pop() if self._again else self._next_batch()
        if batch is None:
            return False
        self._try(batch)
        return True

    def offer(self, candidates: List[Candidate], heard: Optional[Heard] = None) -> None:
        """Have candidates tried that did not come from the frontier."""
        if heard is None:
            candidates = [self._standing.order.fast(candidate) for candidate in candidates]
        self._again.append(Batch(candidates, self._limit_s, heard))

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

    def _try(self, batch: Batch) -> None:
        ground = self._plan.ground
        assert ground is not None

        def work(wire: Wire) -> None:
            known = set() if batch.heard else self._known
            Trial(ground, batch.limit_s, known, thorough=batch.heard is not None).batch(wire, batch.candidates)

        self._launch(work, batch)

    def _check(self, candidate: Candidate) -> None:
        ground, greens = self._plan.ground, self._plan.greens()
        assert ground is not None
        suite_s = self._plan.job.suite_s
        payload = Checked(candidate, self._standing.restored)
        self._launch(lambda wire: trial.recheck(ground, candidate, greens, suite_s, wire), payload)

    def _launch(self, work: Callable[[Wire], None], payload: Union[Batch, Checked]) -> None:
        child = Child(work)
        self.active[child.descriptor] = (child, payload)

    # What children say ----------------------------------------------------------------------------------------

    def hear(self, descriptor: int) -> bool:
        """Read what a child says; True when it has ended."""
        child, payload = self.active[descriptor]
        for message in child.messages():
            if isinstance(payload, Checked):
                payload.passed = message.get("ok") is True
            else:
                self._hear(payload, message)
        return child.ended

    def _hear(self, batch: Batch, message: Message) -> None:
        batch.drifted = batch.drifted or message.get("drift") is True
        batch.enough = batch.enough or message.get("enough") is True
        if message.get("n") != batch.next or batch.next >= len(batch.candidates):
            return
        candidate = batch.candidates[batch.next]
        batch.next += 1
        self._standing.tried += 1
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

    def close(self, descriptor: int) -> None:
        """End a child: when it left candidates over, the first of them killed it."""
        child, payload = self.active.pop(descriptor)
        child.end()
        if isinstance(payload, Batch):
            self._close_batch(payload)
        else:
            self._close_check(payload)

    def _close_batch(self, batch: Batch) -> None:
        left = batch.left()
        if left and batch.enough:
            self._again.append(Batch(left, batch.limit_s, batch.heard))
        elif left:
            self._standing.tried += 1
            if left[1:]:
                self._again.append(Batch(left[1:], batch.limit_s, batch.heard))
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
        size = 1 if self._alone else max(1, len(tried) // 8)
        for at in reversed(range(0, len(tried), size)):
            self._again.append(Batch(tried[at : at + size], batch.limit_s, batch.heard))

    def _close_check(self, checked: Checked) -> None:
        if checked.passed:
            self._standing.survive(checked.candidate)
        elif self._standing.restored > checked.restored:
            # Something spoiled the tree meanwhile, so that a lost test says nothing.
            self._to_check.add(checked.candidate.cost, checked.candidate)

    def sweep(self) -> None:
        end_strays({child.pid for child, _payload in self.active.values()})

    def overdue(self) -> List[int]:
        """Children that have said nothing for too long."""
        late = []
        for descriptor, (child, payload) in self.active.items():
            if isinstance(payload, Batch):
                limit_s = max(2.0, 20 * payload.limit_s)
            else:
                limit_s = max(20.0, 6 * self._plan.job.suite_s)
            if child.is_stuck(limit_s):
                late.append(descriptor)
        return late

    def end(self) -> None:
        for child, _payload in self.active.values():
            child.end()
        self.active.clear()

    def turns(self) -> Iterator[float]:
        """Of all that is under way or waits."""
        payloads: List[Union[Batch, Checked]] = [payload for _child, payload in self.active.values()]
        for payload in payloads + self._again:
            if not (isinstance(payload, Batch) and payload.heard):
                yield from (candidate.turn.cost for candidate in payload.left())
        yield from self._to_check.turns()
