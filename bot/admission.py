"""May this request become work, and on which commit? Decided after a look at GitHub; nothing is changed here."""

from __future__ import annotations

import dataclasses

from bot import answers, publish
from bot.ledger import Ledger
from bot.nouns import Job, Request, Skip
from bot.policy import Policy
from bot.repository import PullHead, Repository

MAY_COMMAND = {"admin", "write"}
MAX_TOLD_CHARS = 10_000
"""Of an issue's text, for a model to read."""


def admit(request: Request, repository: Repository, ledger: Ledger, policy: Policy) -> Job | Skip:
    """Decide whether a request for a repair becomes a job, and pin it to one commit."""
    found = _admitted(request, repository, ledger, policy)
    if isinstance(found, Skip):
        return found
    found = dataclasses.replace(found, obstacle=publish.obstacle(found, policy.publish, repository))
    return _with_base(found, request, repository, policy)


def _with_base(job: Job, request: Request, repository: Repository, policy: Policy) -> Job:
    """The job with the branch where its failure may come from, if a repair may begin there.

    A person who presses `Fix` wants it repaired here, wherever it comes from.
    """
    triggers = policy.triggers
    asked = request.trigger != "check-run"
    may = asked or (triggers.checks and triggers.covers(job.against))
    sha = repository.branch_head(job.against) if job.against and may else None
    if sha is None or (request.trigger == "check-action" and request.verb == "fix"):
        return dataclasses.replace(job, against="")
    return dataclasses.replace(job, against_sha=sha)


def _admitted(request: Request, repository: Repository, ledger: Ledger, policy: Policy) -> Job | Skip:
    by_itself = request.trigger == "check-run"
    if by_itself and not request.number:
        request = _with_pull(request, repository)
    denied = _denied(request, policy)
    if denied:
        return Skip(denied)
    if not by_itself and repository.permission(request.sender) not in MAY_COMMAND:
        return Skip(answers.may_not_command(request.sender))
    if request.trigger == "issue-label":
        found = _for_branch(request, repository, repository.default_branch)
        if isinstance(found, Skip):
            return found
        return dataclasses.replace(found, told=repository.issue_text(request.number)[:MAX_TOLD_CHARS])
    if by_itself and request.number:
        stopped = ledger.stopped_by(request.repo_id, request.number)
        if stopped:
            return Skip(f"{stopped} stopped the work on pull request {request.number}")
    if request.number:
        return _for_pull(request, repository, policy)
    return _for_branch(request, repository, request.branch)


def _with_pull(request: Request, repository: Repository) -> Request:
    """The request with its pull request. Statuses name none, and checks only where GitHub has found it already."""
    numbers = repository.pulls_from(request.branch) if request.branch != repository.default_branch else []
    return dataclasses.replace(request, number=numbers[0]) if len(numbers) == 1 else request


def _denied(request: Request, policy: Policy) -> str:
    """What the repository's policy has against this kind of request; empty when nothing."""
    triggers = policy.triggers
    if request.trigger == "check-run":
        if not triggers.checks:
            return "the repository's policy: red checks start nothing"
        if not triggers.covers(request.branch):
            return f"the repository's policy leaves out the branch {request.branch}"
        return ""
    if request.trigger == "issue-label":
        if request.label.casefold() != triggers.label.casefold():
            return f"the label {request.label!r} is not ours"
        return "" if triggers.labels else "the repository's policy: labels start nothing"
    return "" if triggers.commands else "the repository's policy: commands are not taken"


def _for_branch(request: Request, repository: Repository, branch: str) -> Job | Skip:
    head = repository.branch_head(branch)
    if head is None:
        return Skip(f"there is no branch {branch}")
    if request.sha and head != request.sha:
        return Skip(f"{branch} has moved on to {head[:12]}")
    return _job(request, repository, sha=head, base=branch, number=request.number)


def _for_pull(request: Request, repository: Repository, policy: Policy) -> Job | Skip:
    head = repository.pull_head(request.number)
    if not head.open:
        return Skip(f"pull request {request.number} is closed")
    if request.sha and head.sha != request.sha:
        return Skip(f"pull request {request.number} has moved on to {head.sha[:12]}")
    from_fork = head.repo_id != repository.id
    unwanted = _unwanted(head, from_fork=from_fork, policy=policy) if request.trigger == "check-run" else ""
    if unwanted:
        return Skip(unwanted)
    return _job(
        request, repository, sha=head.sha, base=head.branch, number=request.number, against=head.base,
        from_fork=from_fork,
    )  # fmt: skip


def _unwanted(head: PullHead, *, from_fork: bool, policy: Policy) -> str:
    """Why a red check of this pull request starts nothing by itself; empty when it does."""
    if from_fork:
        return "the pull request comes from a fork: somebody with write permission has to ask"
    if head.draft and not policy.triggers.drafts:
        return "the pull request is a draft, and the repository's policy leaves drafts alone"
    if head.by_bot and not policy.triggers.bots:
        return "a bot opened the pull request, and the repository's policy leaves those alone"
    return ""


def _job(
    request: Request,
    repository: Repository,
    *,
    sha: str,
    base: str,
    number: int,
    against: str = "",
    from_fork: bool = False,
) -> Job:
    """One job for a commit, however many checks turn red on it; a person may ask again."""
    asked = {
        "check-run": "",
        "check-action": f":button-{request.delivery}",
        "issue-label": f":issue-{number}",
        "pr-comment": f":comment-{request.comment_id}",
    }
    return Job(
        id=f"repair:{request.repo_id}:{sha}{asked[request.trigger]}",
        trigger=request.trigger, installation=request.installation, repo_id=request.repo_id, repo=repository.name,
        sha=sha, base=base, number=number, on_pull=bool(against), against=against, from_fork=from_fork,
        comment_id=request.comment_id, check_name=request.check_name, target=request.target,
    )  # fmt: skip
