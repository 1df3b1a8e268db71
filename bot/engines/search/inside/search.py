"""The search itself, in the process that has collected the suite: batches out to children, survivors back."""

from __future__ import annotations

import heapq
import math
import os
import select
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Set, Tuple, Union

from . import trial
from .children import Child, end_strays
from .frontier import Candidate, Frontier
from .guard import TreeGuard
from .hints import Hints
from .job import Job
from .rank import described, final_cost
from .trial import Ground, Trial
from .unit import Edit
from .wire import Lines, Wire

BATCH = 200
BATCH_S = 0.4
SURVIVORS = 40
MARGIN = 1.6
"""How much dearer than the best survivor a candidate may be and still be tried."""
AFTER_FIRST_SHARE = 0.25
PROGRESS_S = 0.5
MOST_SLOW = 4000
PROVEN = 3
"""So many of the best survivors are proven by the slow path before we stop."""
IMPORT_PENALTY = 1.5


class Batch:
    """Candidates under way in one child, and which of them has not reported yet."""

    def __init__(self, candidates: List[Candidate], limit_s: float) -> None:
        self.candidates = candidates
        self.limit_s = limit_s
        self.next = 0


class Checked:
    """A candidate under recheck in one child, and how often the tree had been restored before."""

    def __init__(self, candidate: Candidate, restored: int) -> None:
        self.candidate = candidate
        self.restored = restored
        self.passed = False


Payload = Union[Batch, Checked]


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


class Search:
    """One run. `run()` returns when there is nothing left to try, or no time, or enough to choose from."""

    def __init__(self, plan: Plan, host: Wire, link: int) -> None:
        self._plan = plan
        self._host = host
        self._link = link
        self._link_lines = Lines()
        self._active: Dict[int, Tuple[Child, Payload]] = {}
        self._again: List[Batch] = []
        self._to_check: List[Tuple[float, int, Candidate]] = []
        self._to_try_slowly: List[Tuple[float, int, Candidate]] = []
        self._proofs: Dict[Tuple[str, Tuple[Edit, ...]], bool] = {}
        self._doubted: List[Candidate] = []
        self._unproven: List[Candidate] = []
        self._restored = 0
        self._slow: Dict[int, Tuple[Candidate, bool]] = {}
        self._timed_out: List[Candidate] = []
        self._limit_s = plan.limit_s
        self._serial = 0
        self._known: Set[int] = set()
        self._average_s = 0.01
        self._first_s = 0.0
        self._told_s = 0.0
        self._begun_s = time.monotonic()
        self.tried = 0
        self.survivors: List[Tuple[float, Candidate]] = []
        self.best_cured = 0
        self.best: Optional[Candidate] = None

    # What to do next ------------------------------------------------------------------------------------------

    def run(self) -> None:
        while not self._finished():
            self._fill()
            if not (self._active or self._slow or self._doubted or self._unproven):
                break
            self._listen()
            self._watch()
            self._tell()
        for child, _work in list(self._active.values()):
            child.end()
        self._active.clear()
        self._sweep()

    def _finished(self) -> bool:
        now = time.monotonic()
        if now > self._plan.end_s or len(self.survivors) >= SURVIVORS:
            return True
        if not self.survivors:
            return False
        share = AFTER_FIRST_SHARE * self._plan.job.budget_s
        if now - self._first_s > max(2.0, min(share, 30.0)):
            return True
        return self._nothing_better()

    def _nothing_better(self) -> bool:
        """True when all that is untried or under way is dearer than the best survivor by a margin."""
        bound = min(cost for cost, _candidate in self.survivors) + MARGIN
        cheapest = self._plan.fast.next_cost()
        under_way = [c.cost for _child, work in self._active.values() for c in _unfinished(work)]
        if any(proof for _candidate, proof in self._slow.values()) or not self._best_is_proven():
            return False
        under_way += [candidate.cost for candidate, _proof in self._slow.values()]
        waiting = [self._to_check[0][0]] if self._to_check else []
        waiting += [candidate.cost for candidate in self._unproven + self._doubted]
        waiting += [self._to_try_slowly[0][0]] if self._to_try_slowly else []
        waiting += [c.cost for batch in self._again for c in batch.candidates]
        return min([cheapest, self._plan.slow.next_cost(), *under_way, *waiting]) > bound

    def _best_is_proven(self) -> bool:
        best = sorted(self.survivors, key=lambda pair: pair[0])[:PROVEN]
        return all(self._proofs.get(candidate.key, False) for _cost, candidate in best)

    def _fill(self) -> None:
        self._fill_slow()
        cores = self._plan.job.cores
        while self._plan.ground is not None and not self._doubted and len(self._active) < cores:
            if not self._start_one():
                break

    def _start_one(self) -> bool:
        if self._to_check:
            self._start_check(heapq.heappop(self._to_check)[2])
            return True
        batch = self._again.pop() if self._again else self._next_batch()
        if batch is None:
            return False
        self._start_batch(batch)
        return True

    def _next_batch(self) -> Optional[Batch]:
        size = 1 if self._plan.stateful else int(max(4, min(BATCH, BATCH_S / self._average_s)))
        if self._average_s <= 0.0:
            size = BATCH
        if self.tried == 0:
            size = min(size, 16)
        candidates: List[Candidate] = []
        while len(candidates) < size:
            candidate = self._plan.fast.next()
            if candidate is None:
                break
            if candidate.exact:
                candidates.append(candidate)
            if not candidate.exact or self._ran_at_import(candidate):
                self._offer_slow(candidate, IMPORT_PENALTY if candidate.exact else 0.0)
        return Batch(candidates, self._limit_s) if candidates else self._escalated()

    def _ran_at_import(self, candidate: Candidate) -> bool:
        unit = candidate.unit
        return unit is not None and (unit.source.path, unit.first_line, unit.node.name) in self._plan.imported

    def _escalated(self) -> Optional[Batch]:
        """Candidates that ran out of time get more of it, once everything else is tried."""
        if not self._timed_out or self.survivors or self._limit_s >= 10.0 or self._active:
            return None
        self._limit_s = min(10.0, self._limit_s * 12)
        batch = Batch(self._timed_out, self._limit_s)
        self._timed_out = []
        self._known.clear()
        return batch

    # The fast path --------------------------------------------------------------------------------------------

    def _start_batch(self, batch: Batch) -> None:
        ground = self._plan.ground
        assert ground is not None

        def work(wire: Wire) -> None:
            Trial(ground, batch.limit_s, self._known).batch(wire, batch.candidates, 0)

        self._launch(work, batch)

    def _start_check(self, candidate: Candidate) -> None:
        ground, greens = self._plan.ground, self._plan.greens()
        assert ground is not None
        limit_s = max(5.0, 4 * self._plan.job.suite_s)
        payload = Checked(candidate, self._restored)
        self._launch(lambda wire: trial.recheck(ground, candidate, greens, limit_s, wire), payload)

    def _launch(self, work: Callable[[Wire], None], payload: Payload) -> None:
        child = Child(work)
        self._active[child.descriptor] = (child, payload)

    def _listen(self) -> None:
        waiting = [*list(self._active), self._link]
        for descriptor in select.select(waiting, [], [], 0.05)[0]:
            if descriptor == self._link:
                self._hear_slow()
                continue
            child, payload = self._active[descriptor]
            for message in child.messages():
                self._hear(payload, message)
            if child.ended:
                self._close(descriptor)

    def _hear(self, payload: Payload, message: Dict[str, Any]) -> None:
        if isinstance(payload, Checked):
            payload.passed = message.get("ok") is True
            return
        if message.get("n") != payload.next:
            return
        candidate = payload.candidates[payload.next]
        payload.next += 1
        self.tried += 1
        self._note(candidate, int(message["code"]), int(message["cured"]), int(message["effect"]))

    def _note(self, candidate: Candidate, code: int, cured: int, effect: int) -> None:
        if code == trial.PASSED:
            heapq.heappush(self._to_check, (self._final(candidate), self._next_serial(), candidate))
        elif code == trial.TIMED_OUT:
            self._timed_out.append(candidate)
        elif code == trial.INEXACT:
            self._offer_slow(candidate, 0.0)
        if code in (trial.FAILED, trial.PASSED):
            self._known.add(effect)
        if cured > self.best_cured:
            self.best_cured, self.best = cured, candidate

    def _close(self, descriptor: int) -> None:
        """A child has ended: when it left candidates over, the first of them killed it."""
        child, payload = self._active.pop(descriptor)
        seconds = time.monotonic() - self._begun_s
        child.end()
        if isinstance(payload, Batch):
            self._average_s = max(1e-5, seconds * self._plan.job.cores / max(1, self.tried))
            if payload.next < len(payload.candidates):
                self.tried += 1
                rest = payload.candidates[payload.next + 1 :]
                if rest:
                    self._again.append(Batch(rest, payload.limit_s))
        self._sweep()
        if isinstance(payload, Checked):
            if payload.passed:
                self._survive(payload.candidate)
            elif self._restored > payload.restored:
                # Something spoiled the tree meanwhile, so that a lost test says nothing.
                heapq.heappush(self._to_check, (payload.candidate.cost, self._next_serial(), payload.candidate))

    def _sweep(self) -> None:
        end_strays({child.pid for child, _payload in self._active.values()})
        if not any(proof for _candidate, proof in self._slow.values()):
            self._restored += self._plan.guard.restore()

    def _watch(self) -> None:
        """Kill children that have said nothing for too long."""
        for descriptor, (child, payload) in list(self._active.items()):
            if isinstance(payload, Batch):
                limit_s = max(2.0, 20 * payload.limit_s)
            else:
                limit_s = max(20.0, 6 * self._plan.job.suite_s)
            if child.silent_s() > limit_s:
                self._close(descriptor)

    # The slow path --------------------------------------------------------------------------------------------

    def _offer_slow(self, candidate: Candidate, penalty: float) -> None:
        if len(self._to_try_slowly) < MOST_SLOW:
            entry = (candidate.cost + penalty, self._next_serial(), candidate)
            heapq.heappush(self._to_try_slowly, entry)

    def _fill_slow(self) -> None:
        self._prove_best()
        while len(self._slow) < self._slow_slots():
            while self._plan.slow.next_cost() < self._slow_top():
                candidate = self._plan.slow.next()
                if candidate is None:
                    break
                self._offer_slow(candidate, 0.0)
            if not self._to_try_slowly:
                return
            _cost, serial, candidate = heapq.heappop(self._to_try_slowly)
            self._ask_slow(serial, candidate, False)

    def _prove_best(self) -> None:
        """The best survivors run the whole suite by the slow path: the gate will be as strict."""
        if any(proof for _candidate, proof in self._slow.values()):
            return
        if self._doubted:
            if not self._active:
                self._ask_slow(self._next_serial(), self._doubted[0], True)
            return
        if self._unproven:
            self._ask_slow(self._next_serial(), self._unproven.pop(0), True)
            return
        best = sorted(self.survivors, key=lambda pair: pair[0])[:PROVEN]
        for _cost, candidate in best:
            if candidate.key not in self._proofs:
                self._proofs[candidate.key] = False
                self._ask_slow(self._next_serial(), candidate, True)
                return

    def _proven(self, candidate: Candidate, good: bool) -> None:
        """A proof that fails is repeated while nothing else runs: a candidate beside it may have spoiled the tree."""
        self._proofs[candidate.key] = good
        if candidate in self._doubted:
            self._doubted.remove(candidate)
        elif not good:
            self._doubted.append(candidate)
            return
        if good and not self._has_survived(candidate):
            self._survive(candidate)
        elif not good:
            self.survivors = [pair for pair in self.survivors if pair[1] is not candidate]

    def _has_survived(self, candidate: Candidate) -> bool:
        return any(survivor is candidate for _cost, survivor in self.survivors)

    def _slow_top(self) -> float:
        return self._to_try_slowly[0][0] if self._to_try_slowly else math.inf

    def _slow_slots(self) -> int:
        return 1 if self._active else self._plan.job.cores

    def _ask_slow(self, serial: int, candidate: Candidate, proof: bool) -> None:
        wanted = list(self._plan.job.targets)
        short = self._plan.job.suite_s < 0.1 * self._plan.job.budget_s
        if proof and (short or not self._has_survived(candidate)):
            wanted += self._plan.greens()
        limit_s = min(self._plan.job.budget_s / 4, 10.0 + 6 * self._plan.job.suite_s)
        request = {"n": serial, "path": candidate.path, "edits": [list(edit) for edit in candidate.edits]}
        request.update({"wanted": wanted, "proof": proof, "limit_s": limit_s})
        self._slow[serial] = (candidate, proof)
        Wire(self._link).send(request)

    def _hear_slow(self) -> None:
        data = os.read(self._link, 1 << 16)
        if not data:
            self._plan = self._plan._replace(end_s=0.0)
        for message in self._link_lines.feed(data):
            candidate, proof = self._slow.pop(message["n"])
            if not proof:
                self.tried += 1
            if proof:
                self._proven(candidate, message.get("ok") is True)
            elif message.get("ok"):
                self._unproven.append(candidate)

    # What came of it ------------------------------------------------------------------------------------------

    def _survive(self, candidate: Candidate) -> None:
        if not self.survivors:
            self._first_s = time.monotonic()
        self.survivors.append((self._final(candidate), candidate))
        self._host.send({"kind": "found", "candidate": described(candidate, self._final(candidate))})

    def _final(self, candidate: Candidate) -> float:
        return final_cost(candidate, self._plan.hints)

    def _next_serial(self) -> int:
        self._serial += 1
        return self._serial

    def _tell(self) -> None:
        now = time.monotonic()
        if now - self._told_s < PROGRESS_S:
            return
        self._told_s = now
        rate = self.tried / max(0.001, now - self._begun_s)
        message = {"kind": "progress", "tried": self.tried, "rate": round(rate), "found": len(self.survivors)}
        message["best"] = self.partial()
        self._host.send(message)

    def partial(self) -> str:
        """The best that did not suffice, in words; empty when nothing cured anything or all is cured."""
        if self.best is None or self.survivors:
            return ""
        total = len(self._plan.job.targets)
        return "%d of %d red tests pass when %s %s" % (self.best_cured, total, self.best.what, self.best.fault)


def _unfinished(work: Payload) -> List[Candidate]:
    return work.candidates[work.next :] if isinstance(work, Batch) else [work.candidate]
