"""A `/regreen` command in a comment on a pull request -> Request | Skip. Pure: no network, no clock."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, get_args

from bot.nouns import Request, Skip, Verb
from handlers.event import Event, Id, Name, Part, User, read

COMMAND = "/regreen"
VERBS: tuple[Verb, ...] = get_args(Verb)

# A pytest id: a path, then `::` and names, parameters in brackets. It is never an option, and never leaves the tree.
_TARGET = re.compile(r"(?![-/@])(?!.*\.\.)[\w./+-]+(::[\w.\[\]+-]+)*")
_MAX_LINE = 300


class _Comment(Part):
    id: Id
    body: str | None = ""
    user: User


class _Issue(Part):
    number: Id
    state: Name = "open"
    pull_request: dict[str, Any] | None = None


class CommentEvent(Event):
    """The fields of `issue_comment` that are read."""

    issue: _Issue
    comment: _Comment


@dataclass(frozen=True)
class Command:
    """What a comment asks for. `unknown` holds the word that is no verb."""

    verb: Verb
    target: str = ""
    unknown: str = ""


def command(body: str) -> Command | None:
    """The command that is the whole first line; quotes, code and later lines are no commands."""
    first = body.replace("\r\n", "\n").split("\n", 1)[0].rstrip()
    words = first.split(" ")
    if words[0] != COMMAND or len(first) > _MAX_LINE:
        return None
    match words[1:]:
        case []:
            return Command("help")
        case ["fix", target] if _TARGET.fullmatch(target):
            return Command("fix", target)
        case [verb] if verb in VERBS:
            return Command(verb)
    return Command("help", unknown=" ".join(words[1:])[:60])


def request_for(payload: dict[str, Any], *, delivery: str, app_id: int) -> Request | Skip:  # noqa: ARG001
    """`/regreen fix` asks for a repair of the pull request's head. Edited comments are no commands."""
    event = read(CommentEvent, payload, "issue_comment", "created")
    if isinstance(event, Skip):
        return event
    if event.comment.user.type == "Bot":
        return Skip("bots give no commands")
    found = command(event.comment.body or "")
    if found is None:
        return Skip("the comment holds no command")
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
        verb=found.verb,
        target=found.target,
        unknown=found.unknown,
    )
