"""Check suites, check runs, workflow runs and jobs as GitHub shows them."""

from __future__ import annotations

from localhub.shapes.commits import simple_commit
from localhub.shapes.people import Json, app, stamp, stamp_or_none
from localhub.shapes.repository import repo_url, repository
from localhub.state import CheckRun, CheckSuite, Issue, Repo
from localhub.webhooks import node_id
from localhub.world import Links

BAD_FIRST = ("action_required", "timed_out", "cancelled", "failure", "stale")


def runs_of(repo: Repo, suite: CheckSuite) -> list[CheckRun]:
    """The newest run of each name."""
    newest = {each.name: each for each in repo.runs.values() if each.suite is suite}
    return list(newest.values())


def suite_state(repo: Repo, suite: CheckSuite) -> tuple[str, str | None]:
    """(status, conclusion), which follow from the runs."""
    runs = runs_of(repo, suite)
    if not runs:
        return "queued", None
    if any(each.status != "completed" for each in runs):
        return "in_progress", None
    conclusions = {each.conclusion for each in runs}
    bad = next((each for each in BAD_FIRST if each in conclusions), None)
    if bad:
        return "completed", "failure" if "failure" in conclusions else bad
    return "completed", "success" if "success" in conclusions else runs[0].conclusion


def pulls_on(repo: Repo, suite: CheckSuite) -> list[Issue]:
    """GitHub lists the open pull requests whose head is this commit, but none from forks."""
    return [
        each
        for each in repo.issues.values()
        if each.pull and each.pull.head_repo is None and each.state == "open" and each.pull.head_sha == suite.head_sha
    ]


def pull_minimal(repo: Repo, issue: Issue, links: Links) -> Json:
    assert issue.pull is not None
    inside = {"id": repo.id, "url": repo_url(repo, links), "name": repo.name}
    return {
        "id": issue.pull.id,
        "number": issue.number,
        "url": f"{repo_url(repo, links)}/pulls/{issue.number}",
        "head": {"ref": issue.pull.head, "sha": issue.pull.head_sha, "repo": inside},
        "base": {"ref": issue.pull.base, "sha": issue.pull.base_sha, "repo": inside},
    }


def check_run(repo: Repo, run: CheckRun, links: Links) -> Json:
    url = f"{repo_url(repo, links)}/check-runs/{run.id}"
    return {
        "id": run.id,
        "node_id": node_id("CheckRun", run.id),
        "name": run.name,
        "head_sha": run.head_sha,
        "external_id": run.external_id,
        "url": url,
        "html_url": f"{links.web}/{repo.full_name}/runs/{run.id}",
        "details_url": run.details_url or f"{links.web}/{repo.full_name}/runs/{run.id}",
        "status": run.status,
        "conclusion": run.conclusion,
        "started_at": stamp(run.started_at),
        "completed_at": stamp_or_none(run.completed_at),
        "output": {
            "title": run.output.get("title"),
            "summary": run.output.get("summary"),
            "text": run.output.get("text"),
            "annotations_count": len(run.annotations),
            "annotations_url": f"{url}/annotations",
        },
        "check_suite": {"id": run.suite.id},
        "app": app(run.app, links),
        "pull_requests": [pull_minimal(repo, each, links) for each in pulls_on(repo, run.suite)],
    }


def check_run_event(repo: Repo, run: CheckRun, links: Links) -> Json:
    """The shape inside check_run webhooks: the suite is spelt out."""
    suite = check_suite(repo, run.suite, links)
    left_out = ("head_commit", "latest_check_runs_count", "check_runs_url")
    return check_run(repo, run, links) | {
        "check_suite": {key: value for key, value in suite.items() if key not in left_out}
    }


def annotation(repo: Repo, run: CheckRun, given: Json, links: Links) -> Json:
    return {
        "path": given["path"],
        "blob_href": f"{links.web}/{repo.full_name}/blob/{run.head_sha}/{given['path']}",
        "start_line": given["start_line"],
        "end_line": given["end_line"],
        "start_column": given.get("start_column"),
        "end_column": given.get("end_column"),
        "annotation_level": given["annotation_level"],
        "title": given.get("title"),
        "message": given["message"],
        "raw_details": given.get("raw_details"),
    }


def check_suite(repo: Repo, suite: CheckSuite, links: Links) -> Json:
    url = f"{repo_url(repo, links)}/check-suites/{suite.id}"
    status, conclusion = suite_state(repo, suite)
    return {
        "id": suite.id,
        "node_id": node_id("CheckSuite", suite.id),
        "head_branch": suite.head_branch,
        "head_sha": suite.head_sha,
        "status": status,
        "conclusion": conclusion,
        "url": url,
        "before": suite.before,
        "after": suite.head_sha,
        "pull_requests": [pull_minimal(repo, each, links) for each in pulls_on(repo, suite)],
        "app": app(suite.app, links),
        "created_at": stamp(suite.created_at),
        "updated_at": stamp(suite.updated_at),
        "rerequestable": True,
        "runs_rerequestable": True,
        "latest_check_runs_count": len(runs_of(repo, suite)),
        "check_runs_url": f"{url}/check-runs",
        "head_commit": simple_commit(repo.git.commit(suite.head_sha)),
    }


def check_suite_in_list(repo: Repo, suite: CheckSuite, links: Links) -> Json:
    return check_suite(repo, suite, links) | {"repository": repository(repo, links)}
