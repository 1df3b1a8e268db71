"""A red commit status, as a CI of the older kind reports it -> Request | Skip. Pure: no network, no clock."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from bot.nouns import Request, Skip
from handlers.event import Event, Name, Part, Sha, lacking
from handlers.red import red_commit

RED = {"failure", "error"}


class _Sha(Part):
    sha: Sha


class _Branch(Part):
    name: Name
    commit: _Sha


class StatusEvent(Event):
    """The fields of `status` that are read; this event has no action."""

    sha: Sha
    state: Name
    context: Name = ""
    branches: tuple[_Branch, ...] = ()


def request_for(payload: dict[str, Any], *, delivery: str, app_id: int) -> Request | Skip:  # noqa: ARG001
    """A red status asks for a repair of its commit, as a check does: what reports one failure becomes one job."""
    try:
        event = StatusEvent.model_validate(payload)
    except ValidationError as error:
        return lacking(error)
    if event.state not in RED:
        return Skip(f"the status {event.context} is {event.state}")
    # GitHub names branches that hold the commit somewhere; only the one that it heads can be repaired by it.
    heads = [branch.name for branch in event.branches if branch.commit.sha == event.sha]
    heads.sort(key=lambda name: name == event.repository.default_branch)
    if event.branches and not heads:
        return Skip(f"no branch points at {event.sha[:12]} any more")
    return red_commit(
        event, delivery=delivery, sha=event.sha, branch=heads[0] if heads else None, pulls=(),
        check_name=event.context, settled=False,
    )  # fmt: skip
