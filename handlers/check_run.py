"""A red check -> Request | Skip. Pure: no network, no clock."""

from __future__ import annotations

from typing import Any

from bot.nouns import Request, Skip
from handlers.event import Event, Part, Repo, read

RED = {"failure", "timed_out"}


class _App(Part):
    id: int


class _Ref(Part):
    ref: str
    repo: Repo | None = None


class _Pull(Part):
    number: int
    head: _Ref
    base: _Ref


class _Suite(Part):
    head_branch: str | None = None


class _CheckRun(Part):
    name: str
    head_sha: str
    conclusion: str | None = None
    app: _App | None = None
    check_suite: _Suite = _Suite()
    pull_requests: tuple[_Pull, ...] = ()


class CheckRunEvent(Event):
    """The fields of `check_run` that are read."""

    check_run: _CheckRun


def request_for(payload: dict[str, Any], *, delivery: str, app_id: int) -> Request | Skip:
    """A completed, red check of another App asks for a repair of its commit."""
    if payload.get("action") != "completed":
        return Skip(f"check_run.{payload.get('action')} asks for nothing")
    event = read(CheckRunEvent, payload)
    if isinstance(event, Skip):
        return event
    check = event.check_run
    if check.app is not None and check.app.id == app_id:
        return Skip("this is our own check run")
    if check.conclusion not in RED:
        return Skip(f"the check {check.name} ended with {check.conclusion}")
    branch = check.check_suite.head_branch
    if branch is None:
        # GitHub names neither branch nor pull request for commits of forks.
        return Skip("the commit is of a fork: somebody with write permission has to ask with /regreen fix")
    if branch.startswith("regreen/"):
        return Skip("the branch is one of our own")
    # GitHub lists pull requests of other repositories too when they have the same head.
    pulls = [pull for pull in check.pull_requests if _is_here(pull, event.repository.id)]
    return Request(
        trigger="check-run",
        delivery=delivery,
        installation=event.installation.id,
        repo_id=event.repository.id,
        repo=event.repository.full_name,
        sender=event.sender.login,
        sha=check.head_sha,
        branch=branch,
        number=pulls[0].number if len(pulls) == 1 else 0,
        check_name=check.name,
    )


def _is_here(pull: _Pull, repo_id: int) -> bool:
    return pull.base.repo is None or pull.base.repo.id == repo_id
