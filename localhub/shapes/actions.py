"""Workflow runs and their jobs as GitHub shows them."""

from __future__ import annotations

from localhub.shapes.checks import pull_minimal, pulls_on, suite_state
from localhub.shapes.commits import simple_commit
from localhub.shapes.people import Json, stamp, stamp_or_none, user
from localhub.shapes.repository import repo_url, repository
from localhub.state import Job, Repo, WorkflowRun
from localhub.webhooks import node_id
from localhub.world import Links


def workflow_run(repo: Repo, run: WorkflowRun, links: Links) -> Json:
    base = repo_url(repo, links)
    url = f"{base}/actions/runs/{run.id}"
    status, conclusion = suite_state(repo, run.suite)
    head = repo.git.commit(run.suite.head_sha)
    return {
        "id": run.id,
        "node_id": node_id("WorkflowRun", run.id),
        "name": run.name,
        "display_title": head.message.split("\n", 1)[0],
        "path": run.path,
        "event": run.event,
        "status": status,
        "conclusion": conclusion,
        "head_branch": run.suite.head_branch,
        "head_sha": run.suite.head_sha,
        "run_number": run.run_number,
        "run_attempt": 1,
        "workflow_id": run.workflow_id,
        "check_suite_id": run.suite.id,
        "check_suite_node_id": node_id("CheckSuite", run.suite.id),
        "url": url,
        "html_url": f"{links.web}/{repo.full_name}/actions/runs/{run.id}",
        "check_suite_url": f"{base}/check-suites/{run.suite.id}",
        "workflow_url": f"{base}/actions/workflows/{run.workflow_id}",
        "previous_attempt_url": None,
        **{f"{name}_url": f"{url}/{name}" for name in ("jobs", "logs", "cancel", "rerun", "artifacts")},
        "pull_requests": [pull_minimal(repo, each, links) for each in pulls_on(repo, run.suite)],
        "actor": user(repo.owner, links),
        "triggering_actor": user(repo.owner, links),
        "referenced_workflows": [],
        "head_commit": simple_commit(head),
        "repository": repository(repo, links),
        "head_repository": repository(repo, links),
        "run_started_at": stamp(run.created_at),
        "created_at": stamp(run.created_at),
        "updated_at": stamp(run.suite.updated_at),
    }


def workflow(repo: Repo, run: WorkflowRun, links: Links) -> Json:
    """The shape inside workflow_run webhooks."""
    page = f"{links.web}/{repo.full_name}"
    return {
        "id": run.workflow_id,
        "node_id": node_id("Workflow", run.workflow_id),
        "name": run.name,
        "path": run.path,
        "state": "active",
        "url": f"{repo_url(repo, links)}/actions/workflows/{run.workflow_id}",
        "html_url": f"{page}/blob/{repo.default_branch}/{run.path}",
        "badge_url": f"{page}/workflows/{run.name}/badge.svg",
        "created_at": stamp(run.created_at),
        "updated_at": stamp(run.created_at),
    }


def job(repo: Repo, run: WorkflowRun, each: Job, links: Links) -> Json:
    base = repo_url(repo, links)
    check = each.check
    return {
        "id": check.id,
        "node_id": node_id("CheckRun", check.id),
        "run_id": run.id,
        "run_url": f"{base}/actions/runs/{run.id}",
        "run_attempt": 1,
        "workflow_name": run.name,
        "name": check.name,
        "head_sha": check.head_sha,
        "head_branch": check.suite.head_branch,
        "url": f"{base}/actions/jobs/{check.id}",
        "html_url": check.details_url,
        "check_run_url": f"{base}/check-runs/{check.id}",
        "status": check.status,
        "conclusion": check.conclusion,
        "created_at": stamp(check.started_at),
        "started_at": stamp(check.started_at),
        "completed_at": stamp_or_none(check.completed_at),
        "steps": steps(each),
        "labels": ["ubuntu-latest"],
        "runner_id": 1,
        "runner_name": "GitHub Actions 1",
        "runner_group_id": 0,
        "runner_group_name": "GitHub Actions",
    }


def steps(each: Job) -> list[Json]:
    """All but the last one passed."""
    names = ["Set up job", "Check out", each.last_step]
    return [
        {
            "name": name,
            "number": at,
            "status": "completed" if each.check.status == "completed" else "in_progress",
            "conclusion": "success" if at < len(names) else each.check.conclusion,
            "started_at": stamp(each.check.started_at),
            "completed_at": stamp_or_none(each.check.completed_at),
        }
        for at, name in enumerate(names, start=1)
    ]
