"""Where a job is told about: check run, sticky comment, reactions. A new token for each act, revoked after it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from bot import publish, wording
from bot.errors import Refused, TryLater
from bot.github import PUBLISH, REPORT, App
from bot.nouns import Evidence, Job, Outcome, Publication
from bot.repository import Repository

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Announced:
    """What was put on GitHub when the work began."""

    check_id: int


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

    def progress(self, announced: Announced) -> Callable[[str, str], None]:
        """A progress callback that keeps the check run up to date, once for each stage.

        It never fails: a GitHub that does not answer costs a line on a page, not the work that goes on.
        """
        seen: set[str] = set()

        def tell(stage: str, _detail: str) -> None:
            if stage in seen:
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

    def publish(self, fix: publish.Fix) -> Publication:
        """Publish a verified patch, with a token that can write files where that may be needed."""
        permissions = REPORT if self.job.from_fork else PUBLISH
        with self.app.repository(self.job.installation, self.job.repo_id, permissions) as repository:
            return publish.publish(fix, repository)

    def end(
        self,
        evidence: Evidence,
        published: Publication | None,
        *,
        announce: bool = False,
        comment: bool = True,
        defer: bool = False,
    ) -> None:
        """Complete the check run, bring the comment up to date, and answer the command.

        Only what was announced is concluded, unless `announce`. People who asked get a comment; a red check gets one
        where a fix was published, so that its author hears of it, and else none: no noise.
        `comment=False` leaves the comment to a later job; `defer` leaves all alone where the check run was completed
        with something else.
        """
        job = self.job
        with self._repository() as repository:
            find = repository.check_run if announce else repository.find_check
            check = find(job.sha, name=publish.CHECK_NAME, job=job.id, app_id=self.app.id)
            title = wording.check_title(evidence, published)
            if check is None or (defer and repository.conclusion_of(check) not in (None, title)):
                return
            self._complete(repository, check, evidence, published)
            if job.number and comment and (job.trigger != "check-run" or _is_out(evidence, published)):
                self._sticky(repository, wording.comment(evidence, marker=publish.STICKY, published=published))
            if job.comment_id:
                repository.react(job.comment_id, "rocket" if evidence.outcome == Outcome.FIXED else "confused")

    def _complete(
        self, repository: Repository, check_id: int, evidence: Evidence, published: Publication | None
    ) -> None:
        repository.update_check(
            check_id,
            title=wording.check_title(evidence, published),
            summary=wording.check_summary(evidence, published),
            # Never `failure`: the red check is the one that CI reported, and ours must not block a merge.
            conclusion="success" if evidence.outcome == Outcome.FIXED else "neutral",
            buttons=wording.buttons(Outcome(evidence.outcome)),
        )

    def _sticky(self, repository: Repository, body: str) -> None:
        repository.sticky_comment(self.job.number, body, marker=publish.STICKY, app_id=self.app.id)


def _is_out(evidence: Evidence, published: Publication | None) -> bool:
    """A verified fix stands where its pull request's author may not be looking."""
    return evidence.outcome == Outcome.FIXED and published is not None and published.state in ("opened", "committed")
