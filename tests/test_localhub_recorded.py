"""What GitHub itself once answered, recorded by Octokit: localhub answers the same requests in the same shape."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from localhub.hub import Hub
from localhub.state import Repo

FOLDER = Path(__file__).parent / "recorded"
RECORDED: dict[str, list[dict[str, Any]]] = json.loads(gzip.decompress((FOLDER / "exchanges.json.gz").read_bytes()))
OWNER = "octokit-fixture-org"
NAMES = {"get-content": "hello-world", "get-repository": "hello-world"}
FILES = {"README.md": b"# hello-world\n"}


def issue(hub: Hub, repo: Repo) -> None:
    hub.open_issue(repo, "Issue without a label")


def issues(hub: Hub, repo: Repo) -> None:
    for number in range(13):
        hub.open_issue(repo, f"Test issue {number}")


def status(hub: Hub, repo: Repo) -> None:
    for state in ("failure", "success"):
        hub.report_status(repo, head(repo), "example", state)


def label(hub: Hub, repo: Repo) -> None:
    number = hub.open_issue(repo, "An issue").number
    hub.add_label(repo, number, "bug")


def nothing(_hub: Hub, _repo: Repo) -> None:
    pass


BEFORE: dict[str, Callable[[Hub, Repo], None]] = {
    "add-labels-to-issue": issue, "create-status": status, "labels": label, "paginate-issues": issues,
}  # fmt: skip


def head(repo: Repo) -> str:
    sha = repo.git.branch("main")
    assert sha is not None
    return sha


# Recorded, and not answered by localhub: settings of a repository that only its people see, and its organization.
LEFT_OUT = {
    "get-repository": {
        ".allow_auto_merge", ".allow_merge_commit", ".allow_rebase_merge", ".allow_squash_merge", ".allow_update_branch",
        ".delete_branch_on_merge", ".organization", ".permissions", ".temp_clone_token", ".use_squash_pr_title_as_default",
    }
}  # fmt: skip


def differences(recorded: Any, ours: Any, at: str = "") -> Iterator[str]:
    """Fields that are missing in ours, or of another type."""
    if recorded is None or ours is None:
        return
    if isinstance(recorded, dict) and isinstance(ours, dict):
        for name, value in recorded.items():
            if name not in ours:
                yield f"{at}.{name} is missing"
            else:
                yield from differences(value, ours[name], f"{at}.{name}")
    elif isinstance(recorded, list) and isinstance(ours, list):
        if recorded and ours:
            yield from differences(recorded[0], ours[0], f"{at}[]")
    elif type(recorded) is not type(ours):
        yield f"{at} is {type(ours).__name__}, and was {type(recorded).__name__}"


@pytest.mark.parametrize("scenario", sorted(RECORDED))
def test_localhub_answers_as_github_once_did(scenario: str) -> None:
    name = NAMES.get(scenario, scenario)
    with Hub() as hub, hub.serve():
        repo = hub.create_repo(OWNER, name, FILES)
        BEFORE.get(scenario, nothing)(hub, repo)
        later = hub.commit(repo, "other", {"x": b"x"}, "Later")
        shas = {"0" * 39 + "1": head(repo) if scenario == "create-status" else later, "0" * 39 + "2": head(repo)}
        who = {"Authorization": f"token {hub.token_of(OWNER)}"}
        with httpx.Client(base_url=hub.url, headers=who, trust_env=False) as client:
            for exchange in RECORDED[scenario]:
                path, body = exchange["path"], json.dumps(exchange["body"]) if exchange["body"] else ""
                for theirs, mine in shas.items():
                    path, body = path.replace(theirs, mine), body.replace(theirs, mine)
                answer = client.request(exchange["method"].upper(), path, content=body.encode())
                assert answer.status_code == exchange["status"], answer.text
                found = answer.json() if answer.content else ""
                left_out = LEFT_OUT.get(scenario, set())
                assert [
                    each for each in differences(exchange["response"], found) if each.split(" ")[0] not in left_out
                ] == []
                assert list(answer.links) == [part.split('"')[1] for part in exchange["link"].split("rel=")[1:]]
        assert hub.violations == []


def test_a_field_that_is_missing_or_of_another_type_is_a_difference() -> None:
    recorded = {"id": 1, "user": {"login": "x"}, "labels": [{"name": "a"}]}
    assert list(differences(recorded, {"id": "1", "user": {}, "labels": [{}]})) == [
        ".id is str, and was int", ".user.login is missing", ".labels[].name is missing",
    ]  # fmt: skip


def test_notice_names_the_source_package() -> None:
    notice = (FOLDER / "NOTICE").read_text()
    assert "@octokit/fixtures 23.1.2" in notice
    assert "MIT" in notice
