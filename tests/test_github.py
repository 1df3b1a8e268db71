"""GitHub in our words, against the local GitHub: paging, limits, fresh tokens, and what was missed."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from bot import github, needs, reconcile, redaction
from bot.errors import Refused, TryLater
from bot.github import App
from bot.ledger import Ledger
from bot.nouns import Request
from bot.repository import Repository
from handlers.demo import EVENTS
from localhub.hub import Hub
from localhub.state import Repo


class Door(HTTPServer):
    """Takes webhooks, or refuses them while `down`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.down = False
        self.heard: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: Door

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        if not self.server.down:
            self.server.heard.append(self.headers["x-github-delivery"])
        self.send_response(503 if self.server.down else 202)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def door() -> Iterator[Door]:
    with Door() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def town(door: Door) -> Iterator[tuple[Hub, Repo, App, int]]:
    with Hub() as hub, hub.serve():
        repo = hub.create_repo("ada", "shop", {"a.txt": b"1"})
        made = hub.register_app(
            "regreen", f"http://127.0.0.1:{door.server_port}/", "s" * 20, needs.PERMISSIONS, EVENTS
        )
        installation = hub.install(made, repo)
        yield hub, repo, App(made.id, made.private_key_pem, hub.url), installation
        assert hub.violations == []
        assert hub.request_violations == []


def open_repository(town: tuple[Hub, Repo, App, int]) -> Any:
    _, repo, app, installation = town
    return app.repository(installation, repo.id)


def test_lists_are_read_to_their_end(town: tuple[Hub, Repo, App, int]) -> None:
    """The sticky comment stands behind more than one page of others."""
    hub, repo, app, _ = town
    issue = hub.open_issue(repo, "Long", by="ada")
    with open_repository(town) as repository:
        repository.sticky_comment(issue.number, "ours <!-- m -->", marker="<!-- m -->", app_id=app.id)
        for number in range(205):
            hub.comment(repo, issue.number, f"talk {number}", by="ada")
        repository.sticky_comment(issue.number, "ours, new <!-- m -->", marker="<!-- m -->", app_id=app.id)
    ours = [found.body for found in hub.comments(repo, issue.number) if found.app is not None]
    assert ours == ["ours, new <!-- m -->"]


@pytest.mark.parametrize(
    ("status", "headers", "message", "after_s"),
    [
        (429, {"retry-after": "72"}, "slow down", 72),
        (403, {"retry-after": "7"}, "You have exceeded a secondary rate limit", 7),
        (429, {}, "slow down", 60),
        (403, {}, "API rate limit exceeded", 60),
        (429, {"retry-after": "99999"}, "slow down", github.MAX_WAIT_S),
        (502, {}, "Server Error", 5),
    ],
)
def test_a_limit_says_how_long_to_wait(
    town: tuple[Hub, Repo, App, int], status: int, headers: dict[str, str], message: str, after_s: float
) -> None:
    hub, repo, _, _ = town
    issue = hub.open_issue(repo, "x", by="ada")
    with open_repository(town) as repository:
        hub.fail_next(status, verb="POST", path="/comments", message=message, headers=headers)
        with pytest.raises(TryLater) as later:
            repository.sticky_comment(issue.number, "b", marker="m", app_id=1)
        assert later.value.after_s == after_s


def test_a_write_is_never_repeated_blindly(town: tuple[Hub, Repo, App, int]) -> None:
    hub, repo, _, _ = town
    issue = hub.open_issue(repo, "x", by="ada")
    with open_repository(town) as repository:
        hub.fail_next(502, verb="POST", path="/comments")
        with pytest.raises(TryLater):
            repository.sticky_comment(issue.number, "b", marker="m", app_id=1)
    posts = [found for found in hub.requests if found.verb == "POST" and found.path.endswith("/comments")]
    assert len(posts) == 1


@pytest.mark.parametrize("status", [403, 404, 422])
def test_a_reaction_that_is_refused_costs_nobody_a_repair(
    town: tuple[Hub, Repo, App, int], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comment may be deleted, or its pull request locked, before the command is heard."""
    monkeypatch.setattr(github, "_FRESH_TOKEN_WAITS_S", ())
    hub, repo, _, _ = town
    comment = hub.comment(repo, hub.open_issue(repo, "x", by="ada").number, "/regreen fix", by="ada")
    with open_repository(town) as repository:
        hub.fail_next(status, verb="POST", path="/reactions", message="Validation Failed")
        repository.react(comment.id, "eyes")
    assert comment.reactions == []


@pytest.mark.parametrize("status", [401, 403])
def test_a_token_that_github_does_not_know_yet_is_tried_again(
    town: tuple[Hub, Repo, App, int], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github, "_FRESH_TOKEN_WAITS_S", (0.01, 0.01, 0.01))
    hub, repo, _, _ = town
    hub.fail_next(status, path="/repositories/", message="Bad credentials", times=2)
    with open_repository(town) as repository:
        assert repository.name == repo.full_name


def test_the_policy_file_is_read_from_the_default_branch(town: tuple[Hub, Repo, App, int]) -> None:
    hub, repo, _, _ = town
    with open_repository(town) as repository:
        assert repository.file(".github/regreen.yml") is None
        hub.commit(repo, "main", {".github/regreen.yml": b"gate: {}\n"}, "x", "ada")
        hub.commit(repo, "topic", {".github/regreen.yml": b"other: {}\n"}, "x", "ada")
        assert repository.file(".github/regreen.yml") == b"gate: {}\n"
        with pytest.raises(Refused, match="no plain file"):
            repository.file(".github")


def test_text_of_an_issue_is_its_body_alone(town: tuple[Hub, Repo, App, int]) -> None:
    hub, repo, _, _ = town
    told = hub.open_issue(repo, "Title", body="Cents are lost.", by="ada")
    with open_repository(town) as repository:
        assert repository.issue_text(told.number) == "Cents are lost."
        assert repository.issue_text(hub.open_issue(repo, "Title", by="ada").number) == ""


def test_what_goes_to_github_holds_no_secret_and_a_verified_file_is_not_touched(
    town: tuple[Hub, Repo, App, int],
) -> None:
    hub, repo, app, installation = town
    token = "ghs_" + "a1B2" * 10
    issue = hub.open_issue(repo, "x", by="ada")
    base = repo.git.branch("main")
    assert base is not None
    with app.repository(installation, repo.id, github.PUBLISH) as repository:
        repository.sticky_comment(issue.number, f"log: {token} m", marker="m", app_id=app.id)
        sha = repository.commit(base, {"b.txt": token.encode()}, {}, "Add")
        repository.put_branch("regreen/x", sha)
    assert hub.comments(repo, issue.number)[0].body == "log: [REDACTED:github-token] m"
    assert hub.file_at(repo, "regreen/x", "b.txt") == token.encode()


def test_a_revoked_token_is_not_looked_for_any_more(town: tuple[Hub, Repo, App, int]) -> None:
    """A server mints some with every job: it must not look for ever more of them in every text."""
    before = len(redaction._known)
    for _ in range(3):
        with open_repository(town):
            assert len(redaction._known) > before
    assert len(redaction._known) == before


def test_what_was_not_delivered_is_asked_for_again_once(town: tuple[Hub, Repo, App, int], door: Door) -> None:
    hub, repo, app, _ = town
    door.down = True
    hub.open_issue(repo, "missed", by="ada")
    assert hub.settle()
    door.down = False
    hub.open_issue(repo, "heard", by="ada")
    assert hub.settle()
    heard = list(door.heard)
    lost = {found.guid for found in hub.deliveries} - set(heard)
    assert lost
    assert reconcile.once(app) == len(lost)
    assert hub.settle()
    assert set(door.heard) - set(heard) == lost
    assert reconcile.once(app) == 0


def test_red_pull_requests_are_found_without_any_delivery(town: tuple[Hub, Repo, App, int]) -> None:
    hub, repo, app, installation = town
    heads = {name: hub.commit(repo, name, {name: b"1"}, name, "ada") for name in ("red", "green", "told")}
    numbers = {name: hub.open_pull(repo, name, "main", by="ada").number for name in heads}
    hub.report_check(repo, heads["red"], "tests", "failure")
    hub.report_check(repo, heads["green"], "tests", "success")
    hub.report_check(repo, heads["told"], "tests", "failure")
    with open_repository(town) as repository:
        repository.check_run(heads["told"], name="regreen", job="j", app_id=app.id)
    long_ago, soon = datetime(2020, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
    (found,) = reconcile.red_heads(app, since=long_ago)
    assert (found.sha, found.number, found.branch, found.installation) == (
        heads["red"], numbers["red"], "red", installation,
    )  # fmt: skip
    assert list(reconcile.red_heads(app, since=soon)) == []


def test_check_that_does_not_say_when_it_ended_is_no_reason_to_stop_looking(town: tuple[Hub, Repo, App, int]) -> None:
    """GitHub's description lets it be null."""
    hub, repo, app, _ = town
    for name in ("odd", "plain"):
        sha = hub.commit(repo, name, {name: b"1"}, name, "ada")
        hub.open_pull(repo, name, "main", by="ada")
        run = hub.report_check(repo, sha, "tests", "failure")
        if name == "odd":
            run.completed_at = None
    assert [found.branch for found in reconcile.red_heads(app, since=datetime(2020, 1, 1, tzinfo=UTC))] == ["plain"]


def test_what_was_red_before_regreen_came_waits_for_a_person(
    town: tuple[Hub, Repo, App, int], tmp_path: Path
) -> None:
    hub, repo, app, _ = town
    ledger, taken = Ledger(tmp_path / "ledger.sqlite"), list[str]()

    def submit(request: Request) -> bool:
        taken.append(request.delivery)
        return True

    for name in ("before", "after"):
        sha = hub.commit(repo, name, {name: b"1"}, name, "ada")
        hub.open_pull(repo, name, "main", by="ada")
        hub.report_check(repo, sha, "tests", "failure")
        if name == "before":
            assert reconcile.sweep(app, ledger, submit) == 0
            time.sleep(1.1)  # GitHub's times have no fractions
            ledger.sweep(datetime.now(UTC).replace(microsecond=0) + reconcile.OVERLAP)
    assert reconcile.sweep(app, ledger, submit) == 1
    assert taken == [f"sweep:{repo.id}:{sha}"]


def attempt(number: int, guid: str, code: int, *, age: timedelta = timedelta()) -> dict[str, Any]:
    at = datetime(2026, 11, 29, tzinfo=UTC) - age
    return json.loads(json.dumps({"id": number, "guid": guid, "status_code": code, "delivered_at": at.isoformat()}))


@pytest.mark.parametrize(
    ("attempts", "wanted"),
    [
        ([], []),
        ([attempt(2, "b", 503), attempt(1, "a", 0)], [1, 2]),
        ([attempt(2, "a", 202), attempt(1, "a", 503)], []),
        ([attempt(3, "a", 503), attempt(2, "a", 502), attempt(1, "b", 200)], [3]),
        ([attempt(number, "a", 503) for number in range(4, 0, -1)], []),
        ([attempt(1, "a", 503, age=timedelta(days=4))], []),
    ],
    ids=["none", "in their order", "arrived later", "newest attempt", "gave up", "too old"],
)
def test_missed_deliveries(attempts: list[dict[str, Any]], wanted: list[int]) -> None:
    assert reconcile.missed(attempts, now=datetime(2026, 11, 29, tzinfo=UTC)) == wanted


def test_all_kinds_of_repository_calls_are_those_of_one_class() -> None:
    """What is public of a Repository is used by the bot: nothing is kept for later."""
    import re
    from pathlib import Path

    used = "".join(path.read_text() for path in Path(github.__file__).parent.glob("*.py"))
    public = [name for name in vars(Repository) if not name.startswith("_")]
    assert [name for name in public if not re.search(rf"\.{name}\(", used)] == []
