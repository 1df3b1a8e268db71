"""localhub seen by PyGithub, a client that nobody wrote for it: a whole repair, at both roots of the API."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from github import Auth, Github, GithubException, GithubIntegration, InputGitTreeElement
from github.GithubRetry import GithubRetry
from test_localhub import Town, make_town

API_VERSION = "2026-03-10"


@pytest.fixture(params=["", "/api/v3"], ids=["root", "enterprise root"])
def api(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def town() -> Iterator[Town]:
    with make_town() as made:
        yield made
        assert made.hub.violations == []
        assert made.hub.request_violations == []


@contextmanager
def integration(town: Town, api: str) -> Iterator[GithubIntegration]:
    auth = Auth.AppAuth(town.app.id, town.app.private_key_pem)
    made = GithubIntegration(
        auth=auth,
        base_url=town.url + api,
        seconds_between_requests=0,
        seconds_between_writes=0,
        retry=GithubRetry(total=0),
    )
    try:
        yield made
    finally:
        made.close()


@contextmanager
def client(town: Town, api: str, token: str | None = None) -> Iterator[Github]:
    own = token or town.hub.installation_token(town.installation_id)
    made = Github(
        auth=Auth.Token(own),
        base_url=town.url + api,
        seconds_between_requests=0,
        seconds_between_writes=0,
        retry=GithubRetry(total=0),
        api_version=API_VERSION,
    )
    try:
        yield made
    finally:
        made.close()


def test_app_signs_in(town: Town, api: str) -> None:
    with integration(town, api) as app:
        assert app.get_app().slug == "regreen"
        assert app.get_repo_installation("ada", "calc").id == town.installation_id
        assert [each.id for each in app.get_installations()] == [town.installation_id]
        minted = app.get_access_token(town.installation_id, permissions={"contents": "read"})
    assert minted.permissions == {"metadata": "read", "contents": "read"}
    with client(town, api, minted.token) as github:
        assert github.get_repo("ada/calc").default_branch == "main"
        assert github.get_repo(town.repo.id).full_name == "ada/calc"
        with pytest.raises(GithubException) as refused:
            github.get_repo("ada/calc").create_git_blob("x", "utf-8")
        assert refused.value.status == 403


def test_signed_commit_becomes_a_pull_request(town: Town, api: str) -> None:
    with client(town, api) as github:
        repo = github.get_repo("ada/calc")
        base = repo.get_branch("main").commit
        blob = repo.create_git_blob(base64.b64encode(b"fixed\n").decode(), "base64")
        element = InputGitTreeElement("calc.py", "100644", "blob", sha=blob.sha)
        gone = InputGitTreeElement("README.md", "100644", "blob", sha=None)
        tree = repo.create_git_tree([element, gone], repo.get_git_tree(base.sha))
        commit = repo.create_git_commit("Mend add", tree, [repo.get_git_commit(base.sha)])
        assert commit.verification.verified
        repo.create_git_ref("refs/heads/regreen/1", commit.sha)
        pull = repo.create_pull(base="main", head="regreen/1", title="Mend add", body="Because.", draft=True)
        assert (pull.draft, pull.user.login, pull.changed_files) == (True, "regreen[bot]", 2)
        assert [each.number for each in repo.get_pulls(state="open", head="ada:regreen/1")] == [pull.number]
        assert {each.filename: each.status for each in pull.get_files()} == {
            "README.md": "removed",
            "calc.py": "modified",
        }
        assert [each.number for each in repo.get_commit(commit.sha).get_pulls()] == [pull.number]
        assert repo.compare("main", "regreen/1").ahead_by == 1
        pull.edit(title="Mend `add`")
        with pytest.raises(GithubException) as twice:
            repo.create_pull(base="main", head="regreen/1", title="Again", body="")
        assert twice.value.status == 422
        assert "already exists" in twice.value.data["errors"][0]["message"]
        repo.get_git_ref("heads/regreen/1").delete()
    assert town.hub.pull(town.repo, pull.number).title == "Mend `add`"
    assert town.hub.pulls(town.repo) == []


def test_check_run_is_written_and_read(town: Town, api: str) -> None:
    red = town.hub.report_check(town.repo, town.head(), "tests", output={"title": "1 failed", "summary": "add"})
    note = {"path": "calc.py", "start_line": 2, "end_line": 2, "annotation_level": "failure", "message": "minus"}
    button = {"label": "Repair", "description": "Try again", "identifier": "fix"}
    with client(town, api) as github:
        repo = github.get_repo("ada/calc")
        run = repo.create_check_run(
            "regreen", town.head(), status="in_progress", output={"title": "t", "summary": "s", "annotations": [note]}
        )
        run.edit(status="completed", conclusion="success", output={"title": "t", "summary": "done"}, actions=[button])
        assert [each.message for each in run.get_annotations()] == ["minus"]
        names = [each.name for each in repo.get_commit(town.head()).get_check_runs()]
        assert names == ["tests", "regreen"]
        assert repo.get_check_run(red.id).app.slug == "github-actions"
        suites = repo.get_commit(town.head()).get_check_suites()
        assert {each.app.slug: each.conclusion for each in suites} == {
            "github-actions": "failure",
            "regreen": "success",
        }
        job = repo.get_workflow_run(int(red.details_url.split("/")[-3])).jobs()[0]
        assert (job.id, job.steps[-1].conclusion) == (red.id, "failure")
        assert job.logs_url().startswith("http://localhost:")


def test_talk_and_roles(town: Town, api: str) -> None:
    town.hub.create_user("ben")
    town.hub.set_permission(town.repo, "ben", "maintain")
    issue = town.hub.open_issue(town.repo, "add subtracts", by="ben")
    with client(town, api) as github:
        repo = github.get_repo("ada/calc")
        assert repo.get_collaborator_permission("ben") == "write"
        assert repo.get_collaborator_role_name("ben") == "maintain"
        seen = repo.get_issue(issue.number)
        comment = seen.create_comment("On it")
        assert comment.create_reaction("eyes").content == "eyes"
        assert seen.create_reaction("rocket").user.login == "regreen[bot]"
        comment.edit("Done")
        seen.add_to_labels("regreen", "bug")
        seen.remove_from_labels("bug")
        assert [each.name for each in repo.get_issue(issue.number).labels] == ["regreen"]
        assert [each.body for each in seen.get_comments()] == ["Done"]
        assert github.get_user("regreen[bot]").id == town.app.bot.id


def test_pages_are_walked(town: Town, api: str) -> None:
    issue = town.hub.open_issue(town.repo, "add subtracts")
    for at in range(45):
        town.hub.comment(town.repo, issue.number, str(at))
    with client(town, api) as github:
        bodies = [each.body for each in github.get_repo("ada/calc").get_issue(issue.number).get_comments()]
    assert bodies == [str(at) for at in range(45)]
