"""A suite of checks that ended red, or is to be run again -> Request | Skip. Pure: no network, no clock."""

from __future__ import annotations

import dataclasses
from typing import Any

from bot.nouns import RED, Request, Skip
from handlers.event import Event, Name, Part, Sha, read
from handlers.red import App, Pull, red_commit


class _Suite(Part):
    head_sha: Sha
    head_branch: Name | None = None
    conclusion: Name | None = None
    app: App | None = None
    pull_requests: tuple[Pull, ...] = ()


class CheckSuiteEvent(Event):
    """The fields of `check_suite` that are read."""

    check_suite: _Suite


def request_for(payload: dict[str, Any], *, delivery: str, app_id: int) -> Request | Skip:
    """All checks of an App are done and one is red: the commit asks for a repair. "Re-run all checks" is `retry`."""
    event = read(CheckSuiteEvent, payload, "check_suite", "completed", "rerequested")
    if isinstance(event, Skip):
        return event
    again, suite = event.action == "rerequested", event.check_suite
    ours = suite.app is not None and suite.app.id == app_id
    if ours is not again:
        return Skip("this is our own suite" if ours else "the suite belongs to another App")
    if not again and suite.conclusion not in RED:
        return Skip(f"the suite ended with {suite.conclusion}")
    found = red_commit(
        event, delivery=delivery, sha=suite.head_sha, branch=suite.head_branch, pulls=suite.pull_requests,
        check_name="", settled=True,
    )  # fmt: skip
    if isinstance(found, Skip) or not again:
        return found
    return dataclasses.replace(found, trigger="check-action", verb="retry")
