"""`regreen demo`: a GitHub on this machine, a red check, and what comes out of it: the whole way, for real.

Nothing is faked but GitHub itself: the repository is pushed, the webhook is signed and delivered over HTTP to a
`regreen serve` in a process of its own, the job is durable, and the tests run in Docker.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markdown import Markdown

from bench import tasks
from bot import needs
from bot.errors import Refused
from bot.settings import PREFIX
from handlers.show import Screen
from localhub.hub import Hub
from localhub.state import App, Issue, Repo

# GitHub's description of a check suite lists the App's events, and does not know this one.
EVENTS = sorted(needs.EVENTS - {"installation_target"})

START_S = 180
FINISH_S = 300
OWNER = "ada"
REPOSITORY = "shop"


@dataclass(frozen=True)
class Stage:
    """Where a trigger acts: the repository, the commit that is red, and the App."""

    hub: Hub
    repo: Repo
    sha: str
    pull_base: str


def run(trigger: str, screen: Screen, *, as_json: bool, keep: Path | None) -> int:
    """Show the whole way; returns the exit code: 0 when a verified pull request stands at the end."""
    if trigger not in TRIGGERS:
        raise Refused(f"There is no trigger {trigger!r}.", f"Known are: {', '.join(TRIGGERS)}.")
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="regreen-demo-")))
        folder.mkdir(parents=True, exist_ok=True)
        hub = stack.enter_context(Hub())
        stack.enter_context(hub.serve())
        screen.progress("github", f"a local GitHub answers at {hub.url}")
        server = stack.enter_context(_server(hub, folder, screen))
        started = time.monotonic()
        stage = TRIGGERS[trigger](hub, server.repo, screen)
        _follow(stage, server, screen)
        seconds = time.monotonic() - started
        return _report(stage, server, screen, as_json=as_json, trigger=trigger, seconds=seconds)


@dataclass(frozen=True)
class Server:
    """A running `regreen serve`, and what it works for."""

    process: subprocess.Popen[bytes]
    log: Path
    home: Path
    app: App
    repo: Repo

    def stop(self) -> None:
        """End the process, politely first."""
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def check(self) -> None:
        """Refused when the process is gone."""
        if self.process.poll() is not None:
            tail = self.log.read_text(errors="replace")[-3000:]
            raise Refused(
                f"`regreen serve` ended with {self.process.returncode}.", "Its log stands above.",
                kind="cannot-set-up", log=tail,
            )  # fmt: skip


@contextmanager
def _server(hub: Hub, folder: Path, screen: Screen) -> Iterator[Server]:
    """Register the App, install it, and start the server that it sends its webhooks to."""
    project = tasks.load("discount")[0]
    repo = hub.create_repo(OWNER, REPOSITORY, project.fixed())
    place = Place.make(hub, folder, repo)
    server = place.start()
    try:
        screen.progress("serve", f"regreen serve listens on port {place.port}; its log: {server.log}")
        yield server
    finally:
        server.stop()
        place.key.unlink(missing_ok=True)


@dataclass(frozen=True)
class Place:
    """Where a `regreen serve` of ours keeps its data, and what it is told; it can be started there again."""

    app: App
    repo: Repo
    port: int
    key: Path
    folder: Path
    environment: dict[str, str]

    @classmethod
    def make(cls, hub: Hub, folder: Path, repo: Repo) -> Place:
        """Register an App whose webhooks go to a free port of this machine, and install it on `repo`."""
        port, secret = _free_port(), secrets.token_hex(24)
        app = hub.register_app("regreen", f"http://127.0.0.1:{port}/webhook", secret, needs.PERMISSIONS, EVENTS)
        hub.install(app, repo)
        key = folder / "app.pem"
        key.touch(mode=0o600)
        key.write_text(app.private_key_pem)
        ours = {
            "HOME": str(folder / "home"), "APP_ID": str(app.id), "PRIVATE_KEY_FILE": str(key),
            "WEBHOOK_SECRET": secret, "API_URL": hub.url, "GIT_URL": hub.url, "PORT": str(port), "HOST": "127.0.0.1",
        }  # fmt: skip
        return cls(app, repo, port, key, folder, {PREFIX + name: value for name, value in ours.items()})

    def start(self) -> Server:
        """Start the server and wait until it answers."""
        log = self.folder / "serve.log"
        with log.open("ab") as stream:
            argv = [
                sys.executable,
                "-P",
                "-m",
                "handlers.cli",
                "serve",
            ]  # -P: modules of the current folder are not ours
            process = subprocess.Popen(
                argv, env={**os.environ, **self.environment}, stdout=stream, stderr=stream, stdin=subprocess.DEVNULL
            )
        server = Server(process, log, self.folder / "home", self.app, self.repo)
        _await_health(server, self.port)
        return server


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _await_health(server: Server, port: int) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        server.check()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise Refused(f"`regreen serve` did not answer within {START_S} s.", f"See {server.log}.", kind="cannot-set-up")


def _break(hub: Hub, repo: Repo, branch: str, message: str) -> str:
    """Commit the demo's fault, as somebody who cleans up a little too much would."""
    project = tasks.load("discount")[0]
    fixed, faulty = project.fixed(), project.faulty()
    changed: dict[str, bytes | None] = {path: data for path, data in faulty.items() if fixed.get(path) != data}
    return hub.commit(repo, branch, changed, message, OWNER)


def _by_check_run(hub: Hub, repo: Repo, screen: Screen) -> Stage:
    sha = _break(hub, repo, "main", "Tidy up pricing")
    screen.progress("push", f"{OWNER} pushed {sha[:12]} to main")
    hub.report_check(repo, sha, "tests", "failure", output={"title": "1 failed", "summary": "pytest ended with 1"})
    screen.progress("check", "the check `tests` is red ❌; GitHub sends a signed webhook")
    return Stage(hub, repo, sha, "main")


def _by_issue_label(hub: Hub, repo: Repo, screen: Screen) -> Stage:
    sha = _break(hub, repo, "main", "Tidy up pricing")
    issue = hub.open_issue(repo, "Cents are lost when a discount is applied", by=OWNER)
    hub.add_label(repo, issue.number, "regreen", by=OWNER)
    screen.progress("issue", f"{OWNER} set the label `regreen` on issue {issue.number}")
    return Stage(hub, repo, sha, "main")


def _by_pr_comment(hub: Hub, repo: Repo, screen: Screen) -> Stage:
    sha = _break(hub, repo, "tidy-pricing", "Tidy up pricing")
    pull = hub.open_pull(repo, "tidy-pricing", "main", "Tidy up pricing", by=OWNER)
    hub.comment(repo, pull.number, "/regreen fix", by=OWNER)
    screen.progress("comment", f"{OWNER} wrote `/regreen fix` on pull request {pull.number}")
    return Stage(hub, repo, sha, "tidy-pricing")


TRIGGERS: dict[str, Callable[[Hub, Repo, Screen], Stage]] = {
    "check-run": _by_check_run,
    "issue-label": _by_issue_label,
    "pr-comment": _by_pr_comment,
}


def _follow(stage: Stage, server: Server, screen: Screen) -> None:
    """Watch the check run `regreen` until it is complete, as a person would on the page."""
    deadline, shown = time.monotonic() + FINISH_S, ""
    while time.monotonic() < deadline:
        server.check()
        for check in stage.hub.check_runs(stage.repo, stage.sha):
            if check.app.id != server.app.id:
                continue
            title = str(check.output.get("title") or "In progress")
            if title != shown:
                shown = title
                screen.progress("regreen", title)
            if check.status == "completed":
                return
        time.sleep(0.1)
    raise Refused(f"Nothing came out within {FINISH_S} s.", f"See {server.log}.", kind="cannot-set-up")


def _report(stage: Stage, server: Server, screen: Screen, *, as_json: bool, trigger: str, seconds: float) -> int:
    """Print the pull request that stands in the local GitHub now, with the evidence record."""
    pulls = [pull for pull in stage.hub.pulls(stage.repo) if pull.app is not None and pull.app.id == server.app.id]
    records = sorted((server.home / "evidence").glob("*.json"))
    record: dict[str, Any] = json.loads(records[-1].read_text()) if records else {"outcome": "gave-up"}
    found = pulls[0] if len(pulls) == 1 else None
    shown = _pull(stage, found) if found else None
    if as_json:
        whole = {**record, "trigger": trigger, "seconds": round(seconds, 3), "pull_request": shown}
        screen.result(json.dumps(whole, indent=2, ensure_ascii=False))
    elif shown:
        screen.out.rule(f"Pull request {shown['number']}")
        screen.out.print(f"[bold]{shown['title']}[/bold]", highlight=False)
        screen.out.print(f"{shown['head']} → {shown['base']}   {shown['url']}\n", highlight=False)
        body = str(shown["body"]).split("<!--")[0]
        # Drawn for a terminal, lines of the diff are broken at its width: a file gets them as they are.
        screen.out.print(Markdown(body)) if screen.out.is_terminal else screen.say(body)
        screen.out.rule()
    for violation in stage.hub.violations + stage.hub.request_violations:
        screen.failure("GitHub's description does not allow this:", violation)
    well = shown is not None and record.get("outcome") == "fixed" and not stage.hub.violations
    if not as_json and well:
        screen.say(f"From the {trigger} to the verified pull request: {seconds:.1f} s, with no API key.")
    if not well:
        screen.failure(f"No verified pull request: {record.get('message', '')}", f"The log: {server.log}")
    return 0 if well else 1


def _pull(stage: Stage, issue: Issue) -> dict[str, Any]:
    assert issue.pull is not None
    return {
        "number": issue.number,
        "url": f"{stage.hub.url}/{stage.repo.full_name}/pull/{issue.number}",
        "head": issue.pull.head,
        "base": issue.pull.base,
        "title": issue.title,
        "body": issue.body,
    }
