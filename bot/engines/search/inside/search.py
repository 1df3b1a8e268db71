"""The search itself, in the process that has collected the suite: candidates out to children, survivors back."""

from __future__ import annotations

import math
import select
import time
from typing import Any, Dict

from .beam import Beam
from .conditions.angelic import Synthesis
from .fast import Fast
from .plan import Plan, Standing
from .slowly import Slowly
from .wire import Wire

AFTER_FIRST_SHARE = 0.25
"""Of the budget: the most that is spent on more survivors once there is one."""
AFTER_DOUBTED_SHARE = 0.6
"""The same, while none is to be believed."""
PROGRESS_S = 0.5


class Search:
    """One run. `run()` returns when there is nothing left to try, or no time, or enough to choose from."""

    def __init__(self, plan: Plan, host: Wire, link: int) -> None:
        self._plan = plan
        self._host = host
        self.standing = Standing(plan.hints, host, plan.crowd)
        self._slowly = Slowly(plan, self.standing, link)
        self._fast = Fast(plan, self.standing, self._slowly)
        self._synthesis = Synthesis(plan, self.standing, self._fast)
        self._beam = Beam(plan, self.standing, self._fast)
        self._begun_s = self._told_s = time.monotonic()
        self._first_s = 0.0
        """When the first survivor was seen."""
        self._fast_over = plan.ground is None

    def run(self) -> None:
        while not self._finished():
            self._fill()
            if not (self._fast.active or self._slowly.busy()):
                break
            self._listen()
            for descriptor in self._fast.overdue():
                self._close(descriptor)
            self._tell()
        self._fast.end()
        self._sweep()

    def _fill(self) -> None:
        """Start what there is room for. A doubted proof waits until nothing else runs."""
        if self._slowly.disagreed:
            self._distrust()
        self._slowly.fill(others=bool(self._fast.active))
        while self._plan.ground is not None and self._fast.has_room():
            if self._slowly.doubted:
                return
            if not self._start_one():
                self._fast_over = not self._fast.active
                return

    def _start_one(self) -> bool:
        if self._synthesis.due() and not self._fast.waiting():
            if self._fast.active:
                return False
            if self._synthesis.start():
                return True
        return self._fast.start_one() or self._beam.start() or self._fast.be_patient()

    def _distrust(self) -> None:
        """The fast path was wrong about one of a sample, so the slow one looks again at what it turned down."""
        for candidate in self._fast.failed:
            self._slowly.offer(candidate, 0.0)
        self._fast.failed.clear()

    def _listen(self) -> None:
        waiting = [*self._fast.active, self._slowly.link]
        for descriptor in select.select(waiting, [], [], 0.05)[0]:
            if descriptor == self._slowly.link:
                self._slowly.hear()
            elif self._fast.hear(descriptor):
                self._close(descriptor)

    def _close(self, descriptor: int) -> None:
        """The tree is looked at before what the child said is believed: it may have run in a spoiled one."""
        payload = self._fast.ended(descriptor)
        self._sweep()
        self._fast.settle(payload)

    def _sweep(self) -> None:
        """End what escaped from children, and put the tree back unless a slow run is at work in it."""
        self._fast.sweep()
        if not self._slowly.writing():
            found = self._plan.guard.restore()
            self.standing.restored += found.anything
            self.standing.spoiled += bool(found.spoiled)

    # When it is enough ----------------------------------------------------------------------------------------

    def _finished(self) -> bool:
        """True when all is answered whose turn counts; or when the budget is spent, or its share for a better one."""
        now = time.monotonic()
        if now > self._plan.end_s or self._slowly.lost:
            return True
        end = self.standing.end()
        if not self.standing.any():
            self._first_s = 0.0
            return False
        self._first_s = self._first_s or now
        due = self._synthesis.due()
        share = AFTER_FIRST_SHARE if self.standing.any_believed() and not due else AFTER_DOUBTED_SHARE
        if now - self._first_s > share * self._plan.job.budget_s:
            return True
        if due:
            return False
        return self._answered_until() > end.cost and not self._slowly.proving() and self._slowly.best_is_proven()

    def _answered_until(self) -> float:
        """Everything of an earlier turn than this has been tried."""
        fast = math.inf if self._fast_over else max(self._plan.fast.next_cost(), self.standing.order.last())
        if math.isinf(fast) and not self._fast_over and (self._beam.begun or not self.standing.any_until_now()):
            fast = self.standing.order.last()
        return min([fast, self._slowly.next_turn(), *self._fast.turns(), *self._slowly.turns()])

    # What it says ---------------------------------------------------------------------------------------------

    def _tell(self) -> None:
        now = time.monotonic()
        if now - self._told_s < PROGRESS_S:
            return
        self._told_s = now
        rate = self.standing.tried / max(0.001, now - self._begun_s)
        found = len(self.standing.survivors())
        self._host.send(
            {
                "kind": "progress",
                "tried": self.standing.tried,
                "rate": round(rate),
                "found": found,
                "best": self.partial(),
            }
        )

    def compared(self) -> Dict[str, Any]:
        """How the fast path stood against the slow one."""
        wrong = ["%s: %s" % (one.operator, one.what) for one in self._slowly.disagreed]
        return {"candidates": self._slowly.compared, "disagreed": wrong[:10]}

    def partial(self) -> str:
        """The best that did not suffice, in words; empty when nothing cured anything or all is cured."""
        best = self.standing.best
        if best is None or self.standing.any():
            return ""
        total = len(self._plan.job.targets)
        lost, besides = self.standing.lost.get(best.key), ""
        if lost:
            besides = ", but then `%s` fails" % lost
        elif self.standing.cured == total:
            besides = ", but not all other tests do"
        return "%d of %d red tests pass when %s %s%s" % (self.standing.cured, total, best.what, best.fault, besides)
