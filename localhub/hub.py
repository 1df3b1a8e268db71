"""A GitHub in a box, and what people do on it: the methods that tests, demo and bench call."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from localhub import auth
from localhub.changes import actions, apps, checks, commits, issues, pulls, statuses, suggestions
from localhub.server import running
from localhub.state import App, CheckRun, Comment, Issue, Move, Repo, Rule, Status, User
from localhub.webhooks import Delivery
from localhub.world import ACTIONS_APP_ID, Fault, Request, World

GITHUB_ID = 9919
ACTIONS_PERMISSIONS = {"actions": "write", "checks": "write", "contents": "read"}


class Hub:
    """One GitHub with its own users, repositories and Apps, in memory and one folder. Every method is thread-safe.

    Use it as a context manager, or call `close()`: a folder that it made itself goes away.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._own_folder = folder is None
        self.folder = folder or Path(tempfile.mkdtemp(prefix="localhub-"))
        self.world = World(self.folder / "repositories")
        self.url = ""
        self._add_github()

    def _add_github(self) -> None:
        github = self.world.add_user("github", "Organization")
        github.id = GITHUB_ID
        # The web flow commits in GitHub's name.
        github.email = "noreply@github.com"
        ci = apps.register(
            self.world, "github-actions", owner=github, hook=("", ""), permissions=ACTIONS_PERMISSIONS, events=[]
        )
        del self.world.apps[ci.id]
        ci.id = ACTIONS_APP_ID
        self.world.apps[ci.id] = ci

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def serve(self, port: int = 0) -> Iterator[Self]:
        """Listens on 127.0.0.1 and delivers webhooks; `url` is set meanwhile."""
        with running(self.world, port) as self.url:
            yield self

    # what went wrong, and what happened

    @property
    def violations(self) -> list[str]:
        """Responses and webhooks that GitHub's description forbids: bugs of localhub."""
        return self.world.violations

    @property
    def request_violations(self) -> list[str]:
        """Requests that GitHub's description forbids: bugs of the client."""
        return self.world.request_violations

    @property
    def requests(self) -> list[Request]:
        with self.world.lock:
            return list(self.world.requests)

    def fail_next(
        self,
        status: int,
        *,
        verb: str = "*",
        path: str = "",
        message: str = "Server Error",
        headers: dict[str, str] | None = None,
        times: int = 1,
    ) -> None:
        """Answers the next calls whose path contains `path` with an error."""
        with self.world.lock:
            self.world.faults.append(Fault(verb, path, status, message, headers or {}, times))

    def stop_failing(self) -> None:
        """Forgets what `fail_next` still has to do."""
        with self.world.lock:
            self.world.faults.clear()

    def advance(self, seconds: float) -> None:
        """Moves the clock: tokens expire by it."""
        with self.world.lock:
            self.world.clock_offset_s += seconds

    # people, repositories, Apps

    def create_user(self, login: str) -> str:
        """A person, new or known; the personal access token."""
        with self.world.lock:
            return self._person(login).token

    def token_of(self, login: str) -> str:
        """The personal access token of someone who exists."""
        with self.world.lock:
            return self._user(login).token

    def _person(self, login: str) -> User:
        token = f"ghp_{secrets.token_hex(18)}"
        return self.world.user(login) or self.world.add_user(login, "User", token=token)

    def create_repo(
        self,
        owner: str,
        name: str,
        files: dict[str, bytes] | Path | None = None,
        *,
        private: bool = False,
        default_branch: str = "main",
    ) -> Repo:
        """A repository with one first commit; `files` is a folder or {path: bytes}. The owner is made at need."""
        with self.world.lock:
            who = self._person(owner)
            repo = self.world.add_repo(who, name, private=private, default_branch=default_branch)
            commits.first(self.world, repo, files or {})
            return repo

    def fork(self, repo: Repo, owner: str) -> Repo:
        """A copy of all branches under another owner, who is made at need."""
        with self.world.lock:
            made = self.world.add_repo(
                self._person(owner), repo.name, private=repo.private, default_branch=repo.default_branch
            )
            made.parent = repo
            made.git.fetch(repo.git, "refs/heads/*:refs/heads/*")
            return made

    def repo(self, full_name: str) -> Repo:
        with self.world.lock:
            found = self.world.repo(*full_name.split("/"))
        assert found is not None, f"no repository {full_name}"
        return found

    def commit(
        self, repo: Repo, branch: str, files: commits.Files, message: str = "Change", author: str | None = None
    ) -> str:
        """One commit on `branch`, pushed: a new branch starts at the default branch; None deletes a file."""
        with self.world.lock:
            by = self._by(repo, author)
            return commits.commit(self.world, repo, branch, files, message=message, by=by)

    def register_app(
        self,
        slug: str,
        webhook_url: str,
        webhook_secret: str,
        permissions: dict[str, str],
        events: list[str],
        *,
        owner: str | None = None,
    ) -> App:
        """A new App; `private_key_pem` is its key. A webhook URL gets a ping at once."""
        with self.world.lock:
            who, hook = self._person(owner or "github"), (webhook_url, webhook_secret)
            app = apps.register(self.world, slug, owner=who, hook=hook, permissions=permissions, events=events)
            app.private_key_pem, app.public_key_pem = auth.key_pair()
            apps.ping(self.world, app)
            return app

    def install(self, app: App, *repos: Repo, permissions: dict[str, str] | None = None) -> int:
        """Installs `app` on `repos`, which share one owner; the installation's id."""
        with self.world.lock:
            granted = app.permissions if permissions is None else permissions
            return apps.install(self.world, app, list(repos), granted).id

    def installation_token(
        self,
        installation_id: int,
        permissions: dict[str, str] | None = None,
        repository_ids: set[int] | None = None,
    ) -> str:
        """A token without the round trip through REST."""
        with self.world.lock:
            held = self.world.installations[installation_id]
            return auth.mint(self.world, held, permissions=permissions, repository_ids=repository_ids).value

    def uninstall(self, installation_id: int) -> None:
        """Its tokens die with it."""
        with self.world.lock:
            apps.uninstall(self.world, self.world.installations[installation_id])

    def suspend(self, installation_id: int, *, back: bool = False) -> None:
        """Suspends, or with `back` lets it work again."""
        with self.world.lock:
            apps.suspend(self.world, self.world.installations[installation_id], back=back)

    def set_permission(self, repo: Repo, user: str, role: str) -> None:
        """admin, maintain, write, triage, read or none."""
        with self.world.lock:
            self._user(user)
            repo.collaborators[user.lower()] = role

    def _user(self, login: str) -> User:
        found = self.world.user(login)
        assert found is not None, f"no user {login}"
        return found

    # events that people and CI cause

    def report_check(
        self,
        repo: Repo,
        sha: str,
        name: str,
        conclusion: str = "failure",
        *,
        output: dict[str, Any] | None = None,
        as_app: str = "github-actions",
        log: bytes = b"",
        **workflow: str,
    ) -> CheckRun:
        """A check that starts and completes, as CI does it: `check_run` created and completed, `check_suite`
        completed and, for Actions, `workflow_run` completed. `workflow` sets further fields of a JobReport:
        workflow, path, event, last_step."""
        with self.world.lock:
            app = next(each for each in self.world.apps.values() if each.slug == as_app)
            if app.id == ACTIONS_APP_ID:
                job = actions.JobReport(name, conclusion, output or {}, log=log, **workflow)
                return actions.report(self.world, repo, app, sha, job)
            given = {"name": name, "head_sha": sha, "status": "in_progress"}
            run = checks.create_run(self.world, repo, app, given)
            checks.update_run(self.world, repo, run, {"conclusion": conclusion, "output": output or {}})
            return run

    def report_status(
        self, repo: Repo, sha: str, context: str, state: str = "failure", by: str | None = None
    ) -> Status:
        """A CI of the older kind says something of a commit."""
        with self.world.lock:
            given = {"state": state, "context": context, "description": f"{context} says {state}"}
            return statuses.report(self.world, repo, sha, given, self._by(repo, by))

    def rule(self, repo: Repo, kind: str, pattern: str) -> None:
        """A ruleset with one rule (creation, update, pull_request) for the branches that fit the pattern."""
        with self.world.lock:
            repo.rules.append(Rule(kind, pattern))

    def protect(self, repo: Repo, branch: str) -> None:
        """Protects a branch in the older way: nobody moves it directly."""
        with self.world.lock:
            repo.protected.add(branch)

    def commit_suggestions(self, repo: Repo, number: int, by: str | None = None) -> str:
        """Someone commits all suggestions that stand on a pull request; the new head."""
        with self.world.lock:
            return suggestions.commit_all(self.world, repo, repo.issues[number], self._by(repo, by))

    def rerequest(self, repo: Repo, run: CheckRun, by: str) -> None:
        """Someone presses "Re-run" on a check."""
        with self.world.lock:
            checks.press(self.world, repo, run, checks.RunAction("rerequested"), self._user(by))

    def rerequest_suite(self, repo: Repo, run: CheckRun, by: str) -> None:
        """Someone presses "Re-run all checks"."""
        with self.world.lock:
            checks.rerequest_suite(self.world, repo, run.suite, self._user(by))

    def request_action(self, repo: Repo, run: CheckRun, identifier: str, by: str) -> None:
        """Someone presses one of the buttons that the run offers."""
        with self.world.lock:
            assert any(each["identifier"] == identifier for each in run.actions), f"no button {identifier}"
            checks.press(self.world, repo, run, checks.RunAction("requested_action", identifier), self._user(by))

    def open_issue(self, repo: Repo, title: str, body: str = "", by: str | None = None) -> Issue:
        with self.world.lock:
            return issues.open_issue(self.world, repo, title=title, body=body, by=self._by(repo, by))

    def add_label(self, repo: Repo, number: int, label: str, by: str | None = None) -> None:
        with self.world.lock:
            issues.add_label(self.world, repo, repo.issues[number], label, self._by(repo, by))

    def remove_label(self, repo: Repo, number: int, label: str, by: str | None = None) -> None:
        with self.world.lock:
            issues.remove_label(self.world, repo, repo.issues[number], label, self._by(repo, by))

    def comment(self, repo: Repo, number: int, body: str, by: str | None = None) -> Comment:
        with self.world.lock:
            return issues.comment(self.world, repo, repo.issues[number], body, self._by(repo, by))

    def open_pull(
        self,
        repo: Repo,
        head: str,
        base: str,
        title: str = "Change",
        *,
        body: str = "",
        by: str | None = None,
        fork: Repo | None = None,
        draft: bool = False,
    ) -> Issue:
        """`fork` is where `head` is, if not in `repo` itself."""
        with self.world.lock:
            return pulls.open_pull(
                self.world, repo, head=head, base=base, title=title, body=body, by=self._by(repo, by), head_repo=fork,
                draft=draft,
            )  # fmt: skip

    def close_issue(self, repo: Repo, number: int, by: str | None = None) -> None:
        """Closes an issue or, unmerged, a pull request."""
        with self.world.lock:
            issues.set_state(self.world, repo, repo.issues[number], "closed", self._by(repo, by))

    def reopen_issue(self, repo: Repo, number: int, by: str | None = None) -> None:
        with self.world.lock:
            issues.set_state(self.world, repo, repo.issues[number], "open", self._by(repo, by))

    def merge_pull(self, repo: Repo, number: int, by: str | None = None) -> str:
        """A merge commit on the base branch, which closes the pull request; its SHA."""
        with self.world.lock:
            return commits.merge(self.world, repo, repo.issues[number], self._by(repo, by))

    def delete_branch(self, repo: Repo, branch: str, by: str | None = None) -> None:
        with self.world.lock:
            move = Move(f"refs/heads/{branch}", repo.git.branch(branch), None)
            commits.push(self.world, repo, move, self._by(repo, by))

    def _by(self, repo: Repo, login: str | None) -> User:
        return self._user(login) if login else repo.owner

    # readers

    def pulls(self, repo: Repo, state: str = "open") -> list[Issue]:
        with self.world.lock:
            return [each for each in repo.issues.values() if each.pull and state in (each.state, "all")]

    def pull(self, repo: Repo, number: int) -> Issue:
        with self.world.lock:
            return repo.issues[number]

    def comments(self, repo: Repo, number: int) -> list[Comment]:
        with self.world.lock:
            return list(repo.issues[number].comments)

    def check_runs(self, repo: Repo, sha: str) -> list[CheckRun]:
        with self.world.lock:
            return [each for each in repo.runs.values() if each.head_sha == sha]

    def file_at(self, repo: Repo, ref: str, path: str) -> bytes | None:
        """None when the path is no file there."""
        sha = repo.git.resolve(ref)
        found = repo.git.entry_at(sha, path) if sha else None
        return repo.git.blob(found.sha) if found and found.type == "blob" else None

    # webhooks

    @property
    def deliveries(self) -> list[Delivery]:
        return list(self.world.hooks.log)

    def redeliver(self, guid: str) -> Delivery:
        """The same event under the same guid once more."""
        return self.world.hooks.redeliver(guid)

    def settle(self, timeout_s: float = 30.0) -> bool:
        """Waits until all webhooks so far were answered or failed."""
        return self.world.hooks.settle(timeout_s)

    def drop_webhooks(self, when: Callable[[str, dict[str, Any]], bool]) -> None:
        """From now on, events for which `when(event, body)` holds are lost."""
        self.world.hooks.drop = when

    def hold_webhooks(self) -> None:
        """From now on, webhooks wait until they are released."""
        self.world.hooks.hold()

    def release_webhooks(
        self, order: Callable[[list[Delivery]], list[Delivery]] = list, *, count: int | None = None
    ) -> int:
        """Sends what waits, in the order that `order` makes of it: all, or `count` of it and the rest later.

        Returns how many are sent.
        """
        return self.world.hooks.release(order, count)

    def duplicate_webhooks(self, copies: Callable[[str, dict[str, Any]], int]) -> None:
        """From now on, `copies(event, body)` says how often each event is sent, always under one guid."""
        self.world.hooks.copies = copies
