"""The triggers as pure functions: a payload in; a Request, a Notice or the reason for a Skip out, by tables."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import pytest

from bot.nouns import Notice, Request, Skip
from handlers import check_run, check_suite, commit_status, issue_label, lifecycle, pr_comment, workflow_run

APP = 41
COMMON: dict[str, Any] = {
    "repository": {"id": 7, "full_name": "ada/shop", "default_branch": "main", "unknown": {}},
    "installation": {"id": 3, "node_id": "x"},
    "sender": {"login": "ada", "type": "User"},
}
CHECK: dict[str, Any] = {
    **COMMON,
    "action": "completed",
    "check_run": {
        "id": 1, "name": "tests", "head_sha": "a" * 40, "conclusion": "failure", "app": {"id": 15368},
        "check_suite": {"head_branch": "main"}, "pull_requests": [],
    },
}  # fmt: skip
LABELED: dict[str, Any] = {
    **COMMON, "action": "labeled", "issue": {"number": 5, "state": "open"}, "label": {"name": "regreen"},
}  # fmt: skip
COMMENT: dict[str, Any] = {
    **COMMON,
    "action": "created",
    "issue": {"number": 6, "state": "open", "pull_request": {"url": "u"}},
    "comment": {"id": 9, "body": "/regreen fix", "user": {"login": "ada", "type": "User"}},
}
PULL: dict[str, Any] = {
    "number": 12,
    "head": {"ref": "topic"},
    "base": {"ref": "main", "repo": {"id": 7, "url": "u", "name": "y"}},
}
PRESSED: dict[str, Any] = {
    **CHECK,
    "action": "requested_action",
    "requested_action": {"identifier": "retry"},
    "check_run": {**CHECK["check_run"], "app": {"id": APP}, "pull_requests": [PULL]},
}
SUITE: dict[str, Any] = {
    **COMMON,
    "action": "completed",
    "check_suite": {
        "head_sha": "a" * 40, "head_branch": "main", "conclusion": "failure", "app": {"id": 15368}, "pull_requests": [],
    },
}  # fmt: skip
RUN: dict[str, Any] = {
    **COMMON,
    "action": "completed",
    "workflow_run": {
        "name": "CI", "head_sha": "a" * 40, "head_branch": "main", "conclusion": "failure", "event": "push",
        "head_repository": {"id": 7}, "pull_requests": [],
    },
}  # fmt: skip
STATUS: dict[str, Any] = {
    **COMMON,
    "sha": "a" * 40, "state": "failure", "context": "ci/older",
    "branches": [
        {"name": "release", "commit": {"sha": "c" * 40}}, {"name": "main", "commit": {"sha": "a" * 40}},
    ],
}  # fmt: skip
CLOSED: dict[str, Any] = {
    **COMMON,
    "action": "closed",
    "pull_request": {
        "number": 12, "head": {"ref": "topic", "sha": "b" * 40, "repo": {"id": 7, "full_name": "ada/shop"}},
    },
}  # fmt: skip
HANDLERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "check": (check_run.request_for, CHECK),
    "button": (check_run.request_for, PRESSED),
    "suite": (check_suite.request_for, SUITE),
    "run": (workflow_run.request_for, RUN),
    "status": (commit_status.request_for, STATUS),
    "label": (issue_label.request_for, LABELED),
    "comment": (pr_comment.request_for, COMMENT),
    "pull": (lifecycle.pull_request, CLOSED),
    "repository": (lifecycle.repository, {**COMMON, "action": "archived"}),
    "installation": (
        lifecycle.installation,
        {"action": "deleted", "installation": {"id": 3}, "sender": {"login": "ada"}},
    ),
}


def ask(kind: str, **changes: Any) -> Request | Notice | Skip:
    """The handler's answer to the payload with `a__b=value` set at a.b; the value `...` removes the field."""
    handler, base = HANDLERS[kind]
    payload = copy.deepcopy(base)
    for path, value in changes.items():
        *folders, name = path.split("__")
        place = payload
        for folder in folders:
            place = place[folder]
        if value is ...:
            del place[name]
        else:
            place[name] = value
    found: Request | Notice | Skip = handler(payload, delivery="guid-0001", app_id=APP)
    return found


def test_red_check_asks_for_its_commit() -> None:
    assert ask("check") == Request(
        trigger="check-run", delivery="guid-0001", installation=3, repo_id=7, repo="ada/shop", sender="ada",
        sha="a" * 40, branch="main", number=0, check_name="tests", settled=False,
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["suite", "run"])
def test_all_reports_of_one_failure_ask_for_the_same_commit(kind: str) -> None:
    """Only a single check waits for the rest of its suite."""
    one, other = ask("check"), ask(kind)
    assert isinstance(one, Request)
    assert isinstance(other, Request)
    assert (other.trigger, other.sha, other.branch, other.repo_id) == (one.trigger, one.sha, one.branch, one.repo_id)
    assert other.settled


@pytest.mark.parametrize(
    ("kind", "changes", "verb"),
    [
        ("button", {}, "retry"),
        ("button", {"requested_action__identifier": "stop"}, "stop"),
        ("button", {"requested_action__identifier": "fix"}, "fix"),
        ("button", {"action": "rerequested", "requested_action": ...}, "retry"),
        ("suite", {"action": "rerequested", "check_suite__app__id": APP, "check_suite__conclusion": None}, "retry"),
    ],
    ids=["retry", "stop", "fix", "re-run", "re-run all"],
)
def test_buttons_carry_their_verb(kind: str, changes: dict[str, Any], verb: str) -> None:
    found = ask(kind, **changes)
    assert isinstance(found, Request)
    assert (found.trigger, found.verb, found.sha) == ("check-action", verb, "a" * 40)


@pytest.mark.parametrize(
    ("kind", "changes", "notice"),
    [
        ("pull", {}, Notice("guid-0001", 3, 7, "The pull request was closed.", number=12)),
        (
            "pull",
            {"pull_request__head__ref": "regreen/fix-1"},
            Notice("guid-0001", 3, 7, "The pull request was closed.", number=12, ours="regreen/fix-1"),
        ),
        (
            "pull",
            {"pull_request__head__ref": "regreen/fix-1", "pull_request__head__repo__id": 8},
            Notice("guid-0001", 3, 7, "The pull request was closed.", number=12),
        ),
        (
            "pull",
            {"action": "synchronize"},
            Notice("guid-0001", 3, 7, "The pull request has new commits.", number=12, keep="b" * 40),
        ),
        ("repository", {}, Notice("guid-0001", 3, 7, "The repository was archived.")),
        ("repository", {"action": "deleted"}, Notice("guid-0001", 3, 7, "The repository was deleted.")),
        ("installation", {}, Notice("guid-0001", 3, 0, "The installation was removed.")),
        ("installation", {"action": "suspend"}, Notice("guid-0001", 3, 0, "The installation was suspended.")),
    ],
)
def test_what_makes_work_pointless_is_noticed(kind: str, changes: dict[str, Any], notice: Notice) -> None:
    assert ask(kind, **changes) == notice


@pytest.mark.parametrize("state", ["failure", "error"])
def test_red_status_asks_for_the_same_commit_as_a_check_does(state: str) -> None:
    one, other = ask("check"), ask("status", state=state)
    assert isinstance(one, Request)
    assert other == dataclasses.replace(one, check_name="ci/older")


def test_status_of_several_branches_is_about_the_one_that_is_not_the_default() -> None:
    heads = [{"name": name, "commit": {"sha": "a" * 40}} for name in ("main", "topic")]
    found = ask("status", branches=heads)
    assert isinstance(found, Request)
    assert found.branch == "topic"


def test_red_check_of_a_pull_request_names_it() -> None:
    elsewhere = {**PULL, "number": 13, "base": {"ref": "main", "repo": {"id": 8, "url": "u", "name": "z"}}}
    found = ask("check", check_run__pull_requests=[elsewhere, PULL])
    assert isinstance(found, Request)
    assert found.number == 12


def test_label_asks_for_the_default_branch() -> None:
    found = ask("label")
    assert isinstance(found, Request)
    assert (found.trigger, found.number, found.sha) == ("issue-label", 5, "")


def test_comment_asks_for_the_head_of_its_pull_request() -> None:
    found = ask("comment")
    assert isinstance(found, Request)
    assert (found.trigger, found.number, found.comment_id, found.sender) == ("pr-comment", 6, 9, "ada")


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        ("check", {"action": "created"}, "asks for nothing"),
        ("check", {"check_run__conclusion": "success"}, "ended with success"),
        ("check", {"check_run__conclusion": "cancelled"}, "ended with cancelled"),
        ("check", {"check_run__app": {"id": APP}}, "our own check run"),
        ("check", {"check_run__check_suite": {"head_branch": None}}, "fork"),
        ("check", {"check_run__check_suite": {"head_branch": "regreen/fix-1"}}, "our own"),
        ("check", {"installation": ...}, "lacks installation"),
        ("check", {"repository": ...}, "lacks repository"),
        ("check", {"check_run__head_sha": 5}, "lacks check_run.head_sha"),
        ("check", {"check_run": None}, "lacks check_run"),
        ("label", {"action": "unlabeled"}, "asks for nothing"),
        ("label", {"issue__state": "closed"}, "open issues"),
        ("label", {"issue__pull_request": {"url": "u"}}, "open issues"),
        ("comment", {"action": "edited"}, "asks for nothing"),
        ("comment", {"action": "deleted"}, "asks for nothing"),
        ("comment", {"comment__body": "please /regreen fix"}, "no command"),
        ("comment", {"comment__body": "> /regreen fix"}, "no command"),
        ("comment", {"comment__body": "`/regreen fix`"}, "no command"),
        ("comment", {"comment__body": "    /regreen fix"}, "no command"),
        ("comment", {"comment__body": "hello\n/regreen fix"}, "no command"),
        ("comment", {"comment__body": "/regreenfix"}, "no command"),
        ("comment", {"comment__body": None}, "no command"),
        ("comment", {"comment__body": f"/regreen fix {'a' * 400}"}, "no command"),
        ("comment", {"comment__user": {"login": "x[bot]", "type": "Bot"}}, "bots"),
        ("comment", {"issue__pull_request": None}, "pull requests only"),
        ("comment", {"issue__state": "closed"}, "pull requests only"),
        ("button", {"check_run__app": {"id": 15368}}, "another App"),
        ("button", {"requested_action__identifier": "merge"}, "no button 'merge'"),
        ("button", {"sender__type": "Bot"}, "bots"),
        ("suite", {"action": "requested"}, "asks for nothing"),
        ("suite", {"check_suite__conclusion": "success"}, "ended with success"),
        ("suite", {"check_suite__app__id": APP}, "our own suite"),
        ("suite", {"action": "rerequested"}, "another App"),
        ("suite", {"check_suite__head_branch": None}, "fork"),
        ("run", {"action": "requested"}, "asks for nothing"),
        ("run", {"workflow_run__conclusion": "startup_failure"}, "ended with startup_failure"),
        ("run", {"workflow_run__event": "pull_request_target"}, "base branch"),
        ("run", {"workflow_run__head_repository__id": 8}, "fork"),
        ("run", {"workflow_run__head_branch": "regreen/fix-1"}, "our own"),
        ("status", {"state": "success"}, "is success"),
        ("status", {"state": "pending"}, "is pending"),
        ("status", {"branches": []}, "fork"),
        ("status", {"branches": [{"name": "main", "commit": {"sha": "c" * 40}}]}, "points at"),
        ("status", {"branches": [{"name": "regreen/fix-1", "commit": {"sha": "a" * 40}}]}, "our own"),
        ("status", {"branches": None}, "lacks branches"),
        ("status", {"sha": ...}, "lacks sha"),
        ("pull", {"action": "opened"}, "asks for nothing"),
        ("pull", {"action": "synchronize", "pull_request__head__ref": "regreen/x"}, "our own"),
        ("pull", {"pull_request": ...}, "lacks pull_request"),
        ("repository", {"action": "renamed"}, "changes nothing"),
        ("installation", {"action": "created"}, "changes nothing"),
        ("installation", {"installation": ...}, "lacks installation"),
    ],
)  # fmt: skip
def test_everything_else_is_skipped_with_a_reason(kind: str, changes: dict[str, Any], reason: str) -> None:
    found = ask(kind, **changes)
    assert isinstance(found, Skip)
    assert reason in found.reason


@pytest.mark.parametrize(
    "body", ["/regreen fix", "/regreen fix  ", "/regreen fix\r\nthank you", "/regreen fix\nplease"]
)
def test_command_is_the_whole_first_line(body: str) -> None:
    assert isinstance(ask("comment", comment__body=body), Request)


@pytest.mark.parametrize(
    ("body", "verb", "target", "unknown"),
    [
        ("/regreen fix", "fix", "", ""),
        ("/regreen fix tests/test_a.py", "fix", "tests/test_a.py", ""),
        ("/regreen fix tests/test_a.py::TestA::test_b[x-1]", "fix", "tests/test_a.py::TestA::test_b[x-1]", ""),
        ("/regreen retry", "retry", "", ""),
        ("/regreen stop", "stop", "", ""),
        ("/regreen status", "status", "", ""),
        ("/regreen explain", "explain", "", ""),
        ("/regreen help", "help", "", ""),
        ("/regreen", "help", "", ""),
        ("/regreen fxi", "help", "", "fxi"),
        ("/regreen fix --pdb", "help", "", "fix --pdb"),
        ("/regreen fix -k x", "help", "", "fix -k x"),
        ("/regreen fix /etc/passwd", "help", "", "fix /etc/passwd"),
        ("/regreen fix ../x.py", "help", "", "fix ../x.py"),
        ("/regreen fix @args.txt", "help", "", "fix @args.txt"),
        ("/regreen stop now", "help", "", "stop now"),
    ],
)
def test_commands_are_read_exactly(body: str, verb: str, target: str, unknown: str) -> None:
    found = ask("comment", comment__body=body)
    assert isinstance(found, Request)
    assert (found.verb, found.target, found.unknown) == (verb, target, unknown)
