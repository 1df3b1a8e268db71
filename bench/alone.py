"""Scores the engines alone: no gate, no second opinion. Minutes in place of an hour, for work on the engines."""

from __future__ import annotations

import dataclasses
import tempfile
import time
from pathlib import Path

from bench.score import Score, allowed, changed_lines, committed, digest, holds
from bench.tasks import BenchTask
from bot.engines.contract import Dialogue, Proposals
from bot.gate.baseline import Baseline
from bot.nouns import Outcome
from bot.work import Means, Prepared, Task, Work
from bot.workspace import unified_diff


def score_alone(task: BenchTask, means: Means) -> Score:
    """The first candidate of the first engine that has one, judged by the hidden tests. Raises SandboxError."""
    started = time.monotonic()
    means = allowed(task, means)
    with tempfile.TemporaryDirectory() as folder:
        work = Work(Task(f"bench:{task.name}", task.name, committed(Path(folder), task.faulty())), means)
    prepared = work.prepare()
    baseline = work.reproduce(prepared).baseline
    found, seconds = _asked(work, prepared, baseline) if baseline is not None else (None, 0.0)
    expected = tuple(task.outcome)
    score = Score(task.name, digest_alone(task, means), task.kind, Outcome.GAVE_UP, False, expected=expected)
    if found is not None:
        score = dataclasses.replace(score, tried=found.stats.tried, said=found.stats.doubt or found.stats.best)
    if found is not None and found.candidates:
        first = found.candidates[0]
        diff = unified_diff(work.tree, first.patch)
        score = dataclasses.replace(
            score,
            outcome=Outcome.FIXED,
            resolved=Outcome.FIXED in expected and holds(task, first.patch, prepared.image, means),
            operator=first.operator,
            diff_lines=changed_lines(diff),
            as_known=dict(first.patch.files) == dict(task.fix),
            patch=diff,
            said=first.root_cause,
        )
    return dataclasses.replace(score, search_s=round(seconds, 3), total_s=round(time.monotonic() - started, 3))


def digest_alone(task: BenchTask, means: Means) -> str:
    """Never the same as of a score with the gate."""
    return f"alone-{digest(task, means)}"


def _asked(work: Work, prepared: Prepared, baseline: Baseline) -> tuple[Proposals | None, float]:
    proposals, seconds = None, 0.0
    for engine in work.means.engines.values():
        if isinstance(engine, Dialogue):  # it lives from the gate's answers
            continue
        answer = work.propose(engine, prepared, baseline)
        proposals, seconds = answer.proposals, seconds + answer.seconds
        if proposals.candidates:
            break
    return proposals, seconds
