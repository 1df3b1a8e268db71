"""localhub's REST over real HTTP: credentials, permissions, errors, pages, git objects, logs."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from typing import Any

import httpx
import jwt
import pytest
from test_localhub import PERMISSIONS, Town, make_town

from localhub.auth import EXP_MUST_BE_FUTURE, EXP_TOO_FAR, IAT_MUST_BE_PAST
from localhub.rest.dispatch import NOT_FOR_APPS

REPO = "/repos/ada/calc"


@pytest.fixture
def town() -> Iterator[Town]:
    with make_town() as made:
        yield made
        assert made.hub.violations == []
        assert made.hub.request_violations == []


def app_jwt(town: Town, *, issued_s: int = -60, expires_s: int = 300, key: str | None = None) -> str:
    now = int(time.time())
    claims = {"iss": str(town.app.id), "iat": now + issued_s, "exp": now + expires_s}
    return jwt.encode(claims, key or town.app.private_key_pem, algorithm="RS256")


def token_with(town: Town, **permissions: str) -> str:
    return town.hub.installation_token(town.installation_id, permissions)


def mint(town: Town, body: dict[str, Any] | None = None) -> httpx.Response:
    with town.client(app_jwt(town)) as client:
        return client.post(f"/app/installations/{town.installation_id}/access_tokens", json=body)


# credentials


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        pytest.param({"expires_s": -1}, EXP_MUST_BE_FUTURE, id="expired"),
        pytest.param({"expires_s": 700}, EXP_TOO_FAR, id="too long"),
        pytest.param({"issued_s": 600}, IAT_MUST_BE_PAST, id="issued in the future"),
    ],
)
def test_jwt_with_wrong_times_is_refused(town: Town, claims: dict[str, int], message: str) -> None:
    with town.client(app_jwt(town, **claims)) as client:
        answer = client.get("/app")
    assert (answer.status_code, answer.json()["message"]) == (401, message)


def test_jwt_by_a_strange_key_or_algorithm_is_refused(town: Town) -> None:
    other = town.hub.register_app("other", "", "", {}, [])
    weak = jwt.encode({"iss": str(town.app.id), "exp": int(time.time()) + 60}, "x" * 32, algorithm="HS256")
    for each in (app_jwt(town, key=other.private_key_pem), weak):
        with town.client(each) as client:
            answer = client.get("/app")
        assert (answer.status_code, answer.json()["message"]) == (401, "A JSON web token could not be decoded")


def test_token_is_stateless_scoped_and_revocable(town: Town) -> None:
    answer = mint(town, {"permissions": {"contents": "read"}, "repository_ids": [town.repo.id]})
    assert answer.status_code == 201
    token = answer.json()["token"]
    assert token.startswith(f"ghs_{town.app.id}_")
    assert token.count(".") == 2
    assert 480 < len(token) < 560
    assert answer.json()["permissions"] == {"metadata": "read", "contents": "read"}
    assert [each["id"] for each in answer.json()["repositories"]] == [town.repo.id]
    with town.client(token) as client:
        assert client.get(REPO).status_code == 200
        assert client.delete("/installation/token").status_code == 204
        gone = client.get(REPO)
        assert (gone.status_code, gone.json()["message"]) == (401, "Bad credentials")


def test_token_dies_after_an_hour(town: Town) -> None:
    with town.client(mint(town).json()["token"]) as client:
        town.hub.advance(3590)
        assert client.get(REPO).status_code == 200
        town.hub.advance(20)
        assert client.get(REPO).status_code == 401


def test_token_with_more_than_was_granted_is_refused(town: Town) -> None:
    answer = mint(town, {"permissions": {"contents": "write", "workflows": "write"}})
    assert answer.status_code == 422
    assert answer.json()["message"] == "The permissions requested are not granted to this installation."
    assert mint(town, {"repository_ids": [town.repo.id, 1]}).status_code == 422


def test_suspended_and_removed_installations(town: Town) -> None:
    with town.client() as client:
        town.hub.suspend(town.installation_id)
        assert mint(town).json()["message"] == "This installation has been suspended"
        assert client.get(REPO).status_code == 403
        town.hub.suspend(town.installation_id, back=True)
        assert client.get(REPO).status_code == 200
        town.hub.uninstall(town.installation_id)
        assert mint(town).status_code == 404
        assert client.get(REPO).status_code == 401


def test_repository_outside_the_scope_is_not_found(town: Town) -> None:
    """Public or not: a bot must ask with a token that covers the repository."""
    town.hub.create_repo("ada", "other")
    with town.client() as client:
        assert client.get("/repos/ada/other").status_code == 404
        assert client.get("/repos/ada/nowhere").status_code == 404
        assert client.post("/repos/ada/other/git/blobs", json={"content": "x"}).status_code == 404
        assert [each["name"] for each in client.get("/installation/repositories").json()["repositories"]] == ["calc"]


@pytest.mark.parametrize(
    ("verb", "path", "body", "needs"),
    [
        ("GET", "/contents/README.md", None, {"contents": "read"}),
        ("POST", "/git/blobs", {"content": "x"}, {"contents": "write"}),
        ("POST", "/check-runs", {"name": "n", "head_sha": "HEAD"}, {"checks": "write"}),
        ("GET", "/commits/main/check-runs", None, {"checks": "read"}),
        ("GET", "/pulls", None, {"pull_requests": "read"}),
        ("POST", "/issues/1/comments", {"body": "b"}, {"issues": "write"}),
        ("POST", "/issues/1/comments", {"body": "b"}, {"pull_requests": "write"}),
        ("POST", "/issues/1/labels", {"labels": ["bug"]}, {"issues": "write"}),
        ("POST", "/issues/1/reactions", {"content": "eyes"}, {"issues": "write"}),
    ],
)
def test_permission_matrix(town: Town, verb: str, path: str, body: Any, needs: dict[str, str]) -> None:
    town.hub.open_issue(town.repo, "add subtracts")
    sent = body and {key: town.head() if value == "HEAD" else value for key, value in body.items()}
    weaker = {name: "read" if level == "write" else level for name, level in needs.items()}
    other = {"metadata": "read"} if weaker == needs else weaker
    with town.client(token_with(town, **other)) as client:
        refused = client.request(verb, REPO + path, json=sent)
        assert (refused.status_code, refused.json()["message"]) == (403, NOT_FOR_APPS)
    with town.client(token_with(town, **needs)) as client:
        assert client.request(verb, REPO + path, json=sent).is_success


def test_strangers_see_public_repositories_and_write_nothing(town: Town) -> None:
    town.hub.create_repo("ada", "secret", private=True)
    with httpx.Client(base_url=town.url, trust_env=False) as client:
        assert client.get(REPO).status_code == 200
        assert client.get("/repos/ada/secret").status_code == 404
        assert client.post(f"{REPO}/git/blobs", json={"content": "x"}).status_code == 401
        assert client.get("/user").status_code == 401
        assert client.get(REPO, headers={"Authorization": "Bearer nobody"}).json()["message"] == "Bad credentials"
        assert client.get(REPO, headers={"Authorization": "Digest x"}).status_code == 401


def test_people_have_roles(town: Town) -> None:
    town.hub.set_permission(town.repo, "ada", "admin")
    with town.client(town.hub.create_user("ben")) as ben, town.client(town.hub.token_of("ada")) as ada:
        issue = town.hub.open_issue(town.repo, "add subtracts", by="ben")
        assert ben.post(f"{REPO}/issues/{issue.number}/comments", json={"body": "hm"}).status_code == 201
        assert ben.post(f"{REPO}/git/blobs", json={"content": "x"}).status_code == 403
        only_apps = ada.post(f"{REPO}/check-runs", json={"name": "n", "head_sha": town.head()})
        assert (only_apps.status_code, only_apps.json()["message"]) == (
            403,
            "You must authenticate via a GitHub App.",
        )
        shown = {}
        for role in ("read", "triage", "write", "maintain", "admin", "none"):
            town.hub.set_permission(town.repo, "ben", role)
            found = ada.get(f"{REPO}/collaborators/ben/permission").json()
            shown[role] = (found["permission"], found["role_name"])
        assert ada.get(f"{REPO}/collaborators/nobody/permission").status_code == 404
    assert shown == {
        "read": ("read", "read"),
        "triage": ("read", "triage"),
        "write": ("write", "write"),
        "maintain": ("write", "maintain"),
        "admin": ("admin", "admin"),
        "none": ("none", "none"),
    }


# shape of the service


def test_headers_and_both_roots(town: Town) -> None:
    with town.client() as client:
        plain, enterprise = client.get(REPO), client.get(f"/api/v3{REPO}")
        assert plain.headers["content-type"] == "application/json; charset=utf-8"
        assert plain.headers["x-ratelimit-limit"] == "5000"
        assert plain.headers["x-github-request-id"]
        assert int(enterprise.headers["x-ratelimit-used"]) == int(plain.headers["x-ratelimit-used"]) + 1
        assert plain.json()["url"] == town.url + REPO
        assert enterprise.json()["url"] == f"{town.url}/api/v3{REPO}"
        assert enterprise.json()["clone_url"] == f"{town.url}/ada/calc.git"
        assert client.get(f"/repositories/{town.repo.id}").json()["full_name"] == "ada/calc"
        assert client.get("/repositories/999999").status_code == 404
        assert client.get("/rate_limit").json()["resources"]["core"]["used"] == 4


def test_pages_are_linked_by_repository_id(town: Town) -> None:
    issue = town.hub.open_issue(town.repo, "add subtracts")
    for at in range(7):
        town.hub.comment(town.repo, issue.number, f"comment {at}")
    seen = []
    with town.client() as client:
        url = f"{REPO}/issues/{issue.number}/comments?per_page=3"
        while url:
            answer = client.get(url)
            seen += [each["body"] for each in answer.json()]
            url = answer.links.get("next", {}).get("url", "")
            assert not url or url.startswith(f"{town.url}/repositories/{town.repo.id}/issues/")
        assert set(answer.links) == {"prev", "first"}
    assert seen == [f"comment {at}" for at in range(7)]


def test_faults_can_be_ordered(town: Town) -> None:
    town.hub.fail_next(429, verb="GET", path="/repos", message="slow down", headers={"Retry-After": "3"}, times=2)
    with town.client() as client:
        assert client.get("/rate_limit").status_code == 200
        slow = client.get(REPO)
        assert (slow.status_code, slow.headers["retry-after"]) == (429, "3")
        assert client.get(REPO).status_code == 429
        assert client.get(REPO).status_code == 200
    assert [each.status for each in town.hub.requests] == [200, 429, 429, 200]
    assert town.hub.requests[0].caller == f"installation {town.installation_id}"


def test_deliveries_are_listed_and_sent_again(town: Town) -> None:
    town.hub.open_issue(town.repo, "add subtracts")
    town.heard()
    with town.client(app_jwt(town)) as client:
        newest = client.get("/app/hook/deliveries").json()[0]
        assert (newest["event"], newest["action"], newest["status_code"]) == ("issues", "opened", 202)
        whole = client.get(f"/app/hook/deliveries/{newest['id']}").json()
        assert whole["request"]["headers"]["X-GitHub-Delivery"] == newest["guid"]
        assert whole["request"]["payload"]["issue"]["title"] == "add subtracts"
        assert client.post(f"/app/hook/deliveries/{newest['id']}/attempts").status_code == 202
        assert town.hub.settle()
        again = client.get("/app/hook/deliveries").json()[0]
        assert (again["guid"], again["redelivery"]) == (newest["guid"], True)
        assert client.get("/app/hook/deliveries/1").status_code == 404


# git objects


def commit_on(client: httpx.Client, parent: str, files: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    tree = client.post(f"{REPO}/git/trees", json={"base_tree": parent, "tree": files})
    assert tree.status_code == 201, tree.text
    body = {"message": "Mend add", "tree": tree.json()["sha"], "parents": [parent], **more}
    made = client.post(f"{REPO}/git/commits", json=body)
    assert made.status_code == 201, made.text
    return made.json()


def test_commit_by_the_app_is_signed_and_one_that_names_an_author_is_not(town: Town) -> None:
    inline = [{"path": "calc.py", "mode": "100644", "type": "blob", "content": "fixed\n"}]
    with town.client() as client:
        own = commit_on(client, town.head(), inline)
        named = commit_on(client, town.head(), inline, author={"name": "Ada", "email": "ada@example.org"})
    assert own["verification"]["verified"] is True
    assert own["author"]["name"] == "regreen[bot]"
    assert own["author"]["email"] == f"{town.app.bot.id}+regreen[bot]@users.noreply.github.com"
    assert own["committer"]["email"] == "noreply@github.com"
    assert named["verification"]["verified"] is False


def test_tree_takes_blobs_modes_deletions_and_content(town: Town) -> None:
    raw = bytes(range(256))
    with town.client() as client:
        blob = client.post(
            f"{REPO}/git/blobs", json={"content": base64.b64encode(raw).decode(), "encoding": "base64"}
        ).json()
        files = [
            {"path": "deep/down/all.bin", "mode": "100755", "type": "blob", "sha": blob["sha"]},
            {"path": "README.md", "mode": "100644", "type": "blob", "sha": None},
            {"path": "new.txt", "mode": "100644", "type": "blob", "content": "äöü\n"},
        ]
        made = commit_on(client, town.head(), files)
        listed = client.get(f"{REPO}/git/trees/{made['tree']['sha']}?recursive=1").json()["tree"]
        read = client.get(f"{REPO}/git/blobs/{blob['sha']}").json()
        seen = client.get(f"{REPO}/commits/{made['sha']}").json()
    assert {each["path"]: each["mode"] for each in listed} == {
        "calc.py": "100644",
        "deep": "040000",
        "deep/down": "040000",
        "deep/down/all.bin": "100755",
        "new.txt": "100644",
    }
    assert base64.b64decode(read["content"]) == raw
    assert {each["filename"]: each["status"] for each in seen["files"]} == {
        "README.md": "removed",
        "deep/down/all.bin": "added",
        "new.txt": "added",
    }
    assert town.hub.file_at(town.repo, made["sha"], "new.txt") == "äöü\n".encode()


def test_file_becomes_a_folder_and_a_tree_is_grafted(town: Town) -> None:
    with town.client() as client:
        folder = [{"path": "calc.py/__init__.py", "mode": "100644", "content": "x\n"}]
        made = commit_on(client, town.head(), folder)
        root = made["tree"]["sha"]
        grafted = commit_on(client, made["sha"], [{"path": "copy", "mode": "040000", "type": "tree", "sha": root}])
        listed = client.get(f"{REPO}/git/trees/{grafted['sha']}?recursive=1").json()["tree"]
        other = client.get(f"{REPO}/commits/main").json()["commit"]["tree"]["sha"]
        swapped = commit_on(
            client, grafted["sha"], [{"path": "copy", "mode": "040000", "type": "tree", "sha": other}]
        )
        after = client.get(f"{REPO}/git/trees/{swapped['sha']}?recursive=1").json()["tree"]
    assert [each["path"] for each in after if each["path"].startswith("copy/")] == ["copy/README.md", "copy/calc.py"]
    paths = [each["path"] for each in listed if each["type"] == "blob"]
    assert paths == ["README.md", "calc.py/__init__.py", "copy/README.md", "copy/calc.py/__init__.py"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"path": "gone", "mode": "100644", "sha": None}, "GitRPC::BadObjectState"),
        ({"path": "a", "mode": "100644", "sha": "0" * 40}, f"tree.sha {'0' * 40} is not a valid blob"),
        ({"path": "../a", "mode": "100644", "content": "x"}, "tree.path contains a malformed path component"),
        ({"path": ".git/config", "content": "x"}, "tree.path contains a malformed path component"),
        ({"path": "a", "mode": "100644"}, "Must supply either tree.sha or tree.content"),
    ],
)
def test_bad_tree_entries_are_refused(town: Town, entry: dict[str, Any], message: str) -> None:
    with town.client() as client:
        answer = client.post(f"{REPO}/git/trees", json={"base_tree": town.head(), "tree": [entry]})
    assert (answer.status_code, answer.json()["message"]) == (422, message)


def test_references_live_and_die(town: Town) -> None:
    with town.client() as client:
        made = commit_on(client, town.head(), [{"path": "calc.py", "mode": "100644", "content": "fixed\n"}])
        side = commit_on(client, town.head(), [{"path": "calc.py", "mode": "100644", "content": "other\n"}])
        ref = {"ref": "refs/heads/regreen/1", "sha": made["sha"]}
        assert client.post(f"{REPO}/git/refs", json=ref).status_code == 201
        twice = client.post(f"{REPO}/git/refs", json=ref)
        assert (twice.status_code, twice.json()["message"]) == (422, "Reference already exists")
        unknown = client.post(f"{REPO}/git/refs", json={"ref": "refs/heads/x", "sha": "1" * 40})
        assert (unknown.status_code, unknown.json()["message"]) == (422, "Object does not exist")
        assert client.post(f"{REPO}/git/refs", json={"ref": "heads/x", "sha": made["sha"]}).status_code == 422
        jump = client.patch(f"{REPO}/git/refs/heads/regreen/1", json={"sha": side["sha"]})
        assert (jump.status_code, jump.json()["message"]) == (422, "Update is not a fast forward")
        forced = client.patch(f"{REPO}/git/refs/heads/regreen/1", json={"sha": side["sha"], "force": True})
        assert forced.json()["object"]["sha"] == side["sha"]
        assert client.get(f"{REPO}/git/ref/heads/regreen/1").json()["ref"] == "refs/heads/regreen/1"
        assert client.get(f"{REPO}/git/ref/heads/regreen").status_code == 404
        assert [each["ref"] for each in client.get(f"{REPO}/git/matching-refs/heads/regreen").json()] == [ref["ref"]]
        assert client.delete(f"{REPO}/git/refs/heads/regreen/1").status_code == 204
        gone = client.delete(f"{REPO}/git/refs/heads/regreen/1")
        assert (gone.status_code, gone.json()["message"]) == (422, "Reference does not exist")


def test_reading_content_commits_branches_and_comparisons(town: Town) -> None:
    old = town.head()
    new = town.hub.commit(town.repo, "topic/deep", {"src/a b.py": b"1\n"}, author="ada")
    with town.client() as client:
        found = client.get(f"{REPO}/contents/src/a%20b.py", params={"ref": "topic/deep"}).json()
        assert base64.b64decode(found["content"]) == b"1\n"
        assert [each["name"] for each in client.get(f"{REPO}/contents/").json()] == ["README.md", "calc.py"]
        raw = client.get(f"{REPO}/contents/calc.py", headers={"Accept": "application/vnd.github.raw+json"})
        assert raw.content.startswith(b"def add")
        assert client.get(f"{REPO}/contents/none.py").status_code == 404
        assert client.get(f"{REPO}/contents/calc.py?ref=none").status_code == 404
        assert client.get(f"{REPO}/branches/topic/deep").json()["commit"]["sha"] == new
        assert client.get(f"{REPO}/branches/none").json()["message"] == "Branch not found"
        compared = client.get(f"{REPO}/compare/main...topic/deep").json()
        assert (compared["status"], compared["ahead_by"], compared["merge_base_commit"]["sha"]) == ("ahead", 1, old)
        assert client.get(f"{REPO}/compare/{new}...{old}").json()["status"] == "behind"
        assert client.get(f"{REPO}/compare/main...none").status_code == 404
        assert [each["sha"] for each in client.get(f"{REPO}/commits?sha=topic/deep").json()] == [new, old]
        assert client.get(f"{REPO}/commits/{new}").json()["author"]["login"] == "ada"
        unknown = client.get(f"{REPO}/commits/{'1' * 40}")
        assert (unknown.status_code, unknown.json()["message"]) == (422, f"No commit found for SHA: {'1' * 40}")


# checks, pull requests, issues


def test_check_run_on_an_unknown_commit_is_refused(town: Town) -> None:
    with town.client() as client:
        answer = client.post(f"{REPO}/check-runs", json={"name": "n", "head_sha": "1" * 40})
    assert (answer.status_code, answer.json()["message"]) == (422, f"No commit found for SHA: {'1' * 40}")


def test_app_may_change_only_its_own_check_runs(town: Town) -> None:
    red = town.hub.report_check(town.repo, town.head(), "tests")
    with town.client() as client:
        assert client.get(f"{REPO}/check-runs/{red.id}").json()["conclusion"] == "failure"
        answer = client.patch(f"{REPO}/check-runs/{red.id}", json={"conclusion": "success"})
        assert answer.status_code == 403
        assert client.get(f"{REPO}/check-runs/1").status_code == 404
    assert red.conclusion == "failure"


def test_check_run_goes_its_way(town: Town) -> None:
    note = {"path": "calc.py", "start_line": 2, "end_line": 2, "annotation_level": "failure", "message": "minus"}
    with town.client() as client:
        body = {"name": "regreen", "head_sha": town.head(), "status": "in_progress"}
        run = client.post(f"{REPO}/check-runs", json=body).json()
        assert (run["status"], run["conclusion"], run["completed_at"]) == ("in_progress", None, None)
        for _ in range(2):
            output = {"title": "t", "summary": "s", "annotations": [note]}
            client.patch(f"{REPO}/check-runs/{run['id']}", json={"output": output})
        done = client.patch(f"{REPO}/check-runs/{run['id']}", json={"conclusion": "neutral"}).json()
        assert (done["status"], done["conclusion"]) == ("completed", "neutral")
        assert done["output"]["annotations_count"] == 2
        assert len(client.get(f"{REPO}/check-runs/{run['id']}/annotations").json()) == 2
        listed = client.get(f"{REPO}/commits/main/check-runs?check_name=regreen").json()
        assert [each["id"] for each in listed["check_runs"]] == [run["id"]]
        suites = client.get(f"{REPO}/commits/main/check-suites").json()["check_suites"]
        assert [(each["app"]["slug"], each["conclusion"]) for each in suites] == [("regreen", "neutral")]
        assert client.get(f"{REPO}/check-suites/{suites[0]['id']}/check-runs").json()["total_count"] == 1
        assert client.get(f"{REPO}/check-suites/{suites[0]['id']}").json()["head_sha"] == town.head()
        assert client.post(f"{REPO}/check-runs/{run['id']}/rerequest").status_code == 201
        huge = {"output": {"title": "t", "summary": "ü" * 40_000}}
        assert client.patch(f"{REPO}/check-runs/{run['id']}", json=huge).status_code == 422
    assert town.heard()[-1] == "check-run-rerequested"


def test_job_has_a_run_and_a_log_on_another_host(town: Town) -> None:
    check = town.hub.report_check(town.repo, town.head(), "tests", log=b"AssertionError\n", last_step="pytest")
    with town.client() as client:
        job = client.get(f"{REPO}/actions/jobs/{check.id}").json()
        assert [(each["name"], each["conclusion"]) for each in job["steps"]][-1] == ("pytest", "failure")
        run = client.get(f"{REPO}/actions/runs/{job['run_id']}").json()
        assert (run["name"], run["conclusion"], run["head_sha"]) == ("CI", "failure", town.head())
        jobs = client.get(f"{REPO}/actions/runs/{run['id']}/jobs").json()
        assert [each["id"] for each in jobs["jobs"]] == [check.id]
        link = client.get(f"{REPO}/actions/jobs/{check.id}/logs")
        assert link.status_code == 302
        location = link.headers["location"]
        assert location.startswith("http://localhost:")
        local = location.replace("localhost", "127.0.0.1")
        assert client.get(local).status_code == 401, "a token must not travel to the log store"
    with httpx.Client(trust_env=False) as stranger:
        assert stranger.get(local).content == b"AssertionError\n"
        town.hub.advance(61)
        assert stranger.get(local).status_code == 403


def pull_error(client: httpx.Client, **body: Any) -> tuple[int, dict[str, Any]]:
    answer = client.post(f"{REPO}/pulls", json={"title": "T", "base": "main", **body})
    return answer.status_code, answer.json()["errors"][0]


def test_pull_request_errors_are_githubs(town: Town) -> None:
    town.hub.commit(town.repo, "fix", {"calc.py": b"fixed\n"})
    with town.client() as client:
        assert client.post(f"{REPO}/pulls", json={"title": "T", "head": "fix", "base": "main"}).status_code == 201
        status, error = pull_error(client, head="ada:fix")
        assert (status, error["message"]) == (422, "A pull request already exists for ada:fix.")
        assert pull_error(client, head="main")[1]["message"] == "No commits between main and main"
        assert pull_error(client, head="none")[1] == {"resource": "PullRequest", "field": "head", "code": "invalid"}
        assert pull_error(client, head="eve:fix")[1]["field"] == "head"
        assert pull_error(client, head="fix", base="none")[1]["field"] == "base"
        assert pull_error(client, head="fix", title="")[1]["code"] == "missing_field"
        assert client.get(f"{REPO}/pulls/99").status_code == 404


def test_pull_requests_are_found_by_head_and_commit(town: Town) -> None:
    sha = town.hub.commit(town.repo, "fix", {"calc.py": b"fixed\n"})
    number = town.hub.open_pull(town.repo, "fix", "main").number
    with town.client() as client:

        def numbers(query: str) -> list[int]:
            return [each["number"] for each in client.get(f"{REPO}/{query}").json()]

        assert numbers("pulls?head=ada:fix&state=open") == [number]
        assert numbers("pulls?head=ada:other") == []
        assert numbers("pulls?head=eve:fix") == []
        assert numbers("pulls?state=closed") == []
        assert numbers("pulls?base=main&state=all") == [number]
        assert numbers(f"commits/{sha}/pulls") == [number]
        assert numbers("commits/main/pulls") == []
        assert numbers("issues?labels=none") == []
        pull = client.get(f"{REPO}/pulls/{number}").json()
        assert (pull["head"]["sha"], pull["changed_files"], pull["commits"]) == (sha, 1, 1)
        assert client.get(f"{REPO}/pulls/{number}/files").json()[0]["filename"] == "calc.py"
        assert client.get(f"{REPO}/pulls/{number}/commits").json()[0]["sha"] == sha
        assert client.get(f"{REPO}/issues/{number}").json()["pull_request"]["url"] == pull["url"]
        assert client.patch(f"{REPO}/pulls/{number}", json={"base": "none"}).status_code == 422


def test_labels_comments_and_reactions(town: Town) -> None:
    number = town.hub.open_issue(town.repo, "add subtracts").number
    with town.client() as client:
        here = f"{REPO}/issues/{number}"
        assert [each["name"] for each in client.post(f"{here}/labels", json=["bug", "new"]).json()] == ["bug", "new"]
        assert client.get(f"{here}/labels").json()[0]["color"] == "ededed"
        assert client.delete(f"{here}/labels/bug").json()[0]["name"] == "new"
        missing = client.delete(f"{here}/labels/bug")
        assert (missing.status_code, missing.json()["message"]) == (404, "Label does not exist")
        assert client.post(f"{REPO}/labels", json={"name": "BUG"}).json()["errors"][0]["code"] == "already_exists"
        assert client.post(f"{REPO}/labels", json={"name": "regreen", "color": "2da44e"}).status_code == 201
        assert len(client.get(f"{REPO}/labels").json()) == 3
        comment = client.post(f"{here}/comments", json={"body": "On it"}).json()
        assert comment["user"]["login"] == "regreen[bot]"
        assert comment["performed_via_github_app"]["id"] == town.app.id
        where = f"{REPO}/issues/comments/{comment['id']}"
        assert client.patch(where, json={"body": "Done"}).json()["body"] == "Done"
        assert client.get(where).json()["body"] == "Done"
        for path in (where, here):
            assert client.post(f"{path}/reactions", json={"content": "eyes"}).status_code == 201
            assert client.post(f"{path}/reactions", json={"content": "eyes"}).status_code == 200
            assert len(client.get(f"{path}/reactions").json()) == 1
        assert client.post(f"{here}/comments", json={"body": " "}).status_code == 422
        assert client.post(f"{here}/comments", json={"body": "x" * 65537}).status_code == 422
        assert client.get(f"{REPO}/issues/comments/1").status_code == 404
        assert client.get(f"{REPO}/issues/99").status_code == 404
        assert len(client.get(f"{REPO}/issues").json()) == 1
    assert [each.body for each in town.hub.comments(town.repo, number)] == ["Done"]


def test_apps_users_and_installations(town: Town) -> None:
    with town.client(app_jwt(town)) as client:
        assert client.get("/app").json()["slug"] == "regreen"
        assert client.get("/app").json()["installations_count"] == 1
        assert [each["id"] for each in client.get("/app/installations").json()] == [town.installation_id]
        held = client.get(f"/app/installations/{town.installation_id}").json()
        assert held["permissions"] == {"metadata": "read"} | PERMISSIONS
        assert client.get(f"{REPO}/installation").json()["id"] == town.installation_id
        town.hub.create_repo("ada", "other")
        assert client.get("/repos/ada/other/installation").status_code == 404
        assert client.get("/app/installations/1").status_code == 404
        assert client.get(REPO).status_code == 401, "an App itself sees no repository"
    with town.client() as client:
        bot = client.get("/users/regreen[bot]").json()
        assert (bot["id"], bot["type"]) == (town.app.bot.id, "Bot")
        assert client.get("/users/nobody").status_code == 404
        assert client.get("/app").status_code == 401
        assert client.get("/user").status_code == 403
