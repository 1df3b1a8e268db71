"""Check suites are requested, check runs are created, updated and asked for again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from localhub.shapes.checks import check_run_event, check_suite, suite_state
from localhub.shapes.people import Json, user
from localhub.shapes.repository import repository
from localhub.state import App, CheckRun, CheckSuite, Move, Repo, User
from localhub.world import World

Given = dict[str, Any]


@dataclass(frozen=True)
class RunAction:
    """A button that someone presses on a check run."""

    action: str
    identifier: str | None = None


def request_suites(world: World, repo: Repo, branch: str, move: Move, by: User) -> None:
    """One empty suite for each App that may write checks; each hears of its own."""
    assert move.new is not None
    for installation in list(world.hearers("check_suite", repo, "write")):
        suite = suite_for(world, repo, installation.app, move.new, branch=branch, before=move.old)
        announce_suite(world, repo, suite, "requested", by, only=installation.app)


def suite_for(
    world: World,
    repo: Repo,
    app: App,
    sha: str,
    *,
    branch: str | None = None,
    before: str | None = None,
) -> CheckSuite:
    """The suite of `app` on `sha`, made at need."""
    for each in repo.suites.values():
        if each.app is app and each.head_sha == sha:
            return each
    suite = CheckSuite(
        id=world.next_id(),
        app=app,
        head_sha=sha,
        head_branch=branch or branch_at(repo, sha),
        before=before,
        created_at=world.now(),
        updated_at=world.now(),
    )
    repo.suites[suite.id] = suite
    return suite


def branch_at(repo: Repo, sha: str) -> str | None:
    names = [name.removeprefix("refs/heads/") for name, at, _ in repo.git.refs("refs/heads/") if at == sha]
    # A pull request's branch says more than the default branch it may equal.
    names.sort(key=lambda name: name == repo.default_branch)
    return names[0] if names else None


def create_run(world: World, repo: Repo, app: App, given: Given, *, run_id: int | None = None) -> CheckRun:
    """`given` is the body of POST check-runs, already judged; `created` is announced, and `completed` at once
    when it says so."""
    suite = suite_for(world, repo, app, given["head_sha"])
    run = CheckRun(
        id=run_id or world.next_id(),
        app=app,
        suite=suite,
        name=given["name"],
        head_sha=given["head_sha"],
        status="queued",
        conclusion=None,
        details_url=given.get("details_url", ""),
        external_id=given.get("external_id", ""),
        started_at=world.now(),
    )
    repo.runs[run.id] = run
    apply(world, run, given)
    suite.updated_at = world.now()
    announce_run(world, repo, run, "created", app.bot)
    if run.status == "completed":
        announce_completed(world, repo, run)
    return run


def update_run(world: World, repo: Repo, run: CheckRun, given: Given) -> None:
    was_completed = run.status == "completed"
    apply(world, run, given)
    run.suite.updated_at = world.now()
    if run.status == "completed" and not was_completed:
        announce_completed(world, repo, run)


def apply(world: World, run: CheckRun, given: Given) -> None:
    for name in ("name", "details_url", "external_id", "status", "actions"):
        if name in given:
            setattr(run, name, given[name])
    if "conclusion" in given:
        # A conclusion implies the status, whatever the body says.
        run.conclusion, run.status = given["conclusion"], "completed"
    elif run.status != "completed":
        run.conclusion = None
    if run.status == "completed":
        run.completed_at = run.completed_at or world.now()
    else:
        run.completed_at = None
    output = given.get("output") or {}
    run.output |= {key: output[key] for key in ("title", "summary", "text") if key in output}
    # Each request adds its annotations to those already there.
    run.annotations += output.get("annotations", [])


def announce_completed(world: World, repo: Repo, run: CheckRun) -> None:
    announce_run(world, repo, run, "completed", run.app.bot)
    if suite_state(repo, run.suite)[0] == "completed":
        announce_suite(world, repo, run.suite, "completed", run.app.bot)


def press(world: World, repo: Repo, run: CheckRun, button: RunAction, by: User) -> None:
    """Only the App that owns the run hears of it, and GitHub leaves the run as it is."""
    body = run_event(world, repo, run, button.action, by)
    if button.identifier is not None:
        body["requested_action"] = {"identifier": button.identifier}
    world.announce("check_run", body, repo, only=run.app, level="write")


def rerequest_suite(world: World, repo: Repo, suite: CheckSuite, by: User) -> None:
    announce_suite(world, repo, suite, "rerequested", by, only=suite.app)


def announce_run(world: World, repo: Repo, run: CheckRun, action: str, by: User) -> None:
    world.announce("check_run", run_event(world, repo, run, action, by), repo)


def run_event(world: World, repo: Repo, run: CheckRun, action: str, by: User) -> Json:
    return {
        "action": action,
        "check_run": check_run_event(repo, run, world.links),
        "repository": repository(repo, world.links),
        "sender": user(by, world.links),
    }


def announce_suite(
    world: World, repo: Repo, suite: CheckSuite, action: str, by: User, *, only: App | None = None
) -> None:
    body = {
        "action": action,
        "check_suite": check_suite(repo, suite, world.links),
        "repository": repository(repo, world.links),
        "sender": user(by, world.links),
    }
    world.announce("check_suite", body, repo, only=only, level="write" if only else "read")
