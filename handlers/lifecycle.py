"""What makes work pointless: new commits, closed pull requests, repositories and installations that go -> Notice.

Pure: no network, no clock. Each handler is for one event.
"""

from __future__ import annotations

from typing import Any

from bot.nouns import Notice, Skip
from handlers.event import Event, Installation, Part, User, read
from handlers.red import OUR_BRANCHES, Ref


class _Head(Ref):
    sha: str


class _Pull(Part):
    number: int
    head: _Head


class PullEvent(Event):
    """The fields of `pull_request` that are read."""

    pull_request: _Pull


class _RepositoryEvent(Event):
    pass


class InstallationEvent(Part):
    """`installation` comes without a repository."""

    installation: Installation
    sender: User


def pull_request(payload: dict[str, Any], *, delivery: str, app_id: int) -> Notice | Skip:  # noqa: ARG001
    """New commits end the work on old ones; closing ends all of it, and our own branch is not needed any more."""
    action = payload.get("action")
    if action not in ("synchronize", "closed"):
        return Skip(f"pull_request.{action} asks for nothing")
    event = read(PullEvent, payload)
    if isinstance(event, Skip):
        return event
    pull = event.pull_request
    here = pull.head.repo is not None and pull.head.repo.id == event.repository.id
    ours = here and pull.head.ref.startswith(OUR_BRANCHES)
    if action == "synchronize":
        if ours:
            return Skip("the branch is one of our own")
        return _notice(event, delivery, "The pull request has new commits.", number=pull.number, keep=pull.head.sha)
    return _notice(
        event, delivery, "The pull request was closed.", number=pull.number, ours=pull.head.ref if ours else ""
    )


def repository(payload: dict[str, Any], *, delivery: str, app_id: int) -> Notice | Skip:  # noqa: ARG001
    """Nothing can be published to a repository that was archived or deleted. Names do not matter: ids do."""
    action = payload.get("action")
    if action not in ("archived", "deleted"):
        return Skip(f"repository.{action} changes nothing for us")
    event = read(_RepositoryEvent, payload)
    if isinstance(event, Skip):
        return event
    return _notice(event, delivery, f"The repository was {action}.")


def _notice(event: Event, delivery: str, reason: str, *, number: int = 0, keep: str = "", ours: str = "") -> Notice:
    return Notice(delivery, event.installation.id, event.repository.id, reason, number=number, keep=keep, ours=ours)


def installation(payload: dict[str, Any], *, delivery: str, app_id: int) -> Notice | Skip:  # noqa: ARG001
    """Without its permissions nothing can be told or published: work for all its repositories ends."""
    action = payload.get("action")
    if action not in ("deleted", "suspend"):
        return Skip(f"installation.{action} changes nothing for us")
    event = read(InstallationEvent, payload)
    if isinstance(event, Skip):
        return event
    word = {"deleted": "removed", "suspend": "suspended"}[action]
    return Notice(delivery, event.installation.id, 0, f"The installation was {word}.")
