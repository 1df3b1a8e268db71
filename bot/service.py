"""One request of GitHub from its arrival to its answer, as durable flows.

intake   may this person ask? which commit is meant? -> a Job, or nothing
repair   announce -> fetch -> pipeline -> still the same head? -> publish -> conclude
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from bot import pipeline, publish, wording
from bot.errors import Refused, TryLater
from bot.github import READ, App, Pull, Repository
from bot.jobs import JobEngine, decode, encode, patiently
from bot.nouns import Evidence, Job, Outcome, Request, Skip
from bot.pipeline import Repair, StepRunner
from bot.record import to_json
from bot.settings import Settings
from bot.work import Means, Task
from bot.workspace import Commit, fetch

log = logging.getLogger(__name__)

_MAY_COMMAND = {"admin", "write"}


@dataclass(frozen=True)
class Announced:
    """What was put on GitHub when the work began."""

    check_id: int


@dataclass(frozen=True)
class Admitted:
    """Result of the intake: a job, or the reason why there is none."""

    job: Job | None = None
    reason: str = ""


@dataclass(frozen=True)
class Published:
    """Result of the publication."""

    state: Literal["opened", "superseded", "patch-only"]
    pull: Pull | None = None


class Service:
    """The bot behind its doors. `submit` takes a request; flows do the rest, now or after a restart."""

    def __init__(self, settings: Settings, app: App, means: Callable[[Callable[[str, str], None]], Means]) -> None:
        """`means` makes what a repair may use, given where its progress goes."""
        self._settings = settings
        self._app = app
        self._means = means
        flows = {"intake": self._intake, "repair": self._repair}
        self.engine = JobEngine(settings.database(), flows, failed=self._failed)

    def submit(self, request: Request) -> bool:
        """Store a request. False when this delivery is known already."""
        payload = encode(Request, request)
        return self.engine.submit("intake", f"intake:{request.delivery}", payload, partition=str(request.repo_id))

    def _intake(self, payload: dict[str, Any], step: StepRunner) -> None:
        request = decode(Request, payload)
        admitted = step("admit", Admitted, lambda: self._admit(request))
        if admitted.job is None:
            log.info("request %s: nothing to do: %s", request.delivery, admitted.reason)
            return
        job = admitted.job
        # Not inside a step: the engine itself remembers that a flow has started another one.
        self.engine.submit("repair", job.id, encode(Job, job), partition=str(job.repo_id))

    def _admit(self, request: Request) -> Admitted:
        repository = self._app.repository(request.installation, request.repo_id)
        found = admit(request, repository)
        if isinstance(found, Skip):
            return Admitted(None, found.reason)
        if request.comment_id:
            repository.react(request.comment_id, "eyes")
        return Admitted(found)

    def _repair(self, payload: dict[str, Any], step: StepRunner) -> None:
        job = decode(Job, payload)
        desk = _Desk(job, self._app)
        announced = step("announce", Announced, desk.announce)
        commit_dir = self._settings.home / "repositories" / f"{job.repo_id}.git"
        task = Task(job.id, job.repo, Commit(commit_dir, job.sha))
        repair = self._attempt(task, job, announced, desk, step)
        evidence = repair.evidence
        pull: Pull | None = None
        if repair.outcome is Outcome.FIXED:
            published = step("publish", Published, lambda: desk.publish(repair))
            pull = published.pull
            if published.state == "superseded":
                evidence = dataclasses.replace(
                    evidence, outcome=str(Outcome.SUPERSEDED), message=wording.sentence(Outcome.SUPERSEDED)
                )
        self._keep(evidence)
        step("conclude", bool, lambda: desk.conclude(announced, evidence, pull))

    def _attempt(self, task: Task, job: Job, announced: Announced, desk: _Desk, step: StepRunner) -> Repair:
        """Fetch and repair; what a person must mend becomes an outcome, told where the work was announced."""
        try:
            # Not a step: the repository on disk is its own memory; without it, it is fetched again.
            url = f"{self._settings.git_url}/{job.repo}.git"
            patiently(lambda: fetch(url, job.sha, into=task.commit.git_dir, token=self._read_token(job)))
            return pipeline.repair(task, self._means(desk.progress(announced)), step)
        except Refused as error:
            return Repair(Outcome.REFUSED, _without_work(job, Outcome.REFUSED, str(error)))

    def _read_token(self, job: Job) -> str:
        return self._app.token(job.installation, job.repo_id, READ)

    def _failed(self, flow: str, payload: dict[str, Any], error: Exception) -> None:
        """A repair that broke on our side must not look as if it were still running."""
        if flow != "repair":
            return
        job = decode(Job, payload)
        desk = _Desk(job, self._app)
        evidence = _without_work(job, Outcome.CANNOT_SET_UP, wording.broke(job.id, error))
        try:
            desk.conclude(desk.announce(), evidence, None)
        except (Refused, TryLater):
            log.exception("job %s: cannot tell GitHub that it failed", job.id)

    def _keep(self, evidence: Evidence) -> None:
        """Store the evidence record beside the database."""
        folder = self._settings.home / "evidence"
        folder.mkdir(parents=True, exist_ok=True)
        name = "".join(char if char.isalnum() else "-" for char in evidence.job)
        _replace(folder / f"{name}.json", to_json(evidence))


def _without_work(job: Job, outcome: Outcome, message: str) -> Evidence:
    """The record of a job that never got as far as its files."""
    return Evidence(
        job=job.id, outcome=str(outcome), repo=job.repo, base_sha=job.sha, head_sha=job.sha, message=message
    )


def _replace(path: Path, text: str) -> None:
    """A crash leaves the old file or the new one, never half of one."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    fresh.replace(path)


def admit(request: Request, repository: Repository) -> Job | Skip:
    """Decide whether a request becomes a job, and pin it to one commit."""
    if request.trigger != "check-run" and repository.permission(request.sender) not in _MAY_COMMAND:
        return Skip(wording.may_not_command(request.sender))
    if request.trigger == "issue-label":
        return _for_branch(request, repository, repository.default_branch)
    if request.number:
        return _for_pull(request, repository)
    return _for_branch(request, repository, request.branch)


def _for_branch(request: Request, repository: Repository, branch: str) -> Job | Skip:
    head = repository.branch_head(branch)
    if head is None:
        return Skip(f"there is no branch {branch}")
    if request.sha and head != request.sha:
        return Skip(f"{branch} has moved on to {head[:12]}")
    return _job(request, repository, sha=head, base=branch, number=request.number)


def _for_pull(request: Request, repository: Repository) -> Job | Skip:
    head = repository.pull_head(request.number)
    if not head.open:
        return Skip(f"pull request {request.number} is closed")
    if request.sha and head.sha != request.sha:
        return Skip(f"pull request {request.number} has moved on to {head.sha[:12]}")
    from_fork = head.repo_id != repository.id
    if from_fork and request.trigger == "check-run":
        return Skip("the pull request comes from a fork: somebody with write permission has to ask")
    return _job(
        request, repository, sha=head.sha, base=head.branch, number=request.number, on_pull=True, from_fork=from_fork
    )


def _job(
    request: Request,
    repository: Repository,
    *,
    sha: str,
    base: str,
    number: int,
    on_pull: bool = False,
    from_fork: bool = False,
) -> Job:
    """One job for a commit, however many checks turn red on it; a person may ask again."""
    asked = {"check-run": "", "issue-label": f":issue-{number}", "pr-comment": f":comment-{request.comment_id}"}
    return Job(
        id=f"repair:{request.repo_id}:{sha}{asked[request.trigger]}",
        trigger=request.trigger, installation=request.installation, repo_id=request.repo_id, repo=repository.name,
        sha=sha, base=base, number=number, on_pull=on_pull, from_fork=from_fork,
        comment_id=request.comment_id, check_name=request.check_name,
    )  # fmt: skip


class _Desk:
    """Where a job is told about: check run, sticky comment, reactions. A new token for each act."""

    def __init__(self, job: Job, app: App) -> None:
        self.job = job
        self.app = app

    def _repository(self) -> Repository:
        return self.app.repository(self.job.installation, self.job.repo_id)

    def announce(self) -> Announced:
        """Show that the work has begun; for people who asked, in the comment too."""
        repository, job = self._repository(), self.job
        check = repository.check_run(job.sha, name=publish.CHECK_NAME, job=job.id, app_id=self.app.id)
        if job.number and job.trigger != "check-run":
            self._sticky(repository, wording.working(publish.STICKY, job.sha))
        return Announced(check)

    def progress(self, announced: Announced) -> Callable[[str, str], None]:
        """A progress callback that keeps the check run up to date, once for each stage."""
        seen: set[str] = set()

        def tell(stage: str, _detail: str) -> None:
            if stage not in seen:
                seen.add(stage)
                title, summary = wording.stage(stage)
                self._repository().update_check(announced.check_id, title=title, summary=summary)

        return tell

    def publish(self, repair: Repair) -> Published:
        """Open the pull request, unless the head has moved or nothing can be pushed there."""
        repository, job = self._repository(), self.job
        if not publish.is_current(job, repository):
            return Published("superseded")
        if job.from_fork:
            return Published("patch-only")
        assert repair.patch is not None
        return Published("opened", publish.open_pull_request(job, repair.evidence, repair.patch, repository))

    def conclude(self, announced: Announced, evidence: Evidence, pull: Pull | None) -> bool:
        """Complete the check run, bring the comment up to date, and answer the command."""
        repository, job = self._repository(), self.job
        fixed = evidence.outcome == Outcome.FIXED
        repository.update_check(
            announced.check_id,
            title=wording.check_title(evidence, pull.number if pull else None),
            summary=wording.check_summary(evidence, pull.url if pull else ""),
            conclusion="success" if fixed else "neutral",
        )
        if job.number:
            body = wording.comment(
                evidence, marker=publish.STICKY, pull_number=pull.number if pull else None, diff=job.from_fork
            )
            self._sticky(repository, body)
        if job.comment_id:
            repository.react(job.comment_id, "rocket" if fixed else "confused")
        return True

    def _sticky(self, repository: Repository, body: str) -> None:
        repository.sticky_comment(self.job.number, body, marker=publish.STICKY, app_id=self.app.id)
