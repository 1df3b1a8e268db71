"""The process of one task: works as `regreen fix` and `regreen verify` do, and writes down how it ended.

A process of its own can be ended at any moment as a person ends a command, with no box left, and goes on when the
server that started it has gone.
"""

from __future__ import annotations

import dataclasses
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from bot import pipeline, record, redaction, settings
from bot.checkout import Checkout
from bot.errors import Refused
from bot.nouns import Outcome
from bot.pipeline import Repair
from bot.settings import Settings
from bot.work import Means, Reproduced, Task
from bot.workspace import parse_diff
from handlers import local
from handlers.answer import EXPECTED, told
from handlers.mcp.keeper import MODEL_KEYS
from handlers.mcp.records import Asked, Ended, TaskFiles, Tasks

T = TypeVar("T")


def main() -> None:
    """`python -m handlers.mcp.worker TASK`. A bug ends in a traceback on standard error, which is kept."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    values = settings.take()
    for name in MODEL_KEYS:
        redaction.learn(getattr(values, name).get_secret_value())
    task = Tasks(values.home).get(sys.argv[1])
    try:
        ended = _carried_out(task, task.asked, values)
    except EXPECTED as error:
        why = told(error)
        ended = Ended("ended", time.time(), why.outcome, why.cause, why.remedy, why.log)
    except KeyboardInterrupt:
        ended = Ended("cancelled", time.time(), Outcome.CANCELLED)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the last boxes are being removed, which is what it would ask for
    task.end(ended)


def _carried_out(task: TaskFiles, asked: Asked, values: Settings) -> Ended:
    with tempfile.TemporaryDirectory() as scratch:
        checkout = Checkout(Path(asked.path))
        if asked.deliver == "files":
            checkout.refuse_changes()
        elif changed := checkout.uncommitted():
            task.tell("note", f"{len(changed)} uncommitted changes are left out: HEAD is looked at")
        means = local.means(
            checkout,
            task.tell,
            values,
            sandbox=asked.sandbox,
            engine=asked.engines,
            timeout_s=asked.timeout_s,
            budget_usd=asked.budget_usd,
        )
        work = _Act(local.task(checkout, Path(scratch) / "git", asked.check, name=task.job), means, asked)
        repair = work.done()
        if repair is not None:
            record.keep(repair.evidence, values.home)
        ended = _ended(work.reproduced, repair)
        try:
            return dataclasses.replace(ended, delivered=_delivered(checkout, repair, asked))
        except Refused as error:  # the patch is there all the same
            return dataclasses.replace(ended, remedy=str(error))


@dataclass
class _Act:
    """The work itself; remembers what was red on the untouched commit."""

    task: Task
    means: Means
    asked: Asked
    reproduced: Reproduced | None = None

    def done(self) -> Repair | None:
        """None where the tests were to be run and are red: there is nothing to say but what is red."""
        match self.asked.kind:
            case "repair":
                return pipeline.repair(self.task, self.means, self._step)
            case "verification":
                change = parse_diff(self.task.commit, self.asked.patch.encode())
                return pipeline.verify(self.task, change, self.means, self._step)[1]
            case "tests":
                return pipeline.reproduce(self.task, self.means, self._step)[1]

    def _step(self, name: str, kind: type[T], act: Callable[[], T]) -> T:  # noqa: ARG002
        result = act()
        if isinstance(result, Reproduced):
            self.reproduced = result
        return result


def _delivered(checkout: Checkout, repair: Repair | None, asked: Asked) -> str:
    """Hand a verified patch over, where an agent asked for more than its diff."""
    if asked.kind != "repair" or repair is None or repair.patch is None or asked.deliver == "diff":
        return ""
    if asked.deliver == "branch":
        return local.branch(checkout, repair)[0]
    checkout.apply(repair.patch)
    return ", ".join(sorted(repair.patch.files))


def _ended(reproduced: Reproduced | None, repair: Repair | None) -> Ended:
    baseline = reproduced.baseline if reproduced else None
    return Ended(
        "ended",
        time.time(),
        outcome=repair.outcome if repair is not None else "red",
        cause=repair.evidence.message if repair is not None else "",
        log=repair.log if repair is not None else "",
        red=baseline.targets if baseline else (),
        unstable=baseline.unstable if baseline else (),
        network=baseline.network if baseline else (),
        passing=len(baseline.green) if baseline else 0,
    )


if __name__ == "__main__":
    main()
