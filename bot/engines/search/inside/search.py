"""The search itself, in the process that has collected the suite: candidates out to children, survivors back."""

from __future__ import annotations

import math
import select
import time
from typing import Any, Dict

from .beam import Beam
from .fast import Fast
from .plan import Plan, Standing
from .slowly import Slowly
from .wire import Wire

SURVIVORS = 40
MARGIN = 1.6
"""How much dearer than the best survivor a candidate may be and still be tried."""
AFTER_FIRST_SHARE = 0.25
AFTER_FIRST_S = (1.0, 15.0)
"""The least and the most that is spent on more survivors once there is one."""
AFTER_FIRST_TRIED = 1500
"""So many candidates are tried after it on any machine, short of the most time."""
PROGRESS_S = 0.5


class Search:
    """One run. `run()` returns when there is nothing left to try, or no time, or enough to choose from."""

    def __init__(self, plan: Plan, host: Wire, link: int) -> None:
        self._plan = plan
        self._host = host
        self.standing = Standing(plan.hints, host)
        self._slowly = Slowly(plan, self.standing, link)
        self._fast = Fast(plan, self.standing, self._slowly)
        self._beam = Beam(plan, self.standing, self._fast)
        self._begun_s = self._told_s = time.monotonic()

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
        while self._plan.ground is not None and len(self._fast.active) < self._plan.job.cores:
            if self._slowly.doubted or not self._start_one():
                return

    def _start_one(self) -> bool:
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
        self._fast.close(descriptor)
        self._sweep()

    def _sweep(self) -> None:
        """End what escaped from children, and put the tree back unless a proof is at work in it."""
        self._fast.sweep()
        if not self._slowly.proving():
            self.standing.restored += self._plan.guard.restore()

    # When it is enough ----------------------------------------------------------------------------------------

    def _finished(self) -> bool:
        now = time.monotonic()
        if now > self._plan.end_s or self._slowly.lost or len(self.standing.survivors) >= SURVIVORS:
            return True
        if not self.standing.survivors:
            return False
        return self._looked_on(now - self.standing.first_s) or self._nothing_better()

    def _looked_on(self, since_s: float) -> bool:
        """True when enough went into something better; what was hard to find deserves a longer look."""
        least, most = AFTER_FIRST_S
        took_s = self.standing.first_s - self._begun_s
        most = min(most, AFTER_FIRST_SHARE * self._plan.job.budget_s)
        if since_s < max(least, min(took_s, most)):
            return False
        return since_s > most or self.standing.tried - self.standing.first_tried >= AFTER_FIRST_TRIED

    def _nothing_better(self) -> bool:
        """True when all that is untried or under way is dearer than the best survivor by a margin."""
        if self._slowly.proving() or not self._slowly.best_is_proven():
            return False
        untried = min(self._plan.fast.next_cost(), self._plan.slow.next_cost())
        under_way = min([*self._fast.costs(), *self._slowly.costs()], default=math.inf)
        return min(untried, under_way) > self.standing.cheapest() + MARGIN

    # What it says ---------------------------------------------------------------------------------------------

    def _tell(self) -> None:
        now = time.monotonic()
        if now - self._told_s < PROGRESS_S:
            return
        self._told_s = now
        rate = self.standing.tried / max(0.001, now - self._begun_s)
        found = len(self.standing.survivors)
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
        if best is None or self.standing.survivors:
            return ""
        total = len(self._plan.job.targets)
        return "%d of %d red tests pass when %s %s" % (self.standing.cured, total, best.what, best.fault)
