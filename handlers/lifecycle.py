"""What makes work pointless: new commits, closed pull requests, repositories and installations that go -> Notice.

Pure: no network, no clock. Each handler is for one event.
"""

from __future__ import annotations

from typing import Any

from bot.nouns import BRANCH_PREFIX, Notice, Skip
from handlers.event import Event, Id, Installation, Name, Part, Sha, User, read
from handlers.red import Ref

_NOTHING = "changes nothing for us"
_GONE = {"deleted": "removed", "suspend": "suspended"}


class _Head(Ref):
    sha: Sha


class _Pull(Part):
    number: Id
    head: _Head


class PullEvent(Event):
    """The fields of `pull_request` that are read."""

    pull_request: _Pull


class InstallationEvent(Part):
    """`installation` comes without a repository."""

    action: Name = ""
    installation: Installation
    sender: User


def pull_request(payload: dict[str, Any], *, delivery: str, app_id: int) -> Notice | Skip:  # noqa: ARG001
    """New commits end the work on old ones; closing ends all of it, and our own branch is not needed any more."""
    event = read(PullEvent, payload, "pull_request", "synchronize", "closed")
    if isinstance(event, Skip):
        return event
    pull = event.pull_request
    here = pull.head.repo is not None and pull.head.repo.id == event.repository.id
    ours = here and pull.head.ref.startswith(BRANCH_PREFIX)
    if event.action == "synchronize":
        if ours:
            return Skip("the branch is one of our own")
        return _notice(event, delivery, "The pull request has new commits.", number=pull.number, keep=pull.head.sha)
    return _notice(
        event, delivery, "The pull request was closed.", number=pull.number, ours=pull.head.ref if ours else ""
    )


def repository(payload: dict[str, Any], *, delivery: str, app_id: int) -> Notice | Skip:  # noqa: ARG001
    """Nothing can be published to a repository that was archived or deleted. Names do not matter: ids do."""
    event = read(Event, payload, "repository", "archived", "deleted", otherwise=_NOTHING)
    if isinstance(event, Skip):
        return event
    return _notice(event, delivery, f"The repository was {event.action}.")


def _notice(event: Event, delivery: str, reason: str, *, number: int = 0, keep: str = "", ours: str = "") -> Notice:
    return Notice(delivery, event.installation.id, event.repository.id, reason, number=number, keep=keep, ours=ours)


def installation(payload: dict[str, Any], *, delivery: str, app_id: int) -> Notice | Skip:  # noqa: ARG001
    """Without its permissions nothing can be told or published: work for all its repositories ends."""
    event = read(InstallationEvent, payload, "installation", *_GONE, otherwise=_NOTHING)
    if isinstance(event, Skip):
        return event
    return Notice(delivery, event.installation.id, 0, f"The installation was {_GONE[event.action]}.")
