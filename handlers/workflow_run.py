"""A run of GitHub Actions that ended red -> Request | Skip. Pure: no network, no clock."""

from __future__ import annotations

from typing import Any

from bot.nouns import RED, Request, Skip
from handlers.event import Event, Name, Part, RepoId, Sha, read
from handlers.red import Pull, red_commit


class _Run(Part):
    name: Name | None = ""
    head_sha: Sha
    head_branch: Name | None = None
    head_repository: RepoId | None = None
    event: Name = ""
    conclusion: Name | None = None
    pull_requests: tuple[Pull, ...] = ()


class WorkflowRunEvent(Event):
    """The fields of `workflow_run` that are read."""

    workflow_run: _Run


def request_for(payload: dict[str, Any], *, delivery: str, app_id: int) -> Request | Skip:  # noqa: ARG001
    """A red run asks for a repair of its commit, as the checks of its jobs do: they become one job."""
    event = read(WorkflowRunEvent, payload, "workflow_run", "completed")
    if isinstance(event, Skip):
        return event
    run = event.workflow_run
    if run.conclusion not in RED:
        return Skip(f"the run ended with {run.conclusion}")
    if run.event == "pull_request_target":
        # Its head_sha is the base branch's (actions/checkout#2454): it says nothing about the pull request.
        return Skip("runs of pull_request_target name the commit of the base branch")
    elsewhere = run.head_repository is not None and run.head_repository.id != event.repository.id
    return red_commit(
        event, delivery=delivery, sha=run.head_sha, branch=None if elsewhere else run.head_branch,
        pulls=run.pull_requests, check_name=run.name or "", settled=True,
    )  # fmt: skip
