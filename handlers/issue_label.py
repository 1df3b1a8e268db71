"""A label on an issue -> Request | Skip. Pure: no network, no clock.

Whether the label is ours, the repository's policy says, later.
"""

from __future__ import annotations

from typing import Any

from bot.nouns import Request, Skip
from handlers.event import Event, Id, Name, Part, read


class _Label(Part):
    name: Name


class _Issue(Part):
    number: Id
    state: Name = "open"
    pull_request: dict[str, Any] | None = None


class IssueEvent(Event):
    """The fields of `issues` that are read."""

    issue: _Issue
    label: _Label


def request_for(payload: dict[str, Any], *, delivery: str, app_id: int) -> Request | Skip:  # noqa: ARG001
    """A label may ask for a repair of the default branch; who set which is checked before anything is done."""
    event = read(IssueEvent, payload, "issues", "labeled")
    if isinstance(event, Skip):
        return event
    if event.issue.pull_request is not None or event.issue.state != "open":
        return Skip("only open issues are taken")
    return Request(
        trigger="issue-label",
        delivery=delivery,
        installation=event.installation.id,
        repo_id=event.repository.id,
        repo=event.repository.full_name,
        sender=event.sender.login,
        number=event.issue.number,
        label=event.label.name,
    )
