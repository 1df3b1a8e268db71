"""Commit statuses."""

from __future__ import annotations

from localhub.changes import statuses
from localhub.rest.call import Answer, Call
from localhub.shapes import statuses as shapes
from localhub.shapes.repository import repo_url, repository


def create(call: Call) -> Answer:
    sha = call.commit(call.args["sha"]).sha
    made = statuses.report(call.world, call.repo, sha, call.body, call.account)
    return Answer(201, shapes.status(call.repo, made, call.links))


def combined(call: Call) -> Answer:
    """The newest status of each context, and what they come to."""
    sha = call.commit(call.args["ref"]).sha
    newest = {each.context: each for each in call.repo.statuses if each.sha == sha}
    states = {each.state for each in newest.values()}
    bad = states & {"failure", "error"}
    state = "failure" if bad else "success" if states == {"success"} else "pending"
    url = repo_url(call.repo, call.links)
    shown = {
        "state": state,
        "statuses": [shapes.simple(call.repo, each, call.links) for each in newest.values()],
        "sha": sha,
        "total_count": len(newest),
        "repository": repository(call.repo, call.links),
        "commit_url": f"{url}/commits/{sha}",
        "url": f"{url}/commits/{sha}/status",
    }
    return Answer(200, shown)
