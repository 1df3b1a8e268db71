"""One request of GitHub from its arrival to its answer, as durable flows.

intake   may this person ask? which commit is meant? -> a Job, an answer, or nothing
notice   new commits, a closed pull request, a repository that is gone -> the work on it ends
repair   announce -> fetch -> pipeline -> publish -> conclude (repairs.py)
tell     what could not be said at the end of a job (endings.py)
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from bot import answers, commands, pipeline, policy, reconcile, wording
from bot.admission import MAY_COMMAND, admit
from bot.deliveries import Deliveries
from bot.endings import FLOW, Ending, Endings
from bot.engines.contract import StepRunner
from bot.errors import Refused
from bot.github import PUBLISH, App
from bot.jobs import DOOR, JobEngine, decode, encode
from bot.ledger import Ledger
from bot.nouns import Job, Notice, Outcome, Request, Skip
from bot.policy import Policy
from bot.repairs import Done, MakeMeans, Repairs, without_work
from bot.repository import Repository
from bot.settings import Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Admitted:
    """Result of the intake: a job, or the reason why there is none."""

    job: Job | None = None
    reason: str = ""


@dataclass(frozen=True)
class Answered:
    """What a command that starts no repair comes to: the answer, and the jobs that it ends."""

    text: str = ""
    """Empty where nothing is said."""
    ended: tuple[Job, ...] = ()


class Service:
    """The bot behind its doors. `submit` takes what happened; flows do the rest, now or after a restart."""

    def __init__(self, settings: Settings, app: App, means: MakeMeans) -> None:
        self._settings = settings
        self._app = app
        self._ledger = Ledger(settings.home / "ledger.sqlite")
        self.deliveries = Deliveries(settings.home / "deliveries.sqlite")
        self._at_work: set[str] = set()
        self._endings = Endings(app, at_work=lambda job: job.id in self._at_work, is_last_word=self._is_last)
        self._repairs = Repairs(
            settings, app, means, ledger=self._ledger, endings=self._endings, cancelled=self._cancelled,
            start=self._start,
        )  # fmt: skip
        flows = {"intake": self._intake, "notice": self._notice, "repair": self._work, FLOW: self._endings.flow}
        self.engine = self._endings.engine = JobEngine(settings.database(), flows, failed=self._failed)

    def submit(self, event: Request | Notice) -> bool:
        """Store what happened. False when this delivery is known already."""
        flow, kind = ("intake", Request) if isinstance(event, Request) else ("notice", Notice)
        # One red check of several waits a little: the suite's own report, which does not wait, may come first.
        waits = isinstance(event, Request) and not event.settled
        return self.engine.submit(
            flow,
            f"{flow}:{event.delivery}",
            encode(kind, event),
            partition=str(event.repo_id),
            queue=DOOR,
            delay_s=self._settings.settle_s if waits else 0.0,
        )

    def reconcile(self) -> int:
        """Ask GitHub for what it could not deliver, and look for red pull requests; returns how many those are."""
        return reconcile.once(self._app) + reconcile.sweep(self._app, self._ledger, self.submit)

    def _intake(self, payload: dict[str, Any], step: StepRunner) -> None:
        request = decode(Request, payload)
        if request.verb in commands.ANSWERS:
            self._answer(request, step)
            return
        admitted = step("admit", Admitted, lambda: self._admit(request))
        job = admitted.job
        if job is None:
            log.info("request %s: nothing to do: %s", request.delivery, admitted.reason)
            self.deliveries.decide(request.delivery, "declined", admitted.reason)
            return
        self._start(job)
        self.deliveries.decide(request.delivery, "job", job.id)

    def _start(self, job: Job) -> bool:
        """Enqueue a job. Not inside a step: the engine itself remembers that a flow has started another one."""
        return self.engine.submit("repair", job.id, encode(Job, job), partition=str(job.repo_id))

    def _admit(self, request: Request) -> Admitted:
        with self._app.repository(request.installation, request.repo_id) as repository:
            text = repository.file(policy.PATH)
            rules = _readable(text)
            found = admit(request, repository, self._ledger, rules)
            if isinstance(found, Skip):
                return Admitted(None, found.reason)
            if request.comment_id:
                repository.react(request.comment_id, "eyes")
            refused = self._spent(request, found, rules, repository)
            if refused:
                return Admitted(None, refused)
            return Admitted(dataclasses.replace(found, policy=(text or b"").decode("utf-8", "replace")))

    def _answer(self, request: Request, step: StepRunner) -> None:
        """Carry out a command that starts no repair: first what it does, then what is said of it."""
        answered = step("answer", Answered, lambda: self._answered(request))
        self._end(answered.ended, Outcome.CANCELLED, answered.text, step)
        if answered.text:
            step("reply", bool, lambda: self._reply(request, answered.text))
            self.deliveries.decide(request.delivery, "answered", f"the command {request.verb}")
        else:
            self.deliveries.decide(request.delivery, "declined", answers.may_not_command(request.sender))

    def _answered(self, request: Request) -> Answered:
        with self._app.repository(request.installation, request.repo_id) as repository:
            if repository.permission(request.sender) not in MAY_COMMAND:
                log.info("request %s: %s", request.delivery, answers.may_not_command(request.sender))
                return Answered()
        under_way = self._jobs(request.repo_id, lambda job: _is_meant(job, request))
        text = commands.ANSWERS[request.verb](request, self._ledger, under_way)
        return Answered(text, tuple(under_way) if request.verb == "stop" else ())

    def _reply(self, request: Request, text: str) -> bool:
        with self._app.repository(request.installation, request.repo_id) as repository:
            commands.reply(request, text, repository, app_id=self._app.id)
        return True

    def _spent(self, request: Request, job: Job, rules: Policy, repository: Repository) -> str:
        """Why a pull request is not tried once more; empty when it is. A person who asks starts the count anew."""
        if not job.on_pull:
            return ""
        if request.trigger != "check-run":
            self._ledger.forgive(job.repo_id, job.number)
            return ""
        asked = dataclasses.replace(request, number=job.number)  # the event may not have named it
        paid, most = self._ledger.paid(job.repo_id, job.number), self._settings.pull_budget_usd
        if paid >= most:
            commands.reply(asked, answers.money_spent(paid, most), repository, app_id=self._app.id)
            return f"the repairs of pull request {job.number} have cost ${paid:.2f}"
        number, limit = self._ledger.count(job.id, job.repo_id, job.number), rules.triggers.attempts
        if number == limit + 1:  # told once: later ones are silent
            commands.reply(asked, answers.attempts_spent(limit), repository, app_id=self._app.id)
        return f"pull request {job.number} was tried {limit} times" if number > limit else ""

    def _notice(self, payload: dict[str, Any], step: StepRunner) -> None:
        notice = decode(Notice, payload)
        # What runs goes on when new commits come: its fix may hold for them too, and is proven again before it is
        # published. What waits would only be about an old commit.
        running = not notice.keep
        ended = step("ended", tuple[Job, ...], lambda: tuple(self._touched(notice, running=running)))
        self._end(ended, Outcome.SUPERSEDED, notice.reason, step)
        if notice.ours:
            step("branch", bool, lambda: self._delete_branch(notice))
        self.deliveries.decide(notice.delivery, "noted", notice.reason)

    def _touched(self, notice: Notice, *, running: bool) -> list[Job]:
        def touched(job: Job) -> bool:
            return (
                job.installation == notice.installation
                and (not notice.number or job.number == notice.number)
                and job.sha != notice.keep
            )

        return self._jobs(notice.repo_id, touched, running=running)

    def _delete_branch(self, notice: Notice) -> bool:
        with self._app.repository(notice.installation, notice.repo_id, PUBLISH) as repository:
            repository.delete_branch(notice.ours)
        return True

    def _jobs(self, repo_id: int, wanted: Callable[[Job], bool], *, running: bool = True) -> list[Job]:
        """Jobs of a repository (0: of all) that have not ended, or not begun."""
        prefix = f"repair:{repo_id}:" if repo_id else "repair:"
        found = [decode(Job, payload) for payload in self.engine.active("repair", prefix, running=running)]
        return [job for job in found if wanted(job)]

    def _is_last(self, job: Job) -> bool:
        """Whether no other job is under way for the same pull request or issue."""
        return not self._jobs(job.repo_id, lambda other: other.number == job.number != 0 and other.id != job.id)

    def _end(self, jobs: Iterable[Job], outcome: Outcome, message: str, step: StepRunner) -> None:
        """End jobs from outside, and say so where their work was announced, sooner or later."""
        for job in jobs:
            evidence = without_work(job, outcome, message)
            self._endings.owe(Ending(job, evidence, defer=True))
            self.engine.cancel(job.id)
            self._repairs.settle(job, Done(evidence), step)

    def _work(self, payload: dict[str, Any], step: StepRunner) -> None:
        """The flow `repair`, known to be at work meanwhile: a cancelled one runs until its present step is over."""
        job = decode(Job, payload)
        self._at_work.add(job.id)
        try:
            self._repairs.flow(job, step)
        finally:
            self._at_work.discard(job.id)

    def _cancelled(self, job: Job) -> bool:
        return self.engine.state(job.id) == "CANCELLED"

    def _failed(self, flow: str, payload: dict[str, Any], error: Exception) -> None:
        """A repair that broke on our side must not look as if it were still running."""
        if flow != "repair":
            return
        job = decode(Job, payload)
        evidence = without_work(job, Outcome.CANNOT_SET_UP, wording.broke(job.id, error))
        self._endings.owe(Ending(job, evidence, announce=True, defer=True))
        self._repairs.settle(job, Done(evidence), pipeline.run_directly)


def _is_meant(job: Job, request: Request) -> bool:
    """Whether a command is about this job: by its pull request, or by the commit of the check with the button."""
    return job.number == request.number if request.number else job.sha == request.sha


def _readable(text: bytes | None) -> Policy:
    """The policy for the admission. One that cannot be read is told of by the job itself, in its check run."""
    try:
        return policy.read(text)
    except Refused:
        return Policy()
