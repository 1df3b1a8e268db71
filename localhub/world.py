"""Everything that exists on this GitHub: the tables, the clock, the numbers, and who hears of what."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from localhub.contract.description import Description
from localhub.git import GitRepo
from localhub.state import LEVELS, App, Comment, Installation, Issue, Label, Repo, Token, User
from localhub.webhooks import HEARD_WITH, Hooks

ACTIONS_APP_ID = 15368


@dataclass(frozen=True)
class Links:
    """Where this GitHub is reached: pages and git at `web`, REST at `api`."""

    web: str
    api: str


@dataclass(frozen=True)
class Request:
    """One REST call that was answered, for tests to count."""

    verb: str
    path: str
    caller: str
    status: int
    body: bytes = b""


@dataclass
class Fault:
    """A test's wish: the next `times` calls that fit are answered like this, and nothing else happens."""

    verb: str
    path_part: str
    status: int
    message: str
    headers: dict[str, str]
    times: int

    def fits(self, verb: str, path: str) -> bool:
        return self.times > 0 and self.verb in (verb, "*") and self.path_part in path


class World:
    """The state of one GitHub. Hold `lock` around every read and change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock = threading.RLock()
        self.description = Description()
        self.links = Links("http://localhub.invalid", "http://localhub.invalid")
        self.users: dict[str, User] = {}
        self.repos: dict[int, Repo] = {}
        self.apps: dict[int, App] = {}
        self.installations: dict[int, Installation] = {}
        self.tokens: dict[str, Token] = {}
        self.used: dict[str, int] = {}
        self.requests: list[Request] = []
        self.request_violations: list[str] = []
        self.faults: list[Fault] = []
        # Codes of Apps that were just made from a manifest, and until when they can be exchanged.
        self.manifest_codes: dict[str, tuple[App, datetime]] = {}
        # Job logs behind signed links: content, and until when.
        self.blobs: dict[str, tuple[bytes, datetime]] = {}
        self.clock_offset_s = 0.0
        self._ids = itertools.count(1001)
        self.hooks = Hooks(self.description, self.now, self.next_id)
        # Responses and webhooks share one list: both are this server's own bugs.
        self.violations = self.hooks.violations

    def now(self) -> datetime:
        return datetime.fromtimestamp(time.time() + self.clock_offset_s, tz=UTC).replace(microsecond=0)

    def next_id(self) -> int:
        return next(self._ids)

    # look-ups; names are not case-sensitive

    def user(self, login: str) -> User | None:
        return self.users.get(login.lower())

    def repo(self, owner: str, name: str) -> Repo | None:
        wanted = f"{owner}/{name}".lower()
        return next((each for each in self.repos.values() if each.full_name.lower() == wanted), None)

    def installation_on(self, app: App, repo: Repo) -> Installation | None:
        held = (each for each in self.installations.values() if each.app is app)
        return next((each for each in held if repo.id in each.repository_ids), None)

    # new things

    def add_user(self, login: str, kind: str, *, token: str = "") -> User:
        user = User(self.next_id(), login, kind, self.now(), token, f"{login}@example.org")
        self.users[login.lower()] = user
        return user

    def add_repo(self, owner: User, name: str, *, private: bool, default_branch: str) -> Repo:
        repo_id = self.next_id()
        git = GitRepo(self.folder / owner.login / f"{name}.git")
        git.create(default_branch)
        repo = Repo(repo_id, owner, name, private, default_branch, git, self.now(), self.now())
        self.repos[repo_id] = repo
        return repo

    def label(self, repo: Repo, name: str) -> Label:
        """The label of that name, made on the fly when the repository has none."""
        return repo.labels.setdefault(name.lower(), Label(self.next_id(), name))

    # webhooks

    def announce(
        self,
        event: str,
        body: dict[str, Any],
        repo: Repo,
        *,
        only: App | None = None,
        level: str = "read",
    ) -> None:
        """Tells every App that may hear of `event` on `repo`, or `only` its owner."""
        heard = [each for each in self.hearers(event, repo, level) if only is None or each.app is only]
        self.hooks.announce(event, body, to=heard, repo=repo)

    def hearers(self, event: str, repo: Repo, level: str) -> Iterable[Installation]:
        permission = HEARD_WITH[event]
        for each in self.installations.values():
            granted = granted_level(each.permissions, permission)
            if event == "issue_comment":
                # On a pull request either permission will do; we do not tell them apart.
                granted = max(granted, granted_level(each.permissions, "pull_requests"))
            # Apps with checks:write hear of checks without subscribing.
            subscribed = event in each.events or (permission == "checks" and granted >= LEVELS.index("write"))
            allowed = subscribed and granted >= LEVELS.index(level)
            if allowed and each.suspended_at is None and repo.id in each.repository_ids:
                yield each


def granted_level(permissions: dict[str, str], name: str) -> int:
    return LEVELS.index(permissions.get(name, "none"))


def comment_by_id(repo: Repo, comment_id: int) -> tuple[Issue, Comment] | None:
    for issue in repo.issues.values():
        for comment in issue.comments:
            if comment.id == comment_id:
                return issue, comment
    return None


def later(moment: datetime, *, seconds: float) -> datetime:
    return moment + timedelta(seconds=seconds)
