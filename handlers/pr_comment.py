"""A `/regreen` command in a comment on a pull request -> Request | Skip. Pure: no network, no clock."""

from __future__ import annotations

from typing import Any

from bot.nouns import Request, Skip
from handlers.event import Event, Part, User, read

COMMAND = "/regreen"
VERBS = ("fix",)


class _Comment(Part):
    id: int
    body: str | None = ""
    user: User


class _Issue(Part):
    number: int
    state: str = "open"
    pull_request: dict[str, Any] | None = None


class CommentEvent(Event):
    """The fields of `issue_comment` that are read."""

    issue: _Issue
    comment: _Comment


def command(body: str) -> str | None:
    """The verb of a command that is the whole first line; quotes, code and later lines are no commands."""
    first = body.replace("\r\n", "\n").split("\n", 1)[0].rstrip()
    words = first.split(" ")
    return words[1] if len(words) == 2 and words[0] == COMMAND else None


def request_for(payload: dict[str, Any], *, delivery: str, app_id: int) -> Request | Skip:  # noqa: ARG001
    """`/regreen fix` asks for a repair of the pull request's head. Edited comments are no commands."""
    if payload.get("action") != "created":
        return Skip(f"issue_comment.{payload.get('action')} asks for nothing")
    event = read(CommentEvent, payload)
    if isinstance(event, Skip):
        return event
    if event.comment.user.type == "Bot":
        return Skip("bots give no commands")
    verb = command(event.comment.body or "")
    if verb is None:
        return Skip("the comment holds no command")
    if verb not in VERBS:
        return Skip(f"there is no command {verb[:40]!r}; known: {', '.join(VERBS)}")
    if event.issue.pull_request is None or event.issue.state != "open":
        return Skip("commands are taken on open pull requests only")
    return Request(
        trigger="pr-comment",
        delivery=delivery,
        installation=event.installation.id,
        repo_id=event.repository.id,
        repo=event.repository.full_name,
        sender=event.comment.user.login,
        number=event.issue.number,
        comment_id=event.comment.id,
    )
