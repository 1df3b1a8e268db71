"""Where a job is told about: check run, sticky comment, reactions. A new token for each act, revoked after it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

from bot import publish, wording
from bot.github import PUBLISH, App, Pull, Repository
from bot.nouns import Evidence, Job, Outcome
from bot.pipeline import Repair


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

    def progress(self, announced: Announced) -> Callable[[str, str], None]:
        """A progress callback that keeps the check run up to date, once for each stage."""
        seen: set[str] = set()

        def tell(stage: str, _detail: str) -> None:
            if stage not in seen:
                seen.add(stage)
                title, summary = wording.stage(stage)
                with self._repository() as repository:
                    repository.update_check(announced.check_id, title=title, summary=summary)

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

    def conclude(self, announced: Announced, evidence: Evidence, pull: Pull | None) -> bool:
        """Complete the check run, bring the comment up to date, and answer the command."""
        with self._repository() as repository:
            self._conclude(repository, announced.check_id, evidence, pull)
        return True

    def _conclude(self, repository: Repository, check_id: int, evidence: Evidence, pull: Pull | None) -> None:
        job, fixed = self.job, evidence.outcome == Outcome.FIXED
        repository.update_check(
            check_id,
            title=wording.check_title(evidence, pull.number if pull else None),
            summary=wording.check_summary(evidence, pull.url if pull else ""),
            # Never `failure`: the red check is the one that CI reported, and ours must not block a merge.
            conclusion="success" if fixed else "neutral",
            buttons=wording.buttons(Outcome(evidence.outcome)),
        )
        if job.number:
            body = wording.comment(
                evidence, marker=publish.STICKY, pull_number=pull.number if pull else None, diff=job.from_fork
            )
            self._sticky(repository, body)
        if job.comment_id:
            repository.react(job.comment_id, "rocket" if fixed else "confused")

    def end(self, evidence: Evidence) -> None:
        """Say that the work was ended from outside. Only what was announced is concluded: no new noise."""
        with self._repository() as repository:
            check = repository.find_check(self.job.sha, name=publish.CHECK_NAME, job=self.job.id, app_id=self.app.id)
            if check is not None:
                self._conclude(repository, check, evidence, None)

    def _sticky(self, repository: Repository, body: str) -> None:
        repository.sticky_comment(self.job.number, body, marker=publish.STICKY, app_id=self.app.id)
