"""One repair from start to end: start reading here.

    prepare     a dependency image for this commit (the only step with a network)
    reproduce   the suite, twice, in fresh boxes: red, green, flaky, or it cannot be run
    repair      engines in order of cost propose patches
    verify      the gate judges each one in boxes that ran nothing else; the first accepted patch wins

What happens to an accepted patch (a diff in a terminal, a pull request) is the caller's business. Each step goes
through `step`, so that a durable caller can remember its result and never do it twice.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from bot import converse, reproduction, symptoms, wording
from bot.engines.contract import Dialogue, Engine, Proposals, Reproducer, StepRunner, TestWritten
from bot.errors import OutOfBudget
from bot.gate.baseline import Baseline
from bot.gate.layers import structure
from bot.nouns import Candidate, Evidence, Outcome, Patch, Reason, Verdict
from bot.record import Record
from bot.work import Judged, Means, Prepared, Proposed, Reproduced, Shared, Task, Work
from bot.workspace import Commit, unified_diff

T = TypeVar("T")


def run_directly(name: str, kind: type[T], act: Callable[[], T]) -> T:  # noqa: ARG001
    """The plain StepRunner: nothing is remembered."""
    return act()


@dataclass(frozen=True)
class Repair:
    """How a repair ended: its evidence, and the patch where there is a verified one."""

    outcome: Outcome
    evidence: Evidence
    patch: Patch | None = None
    tests: Patch | None = None
    """New tests that show the fault, where no test did: a commit before that of the patch."""
    log: str = ""
    """Log of the step that failed, for an operator or a user at a terminal."""


_ABSTAINED = {
    "green": Outcome.ALREADY_GREEN,
    "flaky": Outcome.FLAKY,
    "broken": Outcome.CANNOT_SET_UP,
    "network": Outcome.ENVIRONMENT_DIFFERS,
}


def repair(task: Task, means: Means, step: StepRunner = run_directly) -> Repair:
    """Repair one commit. Raises SandboxError when boxes keep breaking, Refused when a person must act first."""
    work = Work(task, means)
    record = Record(work)
    try:
        ended = _set_up(record, work, step)
        if ended is not None and ended.outcome is Outcome.ALREADY_GREEN and task.told:
            return _by_issue(record, work, step)
        return ended or _of_the_base(record, work, step) or _search(record, work, step)
    except OutOfBudget as error:
        return Repair(Outcome.OVER_BUDGET, record.evidence(Outcome.OVER_BUDGET, str(error)))


def _set_up(record: Record, work: Work, step: StepRunner) -> Repair | None:
    """Prepare and reproduce. None when the suite is red, so that there is something to repair."""
    record.prepared = step("prepare", Prepared, work.prepare)
    if not record.prepared.image:
        evidence = record.evidence(Outcome.CANNOT_SET_UP, record.prepared.refusal)
        return Repair(Outcome.CANNOT_SET_UP, evidence, log=record.prepared.log)
    record.reproduced = step("reproduce", Reproduced, partial(work.reproduce, record.prepared))
    if record.reproduced.state == "red":
        return None
    outcome = _ABSTAINED[record.reproduced.state]
    return Repair(outcome, record.evidence(outcome, record.reproduced.detail))


def _of_the_base(record: Record, work: Work, step: StepRunner) -> Repair | None:
    """A failure that the base has too is repaired there. None when any of it comes with this commit."""
    if work.task.base is None:
        return None
    baseline = record.reproduced.baseline
    assert baseline is not None
    record.shared = step("base", Shared, partial(work.shared, baseline))
    if set(record.shared.tests) != baseline.target_ids:
        return None
    return Repair(Outcome.BASE_BROKEN, record.evidence(Outcome.BASE_BROKEN))


def _by_issue(record: Record, work: Work, step: StepRunner) -> Repair:
    """Every test passes, and somebody tells of a fault: a test that shows it comes first, then its repair."""
    writer = next((engine for engine in work.means.engines.values() if isinstance(engine, Reproducer)), None)
    if writer is None:
        return Repair(Outcome.ALREADY_GREEN, record.evidence(Outcome.ALREADY_GREEN, wording.no_test_shows()))
    written = _written(writer, record, work, step)
    record.proposed("reproduction", Proposed(Proposals((), written.stats), written.stats.seconds))
    if written.tests is None:
        return Repair(Outcome.GAVE_UP, record.evidence(Outcome.GAVE_UP, wording.not_reproduced(written.why)))
    task = work.task
    sha = task.commit.commit_with(written.tests, "A test that shows the fault", date=reproduction.COMMIT_DATE)
    inner = Work(dataclasses.replace(task, commit=Commit(task.commit.git_dir, sha), base=None), work.means)
    after = Record(inner, stats=record.stats)

    def later(name: str, kind: type[T], act: Callable[[], T]) -> T:
        return step(f"issue:{name}", kind, act)

    repair = _set_up(after, inner, later) or _search(after, inner, later)
    diff = unified_diff(work.tree, written.tests)
    evidence = dataclasses.replace(
        repair.evidence, base_sha=task.commit.sha, head_sha=task.commit.sha, reproduction=diff,
        notes=(*repair.evidence.notes, wording.test_by_model(written.shows)),
    )  # fmt: skip
    return dataclasses.replace(repair, evidence=evidence, tests=written.tests)


def _written(writer: Reproducer, record: Record, work: Work, step: StepRunner) -> TestWritten:
    """Let a test be written; each one is judged in boxes of ours, as a step."""
    baseline, prepared = record.reproduced.baseline, record.prepared
    assert baseline is not None
    count = itertools.count(1)

    def judge(candidate: Candidate) -> Verdict:
        act = partial(work.judge_test, candidate.patch, prepared, baseline)
        return step(f"reproduction:{next(count)}", Judged, act).verdict

    why_not = partial(reproduction.why_not, work.tree)
    with converse.table(work, prepared, baseline, step=step, judge=judge, why_not=why_not) as table:
        return writer.reproduce(work.task.told, table)


def _search(record: Record, work: Work, step: StepRunner) -> Repair:
    """Ask the engines one after the other; the gate has the last word on each candidate."""
    baseline = record.reproduced.baseline
    assert baseline is not None
    missing = work.undeclared(baseline)
    if missing:
        return Repair(Outcome.CANNOT_SET_UP, record.evidence(Outcome.CANNOT_SET_UP, wording.undeclared(missing)))
    doubts: list[str] = []
    limits: list[str] = []
    for name, engine in work.means.engines.items():
        court = _Court(name, record, work, baseline, step)
        proposed = _proposed(name, engine, court)
        record.proposed(name, proposed)
        for candidate in proposed.proposals.candidates:
            verdict = court.judge(candidate)
            if verdict.verdict == "accepted":
                evidence = record.evidence(Outcome.FIXED, patch=candidate.patch, verdict=verdict, candidate=candidate)
                return Repair(Outcome.FIXED, evidence, candidate.patch)
        doubts += filter(None, [proposed.proposals.test_looks_wrong])
        limits += filter(None, [proposed.proposals.over_budget])
    if doubts:
        return Repair(Outcome.TEST_LOOKS_WRONG, record.evidence(Outcome.TEST_LOOKS_WRONG, wording.doubt(doubts[0])))
    outcome = Outcome.OVER_BUDGET if limits else Outcome.GAVE_UP
    message = wording.gave_up(
        record.stats,
        record.rejected,
        limit=limits[0] if limits else "",
        why_red=symptoms.sentences(baseline.targets, work.tree, baseline.installed),
        hopeless=symptoms.unreadable(baseline.targets),
        for_a_person=_for_a_person(record),
    )
    return Repair(outcome, record.evidence(outcome, message))


def _for_a_person(record: Record) -> str:
    """Diff of the first candidate that the gate does not reject, yet does not accept by itself either."""
    doubtful = (candidate for candidate, verdict in record.rejected if verdict.verdict == "needs-review")
    found = next(doubtful, None)
    return unified_diff(record.work.tree, found.patch) if found else ""


def _proposed(name: str, engine: Engine | Dialogue, court: _Court) -> Proposed:
    """Let an engine propose: in one step, or in a dialogue whose acts are steps themselves."""
    work, record = court.work, court.record
    if not isinstance(engine, Dialogue):
        return court.step(f"repair:{name}", Proposed, partial(work.propose, engine, record.prepared, court.baseline))
    spent = sum(stats.cost_usd for stats in record.stats.values())
    with converse.table(
        work, record.prepared, court.baseline, step=court.step, judge=court.judge, spent_usd=spent
    ) as table:
        failure, _ = work.shown(court.baseline)
        proposals = engine.converse(failure, table)
    return Proposed(proposals, proposals.stats.seconds)


@dataclass
class _Court:
    """Brings the candidates of one engine before the gate, each patch once."""

    engine: str
    record: Record
    work: Work
    baseline: Baseline
    step: StepRunner
    verdicts: dict[str, Verdict] = field(default_factory=dict)

    def judge(self, candidate: Candidate) -> Verdict:
        known = self.verdicts.get(candidate.patch.sha256)
        if known is not None:
            return known
        hidden = self.work.held_out(self.baseline)
        act = partial(self.work.judge, candidate.patch, self.record.prepared, self.baseline, held_out=hidden)
        judged = self.step(f"verify:{self.engine}:{len(self.verdicts)}", Judged, act)
        self.record.judged(candidate, judged)
        self.verdicts[candidate.patch.sha256] = judged.verdict
        return judged.verdict


def confirm(task: Task, patch: Patch, first: Evidence, means: Means, step: StepRunner) -> Repair:
    """Prove a verified patch once more, on what the branch points at by now. `first`: its evidence so far."""
    _, repair = verify(task, patch, means, lambda name, kind, act: step(f"again:{name}", kind, act))
    again = repair.evidence
    moved = (
        f"the branch moved from {first.head_sha[:12]} to {again.head_sha[:12]} meanwhile: all was proven again there"
    )
    seconds = {name: again.durations_s.get(name, 0.0) + spent for name, spent in first.durations_s.items()}
    evidence = dataclasses.replace(
        again, engine=first.engine, operator=first.operator, root_cause=first.root_cause, attempts=first.attempts,
        candidates_tried=first.candidates_tried, tokens=first.tokens, cost_usd=first.cost_usd, durations_s=seconds,
        notes=(*again.notes, moved),
    )  # fmt: skip
    return dataclasses.replace(repair, evidence=evidence)


def reproduce(task: Task, means: Means, step: StepRunner = run_directly) -> tuple[Reproduced, Repair | None]:
    """The first half alone: what is red on this commit. The Repair says why there is nothing to repair."""
    record = Record(Work(task, means))
    try:
        ended = _set_up(record, record.work, step)
    except OutOfBudget as error:
        ended = Repair(Outcome.OVER_BUDGET, record.evidence(Outcome.OVER_BUDGET, str(error)))
    return record.reproduced, ended


def verify(task: Task, patch: Patch, means: Means, step: StepRunner = run_directly) -> tuple[Verdict | None, Repair]:
    """The gate alone. The verdict is None where nothing can be judged; the Repair then says why."""
    work = Work(task, means)
    record = Record(work)
    try:
        shape = structure.shape(patch, work.tree, options=means.gate)
        if any(reason.hard for reason in shape):
            return _judgement(record, patch, Verdict("rejected", tuple(shape)))
        ended = _set_up(record, work, step)
        if ended is not None and ended.outcome is Outcome.ALREADY_GREEN:
            detail = "the suite is green without the patch: there is nothing to prove"
            return _judgement(record, patch, Verdict("rejected", (Reason("tests", "not-red-before", detail),)))
        if ended is not None:
            return None, ended
        baseline = record.reproduced.baseline
        assert baseline is not None
        judged = step("verify", Judged, partial(work.judge, patch, record.prepared, baseline))
        record.verify_s = judged.seconds
        return _judgement(record, patch, judged.verdict)
    except OutOfBudget as error:
        return None, Repair(Outcome.OVER_BUDGET, record.evidence(Outcome.OVER_BUDGET, str(error)))


def _judgement(record: Record, patch: Patch, verdict: Verdict) -> tuple[Verdict, Repair]:
    outcome = Outcome.FIXED if verdict.verdict == "accepted" else Outcome.REFUSED
    message = wording.verdict(verdict)
    return verdict, Repair(outcome, record.evidence(outcome, message, patch=patch, verdict=verdict), patch)
