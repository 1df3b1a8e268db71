"""Runs suites: which tasks, how often, what is known already; scores go to disk as they come."""

from __future__ import annotations

import dataclasses
import fnmatch
import json
import random
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass
from pathlib import Path

from bench.alone import digest_alone, score_alone
from bench.pool import threads
from bench.score import Score, digest, score
from bench.scorebook import Scorebook
from bench.suites import Suite
from bench.tasks import BenchTask
from bot.errors import Refused
from bot.work import Means
from sandbox import SandboxError


def fits(only: str, *names: str) -> bool:
    """Whether a pattern like `money/*` fits one of the names; without a wildcard, a part of one is enough."""
    if not any(sign in only for sign in "*?["):
        return any(only in name for name in names)
    return any(fnmatch.fnmatchcase(name, only) for name in names)


@dataclass(frozen=True)
class Way:
    """How a task is scored, and what names a task that was scored that way."""

    score: Callable[[BenchTask, Means], Score]
    digest: Callable[[BenchTask, Means], str]


JUDGED = Way(score, digest)
"""As in production."""
ALONE = Way(score_alone, digest_alone)
"""What the engines propose first, unjudged."""

SEED = 7
KEY = "known to everybody"
"""In place of an installation's secret: two runs of the bench give the same verdicts."""


def picked(suite: Suite, only: str, limit: int | None, sample: int | None = None) -> tuple[BenchTask, ...]:
    """The tasks that are meant; of a `sample`, always the same ones. Refused when there are none."""
    found = [task for task in suite.tasks if fits(only, task.name, task.kind)]
    if not found:
        raise Refused(f"No task of {suite.name} has a name or class like {only!r}.", "Give another --only.")
    if sample is not None:
        random.Random(SEED).shuffle(found)  # noqa: S311 - a sample is no secret
    return tuple(found[:sample][:limit])


@dataclass(frozen=True)
class Trial:
    """One task in one round. Each round of a suite has a file of its own."""

    task: BenchTask
    book: Scorebook[Score]
    round: int = 1


@dataclass(frozen=True)
class Done:
    """What became of a trial: a score, or why there is none."""

    trial: Trial
    score: Score | None = None
    why: str = ""


def book(out: Path, suite: str, number: int = 1) -> Scorebook[Score]:
    """The scores of one round of a suite."""
    return Scorebook(out / (f"{suite}.jsonl" if number == 1 else f"{suite}.{number}.jsonl"), Score)


def trials(suite: str, tasks: Iterable[BenchTask], out: Path, repeat: int) -> list[Trial]:
    """Round after round, so that a run that is stopped has whole rounds."""
    books = [book(out, suite, number) for number in range(1, repeat + 1)]
    known = tuple(tasks)
    return [Trial(task, one, number) for number, one in enumerate(books, start=1) for task in known]


def known(asked: Sequence[Trial], means: Means, way: Way = JUDGED) -> list[tuple[Trial, Score]]:
    """Trials that have a score of this very task with these very means; a task that was changed has none."""
    found: list[tuple[Trial, Score]] = []
    scores = {trial.book.path: trial.book.scores() for trial in asked}
    digests = {trial.task.name: way.digest(trial.task, means) for trial in asked}
    for trial in asked:
        one = scores[trial.book.path].get(trial.task.name)
        if one is not None and one.digest == digests[trial.task.name]:
            found.append((trial, one))
    return found


def run(
    asked: Sequence[Trial], means: Means, *, jobs: int, cancelled: threading.Event, way: Way = JUDGED
) -> Iterator[Done]:
    """Score these trials, several at a time. When it is broken off, running repairs are told to stop."""
    with threads(jobs) as pool:
        waiting: dict[Future[Score], Trial] = {pool.submit(way.score, trial.task, means): trial for trial in asked}
        try:
            for future in as_completed(waiting):
                yield _done(waiting[future], future)
        except BaseException:
            cancelled.set()
            raise


def _done(trial: Trial, future: Future[Score]) -> Done:
    try:
        found = future.result()
    except SandboxError as error:
        return Done(trial, why=str(error))
    trial.book.add(found)
    return Done(trial, found)


@dataclass(frozen=True)
class About:
    """How a run was made: what its figures depend on besides the tasks."""

    command: str
    engines: tuple[str, ...]
    sandbox: str
    search_s: float
    version: str
    machine: str
    started: str


def write_about(out: Path, about: About) -> None:
    """Kept beside the scores; a run that is gone on with keeps how it began."""
    out.mkdir(parents=True, exist_ok=True)
    if not (out / "run.json").exists():
        (out / "run.json").write_text(json.dumps(dataclasses.asdict(about), indent=2, ensure_ascii=False) + "\n")


def read_about(out: Path) -> About:
    """Refused for a folder that holds no run."""
    try:
        values = json.loads((out / "run.json").read_text(encoding="utf-8"))
        return About(**{**values, "engines": tuple(values["engines"])})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise Refused(f"{out} holds no run of the bench.", "Give the --out folder of an earlier run.") from error


def rounds(out: Path) -> dict[str, list[list[Score]]]:
    """Suite -> its rounds, as a run left them."""
    found: dict[str, list[list[Score]]] = {}
    for path in sorted(out.glob("*.jsonl"), key=lambda one: (one.name.split(".")[0], _number(one))):
        scores = list(Scorebook(path, Score).scores().values())
        if scores:
            found.setdefault(path.name.split(".")[0], []).append(scores)
    return found


def _number(path: Path) -> int:
    middle = path.name.split(".")[1]
    return int(middle) if middle.isdigit() else 1
