"""A red check, or a button on one of ours -> Request | Skip. Pure: no network, no clock."""

from __future__ import annotations

from typing import Any

from bot.nouns import RED, Request, Skip, Verb
from handlers.event import Event, Name, Part, Sha, read
from handlers.red import App, Pull, pulls_here, red_commit

BUTTONS: tuple[Verb, ...] = ("fix", "retry", "stop")
"""Identifiers of the buttons that our check run offers."""


class _Suite(Part):
    head_branch: Name | None = None


class _CheckRun(Part):
    name: Name
    head_sha: Sha
    conclusion: Name | None = None
    app: App | None = None
    check_suite: _Suite = _Suite()
    pull_requests: tuple[Pull, ...] = ()


class _Action(Part):
    identifier: Name


class CheckRunEvent(Event):
    """The fields of `check_run` that are read."""

    check_run: _CheckRun
    requested_action: _Action | None = None


def request_for(payload: dict[str, Any], *, delivery: str, app_id: int) -> Request | Skip:
    """A completed, red check of another App asks for a repair of its commit; a button for what stands on it."""
    event = read(CheckRunEvent, payload, "check_run", "completed", "rerequested", "requested_action")
    if isinstance(event, Skip):
        return event
    check = event.check_run
    ours = check.app is not None and check.app.id == app_id
    if event.action != "completed":
        return _button(event, delivery=delivery) if ours else Skip("the check belongs to another App")
    if ours:
        return Skip("this is our own check run")
    if check.conclusion not in RED:
        return Skip(f"the check {check.name} ended with {check.conclusion}")
    return red_commit(
        event, delivery=delivery, sha=check.head_sha, branch=check.check_suite.head_branch,
        pulls=check.pull_requests, check_name=check.name, settled=False,
    )  # fmt: skip


def _button(event: CheckRunEvent, *, delivery: str) -> Request | Skip:
    """`Re-run` is `retry`; other buttons carry their verb."""
    pressed = event.requested_action.identifier if event.requested_action else "retry"
    verb = next((button for button in BUTTONS if button == pressed), None)
    if verb is None:
        return Skip(f"there is no button {pressed[:20]!r}")
    if event.sender.type == "Bot":
        return Skip("bots press no buttons")
    check = event.check_run
    here = pulls_here(check.pull_requests, event.repository.id)
    return Request(
        trigger="check-action",
        delivery=delivery,
        installation=event.installation.id,
        repo_id=event.repository.id,
        repo=event.repository.full_name,
        sender=event.sender.login,
        sha=check.head_sha,
        branch=check.check_suite.head_branch or "",
        number=here[0] if len(here) == 1 else 0,
        check_name=check.name,
        verb=verb,
    )
