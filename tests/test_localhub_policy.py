"""localhub over real HTTP: reviews on lines, rules of branches, commit statuses, Apps made from a manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from test_localhub import EVENTS, PERMISSIONS, Town, make_town
from test_localhub_rest import app_jwt

REPO = "/repos/ada/calc"
LONG = "".join(f"line {number}\n" for number in range(1, 41))


@pytest.fixture
def town() -> Iterator[Town]:
    with make_town(permissions={**PERMISSIONS, "statuses": "write"}, events=[*EVENTS, "status"]) as made:
        yield made
        assert made.hub.violations == []
        assert made.hub.request_violations == []


def pull(town: Town) -> int:
    """A pull request that changes lines 3 and 30 of a long file."""
    town.hub.commit(town.repo, "main", {"long.txt": LONG.encode()})
    changed = LONG.replace("line 3\n", "line three\n").replace("line 30\n", "line thirty\n")
    town.hub.commit(town.repo, "topic", {"long.txt": changed.encode()})
    return town.hub.open_pull(town.repo, "topic", "main").number


def review(town: Town, number: int, **comment: Any) -> httpx.Response:
    body = {"event": "COMMENT", "body": "Look.", "commit_id": town.head("topic")}
    place = {"path": "long.txt", "body": "```suggestion\nline III\n```", "side": "RIGHT", **comment}
    with town.client() as client:
        return client.post(f"{REPO}/pulls/{number}/reviews", json={**body, "comments": [place]})


def test_suggestions_of_a_review_can_be_committed(town: Town) -> None:
    number = pull(town)
    made = review(town, number, line=3)
    assert (made.status_code, made.json()["state"]) == (200, "COMMENTED")
    with town.client() as client:
        assert [each["id"] for each in client.get(f"{REPO}/pulls/{number}/reviews").json()] == [made.json()["id"]]
        (comment,) = client.get(f"{REPO}/pulls/{number}/comments").json()
    assert (comment["line"], comment["start_line"], comment["path"]) == (3, None, "long.txt")
    town.hub.commit_suggestions(town.repo, number)
    content = town.hub.file_at(town.repo, "topic", "long.txt")
    assert content == LONG.replace("line 3\n", "line III\n").replace("line 30\n", "line thirty\n").encode()


@pytest.mark.parametrize(
    "place",
    [
        {"line": 15},
        {"line": 30, "start_line": 3, "start_side": "RIGHT"},
        {"line": 3, "start_line": 3, "start_side": "RIGHT"},
        {"line": 3, "path": "README.md"},
        {"line": 3, "side": "LEFT"},
    ],
    ids=["outside", "two hunks", "start is end", "other file", "left"],
)
def test_comment_on_lines_that_are_not_shown_is_refused(town: Town, place: dict[str, Any]) -> None:
    answer = review(town, pull(town), **place)
    assert answer.status_code == 422
    assert "must be part of the diff" in answer.json()["errors"][0]["message"]


def test_rules_and_protection_are_told_and_enforced(town: Town) -> None:
    town.hub.commit(town.repo, "topic", {"a": b"1"})
    town.hub.rule(town.repo, "creation", "regreen/*")
    town.hub.rule(town.repo, "pull_request", "release/*")
    town.hub.commit(town.repo, "release/1", {"a": b"1"})
    town.hub.protect(town.repo, "topic")
    new = town.head()
    with town.client() as client:
        rules = client.get(f"{REPO}/rules/branches/regreen/fix-1").json()
        assert [each["type"] for each in rules] == ["creation"]
        assert client.get(f"{REPO}/rules/branches/main").json() == []
        assert client.get(f"{REPO}/branches/topic").json()["protected"] is True
        assert client.get(f"{REPO}/branches/main").json()["protected"] is False
        made = client.post(f"{REPO}/git/refs", json={"ref": "refs/heads/regreen/fix-1", "sha": new})
        assert (made.status_code, "creations being restricted" in made.json()["message"]) == (422, True)
        for branch, said in (("topic", "Protected branch"), ("release/1", "through a pull request")):
            moved = client.patch(f"{REPO}/git/refs/heads/{branch}", json={"sha": new, "force": True})
            assert (moved.status_code, said in moved.json()["message"]) == (422, True)


def test_statuses_are_announced_and_come_to_one_state(town: Town) -> None:
    sha = town.head()
    with town.client() as client:
        for state, context in (("pending", "a"), ("success", "a"), ("failure", "b")):
            made = client.post(f"{REPO}/statuses/{sha}", json={"state": state, "context": context})
            assert (made.status_code, made.json()["state"]) == (201, state)
        combined = client.get(f"{REPO}/commits/{sha}/status").json()
    assert (combined["state"], combined["total_count"]) == ("failure", 2)
    assert town.heard() == ["status", "status", "status"]
    event = town.receiver.received[-1].body
    assert [branch["name"] for branch in event["branches"]] == ["main"]


MANIFEST: dict[str, Any] = {
    "name": "Fixer", "url": "https://example.org", "redirect_url": "http://127.0.0.1:1/back", "public": False,
    "hook_attributes": {"url": "http://127.0.0.1:9/webhook"},
    "default_permissions": {"checks": "write"}, "default_events": ["check_run"],
}  # fmt: skip


def post_form(town: Town, path: str = "/settings/apps/new?state=s1", **changes: Any) -> httpx.Response:
    return httpx.post(f"{town.url}{path}", data={"manifest": json.dumps({**MANIFEST, **changes})})


@pytest.mark.parametrize("path", ["/settings/apps/new?state=s1", "/organizations/acme/settings/apps/new?state=s1"])
def test_manifest_becomes_an_app_whose_key_works(town: Town, path: str) -> None:
    sent = post_form(town, path)
    assert sent.status_code == 302
    back = httpx.URL(sent.headers["location"])
    assert (back.host, back.path, back.params["state"]) == ("127.0.0.1", "/back", "s1")
    address = f"{town.url}/api/v3/app-manifests/{back.params['code']}/conversions"
    made = httpx.post(address)
    assert (made.status_code, made.json()["slug"]) == (201, "fixer")
    assert httpx.post(address).status_code == 404
    (app,) = [each for each in town.hub.world.apps.values() if each.slug == "fixer"]
    assert (made.json()["id"], made.json()["webhook_secret"]) == (app.id, app.webhook_secret)
    assert app.owner.login == ("acme" if "acme" in path else "octo")


def test_code_of_a_manifest_lasts_an_hour(town: Town) -> None:
    code = httpx.URL(post_form(town).headers["location"]).params["code"]
    town.hub.advance(3601)
    assert httpx.post(f"{town.url}/app-manifests/{code}/conversions").status_code == 404


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"hook_attributes": {"url": "https://x.org/", "secret": "s"}}, "secret is not allowed"),
        ({"hook_attributes": {"url": "http://localhost:8000/"}}, "isn't reachable"),
        ({"default_events": ["ping"]}, "ping cannot be listed"),
        ({"default_events": ["issues"]}, "issues needs a permission"),
        ({"name": ""}, "name is missing"),
    ],
)
def test_manifest_that_github_would_refuse_is_refused(town: Town, changes: dict[str, Any], said: str) -> None:
    answer = post_form(town, **changes)
    assert (answer.status_code, said in answer.text) == (422, True)


def test_hook_configuration_hides_its_secret(town: Town) -> None:
    with town.client(app_jwt(town)) as client:
        found = client.get("/app/hook/config").json()
    assert (found["url"], found["secret"]) == (town.app.webhook_url, "********")
