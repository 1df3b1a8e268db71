"""GitHub Actions runs a job: a check run with a workflow run around it and a log behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from localhub.changes import checks
from localhub.shapes.actions import workflow, workflow_run
from localhub.shapes.people import user
from localhub.shapes.repository import repository
from localhub.state import App, CheckRun, CheckSuite, Job, Repo, WorkflowRun
from localhub.world import World


@dataclass(frozen=True)
class JobReport:
    """What one job of a workflow came to."""

    name: str
    conclusion: str
    output: dict[str, Any] = field(default_factory=dict)
    workflow: str = "CI"
    path: str = ".github/workflows/ci.yml"
    event: str = "push"
    last_step: str = "Run tests"
    log: bytes = b""


def report(world: World, repo: Repo, app: App, sha: str, job: JobReport) -> CheckRun:
    """The job starts and ends; its check run has the job's id, as on GitHub."""
    suite = checks.suite_for(world, repo, app, sha)
    run = workflow_run_for(world, repo, suite, job)
    job_id = world.next_id()
    page = f"{world.links.web}/{repo.full_name}/actions/runs/{run.id}/job/{job_id}"
    given = {
        "name": job.name,
        "head_sha": sha,
        "status": "in_progress",
        "external_id": f"{job_id:08x}-0000-0000-0000-000000000000",
        "details_url": page,
    }
    check = checks.create_run(world, repo, app, given, run_id=job_id)
    run.jobs.append(Job(check, job.log, job.last_step))
    checks.update_run(world, repo, check, {"conclusion": job.conclusion, "output": job.output})
    announce_completed(world, repo, run)
    return check


def workflow_run_for(world: World, repo: Repo, suite: CheckSuite, job: JobReport) -> WorkflowRun:
    for each in repo.workflow_runs.values():
        if each.suite is suite and each.path == job.path:
            return each
    run = WorkflowRun(
        id=world.next_id(),
        workflow_id=world.next_id(),
        name=job.workflow,
        path=job.path,
        event=job.event,
        suite=suite,
        run_number=len(repo.workflow_runs) + 1,
        created_at=world.now(),
    )
    repo.workflow_runs[run.id] = run
    return run


def announce_completed(world: World, repo: Repo, run: WorkflowRun) -> None:
    body = {
        "action": "completed",
        "workflow": workflow(repo, run, world.links),
        "workflow_run": workflow_run(repo, run, world.links),
        "repository": repository(repo, world.links),
        "sender": user(repo.owner, world.links),
    }
    world.announce("workflow_run", body, repo)


def job_of(repo: Repo, job_id: int) -> tuple[WorkflowRun, Job] | None:
    for run in repo.workflow_runs.values():
        for job in run.jobs:
            if job.check.id == job_id:
                return run, job
    return None
