"""Commands that are answered at once: stop, explain, status, help. A repair is not among them (admission.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot import answers
from bot.ledger import Ledger
from bot.nouns import Job, Request
from bot.repository import Repository

ANSWER = "<!-- regreen:answer -->"

Answer = Callable[[Request, Ledger, Sequence[Job]], str]
"""The text for a command, given the jobs that are under way for its pull request."""


def _stopped(request: Request, ledger: Ledger, jobs: Sequence[Job]) -> str:
    ledger.stop(request.repo_id, request.number, request.sender)
    return answers.stopped(request.sender, len(jobs))


def _explain(request: Request, ledger: Ledger, jobs: Sequence[Job]) -> str:
    return answers.explained(ledger.last(request.repo_id, request.number), under_way=bool(jobs))


def _status(request: Request, ledger: Ledger, jobs: Sequence[Job]) -> str:
    return answers.status(
        [job.sha for job in jobs],
        stopped_by=ledger.stopped_by(request.repo_id, request.number),
        attempts=ledger.attempts(request.repo_id, request.number),
    )


def _help(request: Request, _ledger: Ledger, _jobs: Sequence[Job]) -> str:
    return answers.help_text(request.unknown)


ANSWERS: dict[str, Answer] = {"stop": _stopped, "explain": _explain, "status": _status, "help": _help}


def reply(request: Request, text: str, repository: Repository, *, app_id: int) -> None:
    """Write the answer into our one comment for answers; a reaction shows which command it is for."""
    if request.number:
        repository.sticky_comment(request.number, f"{text}\n\n{ANSWER}", marker=ANSWER, app_id=app_id)
    if request.comment_id:
        repository.react(request.comment_id, "confused" if request.unknown else "+1")
