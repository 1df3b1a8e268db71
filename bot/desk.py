"""Where a job is told about: check run, sticky comment, reactions. A new token for each act, revoked after it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

from bot import publish, wording
from bot.errors import Refused, TryLater
from bot.github import PUBLISH, App, Pull, Repository
from bot.nouns import Evidence, Job, Outcome
from bot.pipeline import Repair

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Announced:
    """What was put on GitHub when the work began."""

    check_id: int


@dataclass(frozen=True)
class Published:
    """Result of the publication."""

    state: Literal["opened", "superseded", "patch-only"]
    pull: Pull | None = None


class Desk:
    """One job's face on GitHub. Every act finds what an earlier life of the job already made."""

    def __init__(self, job: Job, app: App) -> None:
        self.job = job
        self.app = app

    def _repository(self) -> AbstractContextManager[Repository]:
        return self.app.repository(self.job.installation, self.job.repo_id)

    def announce(self) -> Announced:
        """Show that the work has begun; for people who asked, in the comment too."""
        job = self.job
        with self._repository() as repository:
            check = repository.check_run(job.sha, name=publish.CHECK_NAME, job=job.id, app_id=self.app.id)
            if job.number and job.trigger != "check-run":
                self._sticky(repository, wording.working(publish.STICKY, job.sha))
        return Announced(check)

    def progress(self, announced: Announced, cancelled: Callable[[], bool]) -> Callable[[str, str], None]:
        """A progress callback that keeps the check run up to date, once for each stage.

        It never fails: a GitHub that does not answer costs a line on a page, not the work that goes on.
        """
        seen: set[str] = set()

        def tell(stage: str, _detail: str) -> None:
            if stage in seen or cancelled():
                return
            seen.add(stage)
            title, summary = wording.stage(stage)
            try:
                with self._repository() as repository:
                    repository.update_check(
                        announced.check_id, title=title, summary=summary, buttons=wording.buttons(None)
                    )
            except (Refused, TryLater) as error:
                log.warning("job %s: cannot tell of the stage %s: %s", self.job.id, stage, error)

        return tell

    def publish(self, repair: Repair) -> Published:
        """Open the pull request, unless the head has moved or nothing can be pushed there."""
        job = self.job
        with self.app.repository(job.installation, job.repo_id, PUBLISH) as repository:
            if not publish.is_current(job, repository):
                return Published("superseded")
            if job.from_fork:
                return Published("patch-only")
            assert repair.patch is not None
            return Published("opened", publish.open_pull_request(job, repair.evidence, repair.patch, repository))

    def end(
        self,
        evidence: Evidence,
        pull: Pull | None,
        *,
        announce: bool = False,
        comment: bool = True,
        defer: bool = False,
    ) -> None:
        """Complete the check run, bring the comment up to date, and answer the command.

        Only what was announced is concluded, unless `announce`: no new noise. `comment=False` leaves the comment to
        a later job; `defer` leaves all alone where the check run was completed with something else.
        """
        job = self.job
        with self._repository() as repository:
            find = repository.check_run if announce else repository.find_check
            check = find(job.sha, name=publish.CHECK_NAME, job=job.id, app_id=self.app.id)
            title = wording.check_title(evidence, pull.number if pull else None)
            if check is None or (defer and repository.conclusion_of(check) not in (None, title)):
                return
            self._complete(repository, check, evidence, pull)
            if job.number and comment:
                number = pull.number if pull else None
                body = wording.comment(evidence, marker=publish.STICKY, pull_number=number, diff=job.from_fork)
                self._sticky(repository, body)
            if job.comment_id:
                repository.react(job.comment_id, "rocket" if evidence.outcome == Outcome.FIXED else "confused")

    def _complete(self, repository: Repository, check_id: int, evidence: Evidence, pull: Pull | None) -> None:
        repository.update_check(
            check_id,
            title=wording.check_title(evidence, pull.number if pull else None),
            summary=wording.check_summary(evidence, pull.url if pull else ""),
            # Never `failure`: the red check is the one that CI reported, and ours must not block a merge.
            conclusion="success" if evidence.outcome == Outcome.FIXED else "neutral",
            buttons=wording.buttons(Outcome(evidence.outcome)),
        )

    def _sticky(self, repository: Repository, body: str) -> None:
        repository.sticky_comment(self.job.number, body, marker=publish.STICKY, app_id=self.app.id)
