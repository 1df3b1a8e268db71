"""The flow of one repair on GitHub: announce, fetch, pipeline, publish on the head as it is by then, conclude."""

from __future__ import annotations

import dataclasses
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot import pipeline, policy, record, wording
from bot.desk import Announced, Desk
from bot.endings import Ending, Endings, Said
from bot.engines.contract import StepRunner
from bot.errors import Refused
from bot.github import READ, App
from bot.jobs import decode, encode, patiently
from bot.ledger import Ledger
from bot.nouns import Evidence, Job, Outcome, Patch, Publication
from bot.pipeline import Repair
from bot.policy import Policy
from bot.publish import Fix
from bot.settings import Settings
from bot.work import Means, Task
from bot.workspace import Commit, carried, fetch

log = logging.getLogger(__name__)

MakeMeans = Callable[[Callable[[str, str], None], Callable[[], bool]], Means]
"""Makes what a repair may use, given where its progress goes and what says that it was cancelled."""


@dataclass(frozen=True)
class Done:
    """How a job came out, and where its patch went."""

    evidence: Evidence
    published: Publication | None = None


@dataclass(frozen=True)
class _Course:
    """One job on its way."""

    job: Job
    means: Means
    rules: Policy
    step: StepRunner

    def at(self, sha: str) -> _Course:
        """The same for another commit."""
        return dataclasses.replace(self, job=dataclasses.replace(self.job, sha=sha))

    def task(self, commit: Commit, base: Commit | None = None) -> Task:
        job = self.job
        return Task(job.id, job.repo, commit, (job.target,) if job.target else (), job.told, base)


@dataclass(frozen=True)
class _Pointer:
    """A job whose failure is repaired on its base branch."""

    job: Job
    evidence: Evidence

    def settled(self, base: Done) -> tuple[Job, Evidence]:
        """What to say when that is over."""
        message = wording.base_settled(self.job.against, base.evidence, base.published)
        return self.job, dataclasses.replace(self.evidence, message=message)


def _base(job: Job) -> Job:
    """The repair of the branch that a pull request goes into: the same job that a red check there asks for."""
    return Job(
        id=f"repair:{job.repo_id}:{job.against_sha}", trigger="check-run", installation=job.installation,
        repo_id=job.repo_id, repo=job.repo, sha=job.against_sha, base=job.against, policy=job.policy,
    )  # fmt: skip


class Repairs:
    """Repairs commits of jobs, and publishes what is proven."""

    def __init__(
        self, settings: Settings, app: App, means: MakeMeans, *, ledger: Ledger, endings: Endings,
        cancelled: Callable[[Job], bool], start: Callable[[Job], object],
    ) -> None:  # fmt: skip
        """`start` enqueues a job, unless it is known."""
        self._settings = settings
        self._app = app
        self._means = means
        self._ledger = ledger
        self._endings = endings
        self._cancelled = cancelled
        self._start = start

    def flow(self, job: Job, step: StepRunner) -> None:
        """All of it. Each act is a step, so that a killed process goes on where it was."""
        desk = Desk(job, self._app)
        announced = step("announce", Announced, desk.announce)
        done = self._known(job) or self._done(job, desk, announced, step)
        record.keep(done.evidence, self._settings.home)
        if job.number:
            self._ledger.pay(job.id, job.repo_id, job.number, done.evidence.cost_usd)
            self._ledger.conclude(job.repo_id, job.number, wording.result(done.evidence, done.published))
        ending = Ending(job, done.evidence, done.published)
        self._endings.follow(ending, step("conclude", Said, lambda: self._endings.say(ending)))
        self.settle(job, done, step)

    def settle(self, job: Job, done: Done, step: StepRunner) -> None:
        """Tell those who wait for the end of a job how it came out. Called outside of steps."""
        self._ledger.ended(job.id, json.dumps(encode(Done, done)))
        for waiting in step("waiting", tuple[str, ...], lambda: tuple(self._ledger.waiting(job.id))):
            other, evidence = decode(_Pointer, json.loads(waiting)).settled(done)
            self._endings.owe(Ending(other, evidence))

    def _known(self, job: Job) -> Done | None:
        """What an earlier job published for this very commit, because its own had been left behind.

        Not a step: jobs of one repository run one after the other, so that the answer stays what it was.
        """
        found = None if job.target or job.comment_id else self._ledger.fix_of(job.repo_id, job.sha)
        return decode(Done, json.loads(found)) if found else None

    def _done(self, job: Job, desk: Desk, announced: Announced, step: StepRunner) -> Done:
        """Fetch, repair, publish; what a person must mend becomes an outcome, told where the work was announced."""
        cancelled = partial(self._cancelled, job)
        try:
            rules = policy.read(job.policy.encode() if job.policy else None)
            if job.obstacle:
                raise Refused(job.obstacle, "Let the App bypass that rule, or ask for suggestions (publish.mode).")
            means = self._means(desk.progress(announced), cancelled)
            course = _Course(job, dataclasses.replace(means, gate=rules.gate.options()), rules, step)
            task = course.task(self._fetched(job), self._fetched(_base(job)) if job.against else None)
            repair = pipeline.repair(task, course.means, step)
        except Refused as error:
            return Done(without_work(job, Outcome.REFUSED, str(error)))
        if repair.outcome is Outcome.BASE_BROKEN:
            return self._pointed(job, repair.evidence)
        if repair.patch is None or repair.outcome is not Outcome.FIXED:
            return Done(repair.evidence)
        return self._published(course, repair)

    def _pointed(self, job: Job, evidence: Evidence) -> Done:
        """Let the base branch be repaired, once, whoever points there; say so now, and again when that is over."""
        base = _base(job)
        pointer = _Pointer(job, evidence)
        self._ledger.point(base.id, json.dumps(encode(_Pointer, pointer)))
        self._start(base)
        end = self._ledger.end_of(base.id)
        if end is not None:
            return Done(pointer.settled(decode(Done, json.loads(end)))[1])
        return Done(dataclasses.replace(evidence, message=wording.base_broken(job.against, job.against_sha)))

    def _published(self, course: _Course, repair: Repair) -> Done:
        """Publish on the head as it is now. Where that has moved, prove the patch there, and try once more."""
        published = self._publish(course, repair, "publish")
        if published.state != "moved":
            return _done(repair.evidence, published)
        there = course.at(published.head)
        again = self._confirmed(course.job, repair, there)
        if again.outcome is not Outcome.FIXED:
            return Done(again.evidence)
        done = _done(again.evidence, self._publish(there, again, "publish:again"))
        if done.published is not None and not course.job.target:
            self._ledger.fixed(course.job.repo_id, there.job.sha, json.dumps(encode(Done, done)))
        return done

    def _publish(self, course: _Course, repair: Repair, name: str) -> Publication:
        job, patch = course.job, repair.patch
        assert patch is not None
        commit = self._commit(job)
        old = {path: commit.file(path) for path in patch.files}
        fix = Fix(job, repair.evidence, patch, old, course.rules.publish, repair.tests, partial(self._cancelled, job))
        record.keep(repair.evidence, self._settings.home)
        return course.step(name, Publication, lambda: Desk(job, self._app).publish(fix))

    def _confirmed(self, job: Job, repair: Repair, there: _Course) -> Repair:
        """The same patch on the commit that the branch points at now; superseded where it does not hold there."""
        assert repair.patch is not None
        try:
            commit = self._fetched(there.job)
            if repair.tests is not None:
                raise Refused("The fix of an issue is not carried over.", "Set the label again.")
            patch: Patch = carried(repair.patch, repair.evidence.patch, old=self._commit(job), new=commit)
            again = pipeline.confirm(there.task(commit), patch, repair.evidence, there.means, there.step)
        except Refused as error:
            return _left_behind(repair.evidence, there.job.sha, error.cause)
        if again.outcome is Outcome.FIXED:
            return dataclasses.replace(again, patch=patch)
        return _left_behind(repair.evidence, there.job.sha, again.evidence.message)

    def _commit(self, job: Job) -> Commit:
        return Commit(self._settings.home / "repositories" / f"{job.repo_id}.git", job.sha)

    def _fetched(self, job: Job) -> Commit:
        """Not a step: the repository on disk is its own memory; without it, it is fetched again."""
        commit = self._commit(job)
        patiently(lambda: self._fetch(job, commit))
        return commit

    def _fetch(self, job: Job, commit: Commit) -> None:
        with self._app.token_for(job.installation, job.repo_id, READ) as token:
            fetch(f"{self._settings.git_url}/{job.repo}.git", job.sha, into=commit.git_dir, token=token)


def _done(evidence: Evidence, published: Publication) -> Done:
    """What was published, or that there is nothing any more that it could be published for."""
    if published.state in ("moved", "gone"):
        return Done(_superseded(evidence, wording.sentence(Outcome.SUPERSEDED)))
    if published.state == "cancelled":
        return Done(dataclasses.replace(evidence, outcome=str(Outcome.CANCELLED)))
    return Done(evidence, published)


def _left_behind(evidence: Evidence, sha: str, why: str) -> Repair:
    return Repair(Outcome.SUPERSEDED, _superseded(evidence, wording.left_behind(sha, why)))


def _superseded(evidence: Evidence, message: str) -> Evidence:
    return dataclasses.replace(evidence, outcome=str(Outcome.SUPERSEDED), message=message)


def without_work(job: Job, outcome: Outcome, message: str) -> Evidence:
    """The record of a job that never got as far as its files."""
    return Evidence(
        job=job.id, outcome=str(outcome), repo=job.repo, base_sha=job.sha, head_sha=job.sha, message=message
    )
