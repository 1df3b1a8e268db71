"""Sends the suite of cheats through the gate, and counts what each layer caught and what only it caught."""

from __future__ import annotations

import dataclasses
import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from bench.cheats import Case, Host
from bench.pool import threads
from bench.proof import recipe
from bench.score import committed
from bench.scorebook import Scorebook
from bot.gate import judge
from bot.gate.baseline import Baseline
from bot.nouns import Verdict
from bot.work import Means, Prepared, Task, Work

LAYERS = tuple(layer.LAYER for layer in judge.LAYERS)


@dataclass(frozen=True)
class Run:
    """What the gate said of one case."""

    task: str
    """The case."""
    digest: str
    """Of all that the verdict depends on but the program itself."""
    kind: str
    honest: bool
    verdict: str
    allowed: tuple[str, ...]
    caught: tuple[str, ...]
    """Layers with a hard reason."""
    suspected: tuple[str, ...]
    """Layers with a reason that asks for a person."""
    unapplied: tuple[str, ...]
    reasons: tuple[str, ...]
    seconds: float = 0.0

    @property
    def right(self) -> bool:
        return self.verdict in self.allowed


class Course:
    """A host, made ready once: its commit, its image and what its suite does without a patch."""

    def __init__(self, host: Host, means: Means) -> None:
        with tempfile.TemporaryDirectory() as folder:
            commit = committed(Path(folder), host.repository)
            self._work = Work(Task(f"cheats:{host.name}", host.name, commit), means)
        self._prepared = Prepared(means.sandbox.prepare(recipe(host)).id)
        self._baseline = self._reproduced(host)

    def _reproduced(self, host: Host) -> Baseline:
        found = self._work.reproduce(self._prepared)
        if found.baseline is None or found.baseline.target_ids != set(host.failing):
            raise RuntimeError(f"{host.name} is not red as host.toml says: {found.state}, {found.detail}")
        return found.baseline

    def judged(self, case: Case) -> tuple[Verdict, float]:
        """The gate's verdict, and how long it took."""
        done = self._work.judge(case.patch, self._prepared, self._baseline)
        return done.verdict, done.seconds


def run(cases: Sequence[Case], means: Means, book: Scorebook[Run], *, parallel: int = 1) -> Iterator[Run]:
    """Each case's result, as they come. What the book knows of these very cases and means is not judged again.

    With `means.gate.all_layers` every layer is asked about every case; without, the first hard reason ends it.
    """
    known = book.scores()
    waiting = [
        case for case in cases if known.get(case.name) is None or known[case.name].digest != digest(case, means)
    ]
    yield from (known[case.name] for case in cases if case not in waiting)
    with threads(parallel) as pool:
        hosts = {case.host.name: case.host for case in waiting}
        courses = {name: pool.submit(Course, host, means) for name, host in hosts.items()}
        jobs = [pool.submit(lambda one: _run(one, courses[one.host.name].result(), means), case) for case in waiting]
        for done in as_completed(jobs):
            book.add(done.result())
            yield done.result()


def _run(case: Case, course: Course, means: Means) -> Run:
    verdict, seconds = course.judged(case)
    hard = {reason.layer for reason in verdict.reasons if reason.hard}
    soft = {reason.layer for reason in verdict.reasons if not reason.hard}
    return Run(
        task=case.name,
        digest=digest(case, means),
        kind=case.kind,
        honest=case.honest,
        verdict=verdict.verdict,
        allowed=case.allowed,
        caught=tuple(name for name in LAYERS if name in hard),
        suspected=tuple(name for name in LAYERS if name in soft),
        unapplied=tuple(record.layer for record in verdict.layers if record.unapplied),
        reasons=tuple(f"{one.layer} {one.code}: {one.detail}" for one in verdict.reasons),
        seconds=round(seconds, 3),
    )


def digest(case: Case, means: Means) -> str:
    """Names a case together with the gate's options and the limits of its boxes."""
    total = hashlib.sha256(f"{case.allowed} {means.limits} {means.gate} {LAYERS}".encode())
    for tree in (case.host.repository, case.patch.files):
        for path in sorted(tree):
            data = tree[path]
            total.update(f"{path}\0{-1 if data is None else len(data)}\0".encode() + (data or b""))
    total.update(repr(sorted(case.patch.modes.items())).encode())
    return total.hexdigest()[:16]


@dataclass(frozen=True)
class Catch:
    """What one layer did: cheats that it caught, those that no other layer caught, honest fixes that it held up."""

    caught: int
    alone: int
    refused: int
    asked: int
    """Honest fixes of which it asked a person."""


def catches(runs: Iterable[Run]) -> dict[str, Catch]:
    """Layer -> its figures. They say what a layer is worth only where every layer was asked."""
    known = tuple(runs)
    cheats = [one for one in known if not one.honest]
    honest = [one for one in known if one.honest]
    return {
        layer: Catch(
            sum(layer in one.caught for one in cheats),
            sum(one.caught == (layer,) for one in cheats),
            sum(layer in one.caught for one in honest),
            sum(layer in one.suspected for one in honest),
        )
        for layer in LAYERS
    }


def table(title: str, runs: Iterable[Run]) -> Table:
    """One row for each layer, and one for the gate as a whole."""
    known = tuple(runs)
    shown = Table(title=title, title_justify="left")
    shown.add_column("layer")
    for name in ("cheats caught", "only by it", "honest refused", "honest asked about"):
        shown.add_column(name, justify="right")
    for layer, catch in catches(known).items():
        shown.add_row(layer, *(str(figure) for figure in dataclasses.astuple(catch)))
    shown.add_section()
    cheats = [one for one in known if not one.honest]
    honest = [one for one in known if one.honest]
    figures = (_share(cheats, "rejected"), "", _share(honest, "rejected"), _share(honest, "needs-review"))
    shown.add_row("gate", *figures, style="bold")
    return shown


def _share(runs: Sequence[Run], verdict: str) -> str:
    count = sum(one.verdict == verdict for one in runs)
    return f"{count} of {len(runs)}"
