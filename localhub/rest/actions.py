"""Workflow runs, jobs and their logs."""

from __future__ import annotations

import secrets

from localhub.changes.actions import job_of
from localhub.rest.call import Answer, Call, not_found, page
from localhub.shapes import actions as shapes
from localhub.state import Job, WorkflowRun
from localhub.world import later

LOG_LINK_LIFE_S = 60


def held_run(call: Call) -> WorkflowRun:
    found = call.repo.workflow_runs.get(call.number("run_id"))
    if found is None:
        raise not_found()
    return found


def held_job(call: Call) -> tuple[WorkflowRun, Job]:
    found = job_of(call.repo, call.number("job_id"))
    if found is None:
        raise not_found()
    return found


def get_run(call: Call) -> Answer:
    return Answer(200, shapes.workflow_run(call.repo, held_run(call), call.links))


def run_jobs(call: Call) -> Answer:
    run = held_run(call)
    return page(call, run.jobs, lambda each: shapes.job(call.repo, run, each, call.links), key="jobs")


def get_job(call: Call) -> Answer:
    run, job = held_job(call)
    return Answer(200, shapes.job(call.repo, run, job, call.links))


def job_log(call: Call) -> Answer:
    """A link that lives for a minute, on another host: there a token would be a leak."""
    _, job = held_job(call)
    if job.check.status != "completed":
        raise not_found()
    key = secrets.token_urlsafe(16)
    call.world.blobs[key] = (job.log, later(call.world.now(), seconds=LOG_LINK_LIFE_S))
    host = call.links.web.replace("127.0.0.1", "localhost")
    return Answer(302, headers={"Location": f"{host}/localhub-blobs/{key}"})
