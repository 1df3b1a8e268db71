"""An engine that knows the answer: what it scores says whether a task is sound, from red to proven."""

from __future__ import annotations

from bench.tasks import BenchTask
from bot.engines.contract import Proposals, Workbench
from bot.nouns import Candidate, Failure, Patch, SearchStats

NAME = "known"


class KnownFix:
    """Proposes the known fix of the task that it was made for, and without one nothing.

    Where a test that should be red is green, it proposes nothing. One that it is not told of may be held out.
    """

    name = NAME

    def __init__(self, task: BenchTask | None = None) -> None:
        self._task = task

    def of(self, task: BenchTask) -> KnownFix:
        """The same engine for one task."""
        return KnownFix(task)

    def propose(self, failure: Failure, workbench: Workbench) -> Proposals:  # noqa: ARG002
        if self._task is None:
            return Proposals((), SearchStats())
        if not set(failure.passing).isdisjoint(self._task.failing):
            return Proposals((), SearchStats())
        fix = Candidate(Patch(self._task.fix), NAME, NAME, self._task.fault)
        return Proposals((fix,), SearchStats(tried=1))
