"""The table at which a Dialogue sits: a tree, boxes to run it in, the gate, and steps that are remembered."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from bot.engines.contract import Observed, StepRunner, Table
from bot.errors import OutOfBudget, Refused, TryLater
from bot.gate.baseline import Baseline
from bot.gate.protected import EXPLANATIONS
from bot.nouns import Candidate, Verdict
from bot.toolchains import python, python_checks
from bot.work import OVER, Prepared, Work, steady
from sandbox import Command, Files, Image, Ran, SandboxError, Session

log = logging.getLogger(__name__)

_OUTPUT_CHARS = 200_000


@contextmanager
def table(
    work: Work,
    prepared: Prepared,
    baseline: Baseline,
    *,
    step: StepRunner,
    judge: Callable[[Candidate], Verdict],
    why_not: Callable[[str], str | None] | None = None,
    spent_usd: float = 0.0,
) -> Iterator[Table]:
    """What a Dialogue may use. Boxes are made when they are first wanted, and gone when the block ends.

    `why_not`: why a path is not to be written, in place of what holds for repairs.
    """
    boxes = _Boxes(work, prepared.image)
    _, launch = work.shown(baseline)

    def run_suite(tree: Files, only: Sequence[str] | None) -> Observed:
        ran = boxes.run(python.suite(tree, launch, only=only))
        return dataclasses.replace(_seen(ran), run=python.parse(ran), output=_text(ran.output))

    found = python_checks.checks(work.tree, baseline.installed)
    checks = {
        name: partial(lambda build, tree, paths: _seen(boxes.run(build(launch, tree, paths))), build)
        for name, build in found.items()
    }

    def protected(path: str) -> str | None:
        code = work.why_protected(path, baseline)
        return None if code is None else EXPLANATIONS[code]

    try:
        yield Table(
            job=work.task.id,
            tree=work.tree,
            why_protected=why_not or protected,
            spent_usd=spent_usd,
            run_suite=run_suite,
            checks=checks,
            judge=judge,
            step=step,
            budget_s=work.means.until - time.monotonic(),
            progress=partial(_tell, work),
            cancelled=work.means.cancelled,
        )
    finally:
        boxes.close()


def _tell(work: Work, line: str) -> None:
    """Say what is going on. A Dialogue speaks outside of steps, where nothing would try again: so it may fail."""
    try:
        work.means.progress("repair", line)
    except (Refused, TryLater) as error:
        log.warning("job %s: cannot tell what is going on: %s", work.task.id, error)


class _Boxes:
    """One session, made when it is first wanted, and made anew when it broke."""

    def __init__(self, work: Work, image: str) -> None:
        self._work = work
        self._image = image
        self._session: Session | None = None

    def run(self, command: Command) -> Ran:
        left = self._work.means.until - time.monotonic()
        if left <= 0:
            raise OutOfBudget(OVER)
        limits = self._work.means.limits
        limits = dataclasses.replace(limits, timeout_s=min(limits.timeout_s, left))

        def once() -> Ran:
            if self._session is None:
                self._session = self._work.means.sandbox.session(Image(self._image))
            try:
                return self._session.run(command, limits, cancelled=self._work.means.cancelled)
            except SandboxError:
                self.close()
                raise

        return steady(once)

    def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()


def _seen(ran: Ran) -> Observed:
    said = _text((ran.report or b"")[:_OUTPUT_CHARS] + ran.output)
    return Observed(None, ran.code, ran.stopped or "", said, ran.seconds)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")[-_OUTPUT_CHARS:]
