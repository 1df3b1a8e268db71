"""A local GitHub, an App installed on a faulty repository, and a server of ours: what stories are told in."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from factories import FIXED, SHOP

from handlers.demo import Place, Server
from localhub.hub import Hub
from localhub.state import CheckRun, Issue, Repo

FAULT = {"shop/pricing.py": SHOP["shop/pricing.py"].encode()}
FAULTY = {path: text.encode() for path, text in SHOP.items()}


@dataclass
class World:
    hub: Hub
    repo: Repo
    place: Place
    server: Server

    def ours(self, sha: str) -> list[CheckRun]:
        return [run for run in self.hub.check_runs(self.repo, sha) if run.app.id == self.place.app.id]

    def finished(self, sha: str) -> CheckRun:
        self.until(lambda: any(run.status == "completed" for run in self.ours(sha)))
        (run,) = self.ours(sha)
        return run

    def pulls(self) -> list[Issue]:
        return [pull for pull in self.hub.pulls(self.repo) if pull.app is not None]

    def until(self, holds: Callable[[], bool], *, seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while not holds():
            self.server.check()
            assert time.monotonic() < deadline, (
                f"this did not come true; the log: {self.server.log.read_text()[-3000:]}"
            )
            time.sleep(0.05)

    def head(self, branch: str = "main") -> str:
        sha = self.repo.git.branch(branch)
        assert sha is not None
        return sha

    def answer(self, number: int) -> str:
        """Our one comment on a pull request or issue."""
        (found,) = [comment for comment in self.hub.comments(self.repo, number) if comment.app is not None]
        return found.body

    def said(self, number: int) -> str:
        """All our comments on a pull request or issue, one after the other."""
        return "\n".join(comment.body for comment in self.hub.comments(self.repo, number) if comment.app is not None)

    def jobs(self) -> list[str]:
        """Every repair that the queue knows, in whatever state."""
        with contextlib.closing(sqlite3.connect(self.server.home / "jobs.sqlite")) as database:
            found = database.execute("SELECT workflow_uuid FROM workflow_status WHERE workflow_uuid LIKE 'repair:%'")
            return [str(key) for (key,) in found]

    def log(self) -> str:
        return self.server.log.read_text()

    def topic(self, *, draft: bool = False) -> tuple[str, int]:
        """Head and number of a pull request of ada's that breaks what is well on `main`."""
        self.mend("main")
        sha = self.hub.commit(self.repo, "topic", {"README": b"x", **FAULT}, "Topic", "ada")
        return sha, self.hub.open_pull(self.repo, "topic", "main", by="ada", draft=draft).number

    def mend(self, branch: str) -> str:
        """Somebody else is faster: the fault on a branch is gone."""
        return self.hub.commit(self.repo, branch, {"shop/pricing.py": FIXED.encode()}, "Mend", "ada")

    def policy(self, text: str, branch: str = "main") -> str:
        """Commit a `.github/regreen.yml`; the new head."""
        return self.hub.commit(self.repo, branch, {".github/regreen.yml": text.encode()}, "Say how", "ada")

    def begun(self, sha: str) -> CheckRun:
        """Our check run of a commit, once a stage of the work stands in it."""
        self.until(lambda: any(run.output.get("title") for run in self.ours(sha)))
        return self.ours(sha)[-1]


@contextmanager
def a_world(folder: Path, **settings: str) -> Iterator[World]:
    """The world, with settings for its server (without REGREEN_), which at its end must have kept to GitHub's description in all that was said."""
    with Hub() as hub, hub.serve():
        repo = hub.create_repo("ada", "shop", FAULTY)
        place = Place.make(hub, folder, repo)
        place.environment.update({f"REGREEN_{name}": value for name, value in settings.items()})
        made = World(hub, repo, place, place.start())
        try:
            yield made
        finally:
            made.server.stop()
        assert hub.violations == []
        assert hub.request_violations == []
