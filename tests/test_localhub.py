"""localhub as its users see it: the persons' API and the webhooks that follow; `make_town` serves the other files."""

from __future__ import annotations

import hashlib
import hmac
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from localhub.contract.description import webhook_name
from localhub.hub import Hub
from localhub.state import App, Repo

SECRET = "a secret of the tests"
PERMISSIONS = {
    "actions": "read",
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "pull_requests": "write",
    "statuses": "read",
}
EVENTS = ["check_run", "check_suite", "issue_comment", "issues", "pull_request", "push", "status", "workflow_run"]


@dataclass
class Received:
    """One webhook as it came over the wire."""

    headers: dict[str, str]
    raw: bytes

    @property
    def event(self) -> str:
        return self.headers["x-github-event"]

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.raw)

    @property
    def name(self) -> str:
        return webhook_name(self.event, self.body)


@dataclass
class Receiver:
    """A little HTTP server that keeps what it gets and answers with `status`."""

    status: int = 202
    received: list[Received] = field(default_factory=list)

    @contextmanager
    def listening(self) -> Iterator[str]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.received.append(Received(headers, raw))
                self.send_response(receiver.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_address[1]}/webhook"
            finally:
                server.shutdown()
                thread.join()


@dataclass
class Town:
    """A served hub with one repository and one installed App whose webhooks are received."""

    hub: Hub
    repo: Repo
    app: App
    installation_id: int
    receiver: Receiver

    @property
    def url(self) -> str:
        return self.hub.url

    def head(self, branch: str = "main") -> str:
        sha = self.repo.git.branch(branch)
        assert sha
        return sha

    def heard(self) -> list[str]:
        """The names of all webhooks so far, the ping and the installation left out."""
        assert self.hub.settle()
        names = [each.name for each in self.receiver.received]
        return [each for each in names if each not in ("ping", "installation-created")]

    def client(self, token: str | None = None) -> httpx.Client:
        own = token or self.hub.installation_token(self.installation_id)
        return httpx.Client(base_url=self.url, headers={"Authorization": f"Bearer {own}"}, trust_env=False)


@contextmanager
def make_town(
    *, permissions: dict[str, str] = PERMISSIONS, events: list[str] = EVENTS, private: bool = False
) -> Iterator[Town]:
    receiver = Receiver()
    files = {"README.md": b"# calc\n", "calc.py": b"def add(a, b):\n    return a - b\n"}
    with receiver.listening() as webhook_url, Hub() as hub, hub.serve():
        hub.create_user("ada")
        repo = hub.create_repo("ada", "calc", files, private=private)
        app = hub.register_app("regreen", webhook_url, SECRET, permissions, events)
        yield Town(hub, repo, app, hub.install(app, repo), receiver)
        hub.settle()


@pytest.fixture
def town() -> Iterator[Town]:
    with make_town() as made:
        yield made
        assert made.hub.violations == []
        assert made.hub.request_violations == []


def test_red_check_is_heard_as_run_suite_and_workflow(town: Town) -> None:
    check = town.hub.report_check(town.repo, town.head(), "tests", output={"title": "1 failed", "summary": "add"})
    assert town.heard() == [
        "check-run-created",
        "check-run-completed",
        "check-suite-completed",
        "workflow-run-completed",
    ]
    completed = next(each.body for each in town.receiver.received if each.name == "check-run-completed")
    assert completed["check_run"]["app"]["id"] == 15368
    assert completed["check_run"]["app"]["slug"] == "github-actions"
    assert completed["check_run"]["conclusion"] == "failure"
    assert completed["check_run"]["check_suite"]["head_branch"] == "main"
    assert completed["check_run"]["details_url"].endswith(f"/job/{check.id}")
    assert completed["installation"]["id"] == town.installation_id


def test_webhook_carries_all_headers_and_a_true_signature(town: Town) -> None:
    town.hub.open_issue(town.repo, "add subtracts")
    town.heard()
    got = town.receiver.received[-1]
    expected = hmac.new(SECRET.encode(), got.raw, hashlib.sha256).hexdigest()
    assert got.headers["x-hub-signature-256"] == f"sha256={expected}"
    assert got.headers["user-agent"].startswith("GitHub-Hookshot/")
    assert got.headers["x-github-hook-id"] == str(town.app.hook_id)
    assert got.headers["x-github-hook-installation-target-id"] == str(town.app.id)
    assert got.headers["x-github-hook-installation-target-type"] == "integration"
    assert got.headers["x-github-event"] == "issues"
    assert got.headers["content-type"] == "application/json"
    guids = [each.headers["x-github-delivery"] for each in town.receiver.received]
    assert len(set(guids)) == len(guids) == 3


def test_redelivery_keeps_its_guid(town: Town) -> None:
    town.hub.open_issue(town.repo, "add subtracts")
    town.heard()
    first = town.hub.deliveries[-1]
    town.hub.redeliver(first.guid)
    town.hub.settle()
    again = town.hub.deliveries[-1]
    assert (again.guid, again.redelivery, again.status_code) == (first.guid, True, 202)
    assert again.id != first.id
    assert town.receiver.received[-1].raw == town.receiver.received[-2].raw


def test_webhooks_can_be_doubled_and_lost(town: Town) -> None:
    town.hub.duplicate_webhooks(lambda event, body: 2)
    issue = town.hub.open_issue(town.repo, "add subtracts")
    assert town.heard() == ["issues-opened", "issues-opened"]
    assert len({each.headers["x-github-delivery"] for each in town.receiver.received[-2:]}) == 1
    town.hub.drop_webhooks(lambda event, body: event == "issues")
    town.hub.add_label(town.repo, issue.number, "regreen")
    assert town.heard() == ["issues-opened", "issues-opened"]


def test_failed_delivery_is_logged_and_not_retried(town: Town) -> None:
    town.receiver.status = 500
    town.hub.open_issue(town.repo, "add subtracts")
    town.heard()
    assert town.hub.deliveries[-1].status_code == 500
    assert town.heard() == ["issues-opened"]


def test_dead_receiver_is_logged() -> None:
    with Hub() as hub, hub.serve():
        app = hub.register_app("deaf", "http://127.0.0.1:9/", SECRET, PERMISSIONS, EVENTS)
        assert hub.settle()
        assert hub.deliveries[-1].app is app
        assert hub.deliveries[-1].status_code == 502


def test_app_hears_only_what_its_permissions_and_events_allow() -> None:
    with make_town(permissions={"checks": "read", "contents": "read"}, events=["check_run", "issues"]) as town:
        town.hub.open_issue(town.repo, "add subtracts")
        town.hub.commit(town.repo, "main", {"calc.py": b"x\n"})
        town.hub.report_check(town.repo, town.head(), "tests")
        assert town.heard() == ["check-run-created", "check-run-completed"]


def test_buttons_are_heard_only_by_the_owner_of_the_run(town: Town) -> None:
    other = Receiver()
    with other.listening() as url:
        app = town.hub.register_app("other", url, SECRET, PERMISSIONS, EVENTS)
        town.hub.install(app, town.repo)
        run = town.hub.report_check(town.repo, town.head(), "repair", as_app="regreen")
        town.hub.rerequest(town.repo, run, "ada")
        town.hub.rerequest_suite(town.repo, run, "ada")
        assert town.heard()[-2:] == ["check-run-rerequested", "check-suite-rerequested"]
        assert "check-run-rerequested" not in [each.name for each in other.received]


def test_every_webhook_we_describe_is_sent_and_conforms(town: Town) -> None:
    """Walks the pruned description: whatever stands there must be emitted, and must be valid."""
    hub, repo = town.hub, town.repo
    hub.commit(repo, "fix", {"calc.py": b"def add(a, b):\n    return a + b\n"}, author="ada")
    pull = hub.open_pull(repo, "fix", "main", "Mend add")
    hub.commit(repo, "fix", {"README.md": None, "new.py": b"\n"})
    hub.add_label(repo, pull.number, "bug")
    hub.remove_label(repo, pull.number, "bug")
    hub.comment(repo, pull.number, "/regreen")
    with town.client() as client:
        client.patch(f"/repos/ada/calc/pulls/{pull.number}", json={"title": "Mend `add`"})
        client.patch(f"/repos/ada/calc/pulls/{pull.number}", json={"state": "closed"})
        client.patch(f"/repos/ada/calc/pulls/{pull.number}", json={"state": "open"})
        mine = client.post(f"/repos/ada/calc/issues/{pull.number}/comments", json={"body": "On it"}).json()
        client.patch(f"/repos/ada/calc/issues/comments/{mine['id']}", json={"body": "Done"})
        button = {"label": "Fix", "description": "Repair it", "identifier": "fix"}
        body = {"name": "regreen", "head_sha": town.head("fix"), "conclusion": "neutral", "actions": [button]}
        assert client.post("/repos/ada/calc/check-runs", json=body).status_code == 201
    run = hub.check_runs(repo, town.head("fix"))[0]
    hub.request_action(repo, run, "fix", "ada")
    hub.rerequest(repo, run, "ada")
    hub.rerequest_suite(repo, run, "ada")
    hub.report_check(repo, town.head("fix"), "tests", log=b"E assert 1 == 2\n")
    hub.report_status(repo, town.head("fix"), "ci/older")
    hub.merge_pull(repo, pull.number)
    hub.delete_branch(repo, "fix")
    issue = hub.open_issue(repo, "add subtracts", by="ada")
    hub.add_label(repo, issue.number, "regreen")
    hub.remove_label(repo, issue.number, "regreen")
    hub.close_issue(repo, issue.number)
    hub.reopen_issue(repo, issue.number)
    hub.suspend(town.installation_id)
    hub.suspend(town.installation_id, back=True)
    hub.uninstall(town.installation_id)
    hub.settle()
    description = hub.world.description
    emitted = {each.name for each in town.receiver.received}
    assert emitted == set(description.webhooks["webhooks"])
    faults = [fault for each in town.receiver.received for fault in description.webhook_faults(each.event, each.body)]
    assert faults == []


def test_pull_request_follows_its_branch_and_its_merge(town: Town) -> None:
    first = town.hub.commit(town.repo, "fix", {"calc.py": b"fixed\n"})
    pull = town.hub.open_pull(town.repo, "fix", "main")
    second = town.hub.commit(town.repo, "fix", {"calc.py": b"fixed better\n"})
    assert town.heard()[-2:] == ["check-suite-requested", "pull-request-synchronize"]
    synchronize = town.receiver.received[-1].body
    assert (synchronize["before"], synchronize["after"]) == (first, second)
    assert town.repo.git.sha_of(f"refs/pull/{pull.number}/head") == second
    merge = town.hub.merge_pull(town.repo, pull.number)
    held = town.hub.pull(town.repo, pull.number)
    assert held.state == "closed"
    assert held.pull and held.pull.merge_commit_sha == merge
    assert town.hub.file_at(town.repo, "main", "calc.py") == b"fixed better\n"


def test_deleting_the_branch_closes_the_pull_request(town: Town) -> None:
    town.hub.commit(town.repo, "fix", {"calc.py": b"fixed\n"})
    pull = town.hub.open_pull(town.repo, "fix", "main")
    town.hub.delete_branch(town.repo, "fix")
    assert town.hub.pulls(town.repo) == []
    assert town.hub.pulls(town.repo, "all") == [pull]
    assert town.heard()[-2:] == ["push", "pull-request-closed"]


def test_pull_request_from_a_fork_looks_like_one(town: Town) -> None:
    """Its checks know neither branch nor pull request, as on GitHub; pushes to the fork move it."""
    fork = town.hub.fork(town.repo, "eve")
    sha = town.hub.commit(fork, "fix", {"calc.py": b"hers\n"})
    pull = town.hub.open_pull(town.repo, "fix", "main", by="eve", fork=fork)
    town.hub.report_check(town.repo, sha, "tests")
    assert town.heard()[-2:] == ["check-suite-completed", "workflow-run-completed"]
    completed = town.receiver.received[-2].body
    assert completed["check_suite"]["head_branch"] is None
    assert completed["check_suite"]["pull_requests"] == []
    with town.client() as client:
        found = client.get("/repos/ada/calc/pulls", params={"head": "eve:fix"}).json()
        assert [each["number"] for each in found] == [pull.number]
        assert found[0]["head"]["repo"]["full_name"] == "eve/calc"
        assert found[0]["head"]["repo"]["fork"] is True
        assert client.get(f"/repos/ada/calc/commits/{sha}/pulls").json()[0]["number"] == pull.number
    newer = town.hub.commit(fork, "fix", {"calc.py": b"hers, better\n"})
    assert town.heard()[-1] == "pull-request-synchronize"
    assert town.repo.git.sha_of(f"refs/pull/{pull.number}/head") == newer


def test_repository_is_made_from_a_folder_with_modes_and_links(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("true\n")
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.txt").write_text("a")
    (tmp_path / "link").symlink_to("run.sh")
    with Hub() as hub:
        repo = hub.create_repo("ada", "calc", tmp_path)
        modes = {each.path: each.mode for each in repo.git.tree(repo.git.commit("main").tree, recursive=True)}
        assert modes == {"deep": "040000", "deep/a.txt": "100644", "link": "120000", "run.sh": "100755"}
        hub.commit(repo, "main", {"run.sh": b"false\n"})
        assert [each.mode for each in repo.git.tree("main") if each.path == "run.sh"] == ["100755"]
        assert hub.file_at(repo, "main", "deep") is None


def test_folder_of_a_closed_hub_is_gone() -> None:
    with Hub() as hub:
        hub.create_repo("ada", "calc")
        folder = hub.folder
        assert folder.exists()
    assert not folder.exists()


def test_numbers_are_unique_across_threads(town: Town) -> None:
    def talk() -> None:
        for _ in range(10):
            town.hub.comment(town.repo, town.hub.open_issue(town.repo, "x").number, "y")

    threads = [threading.Thread(target=talk) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(town.repo.issues) == list(range(1, 41))
    assert len(town.heard()) == 80


def test_module_runs_by_hand() -> None:
    argv = [sys.executable, "-m", "localhub", "--port", "0"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent) as process:
        try:
            assert process.stdout
            url = process.stdout.readline().split()[1]
            token = process.stdout.readline().split()[1]
            with httpx.Client(base_url=url, headers={"Authorization": f"token {token}"}, trust_env=False) as client:
                assert client.get("/user").json()["login"] == "octo"
        finally:
            process.terminate()
        assert process.wait(timeout=30) == 0
