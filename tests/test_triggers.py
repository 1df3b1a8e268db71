"""The three triggers as pure functions: a payload in, a Request or the reason for a Skip out, by tables."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from bot.nouns import Request, Skip
from handlers import check_run, issue_label, pr_comment

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
HANDLERS = {"check": (check_run, CHECK), "label": (issue_label, LABELED), "comment": (pr_comment, COMMENT)}


def ask(kind: str, **changes: Any) -> Request | Skip:
    """The handler's answer to the payload with `a__b=value` set at a.b; the value `...` removes the field."""
    module, base = HANDLERS[kind]
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
    return module.request_for(payload, delivery="guid-0001", app_id=APP)


def test_red_check_asks_for_its_commit() -> None:
    assert ask("check") == Request(
        trigger="check-run", delivery="guid-0001", installation=3, repo_id=7, repo="ada/shop", sender="ada",
        sha="a" * 40, branch="main", number=0, check_name="tests",
    )  # fmt: skip


def test_red_check_of_a_pull_request_names_it() -> None:
    pull = {"number": 12, "head": {"ref": "topic"}, "base": {"ref": "main", "repo": {"id": 7, "full_name": "x/y"}}}
    elsewhere = {**pull, "number": 13, "base": {"ref": "main", "repo": {"id": 8, "full_name": "x/z"}}}
    found = ask("check", check_run__pull_requests=[elsewhere, pull])
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
        ("label", {"label": {"name": "bug"}}, "not ours"),
        ("label", {"issue__state": "closed"}, "open issues"),
        ("label", {"issue__pull_request": {"url": "u"}}, "open issues"),
        ("comment", {"action": "edited"}, "asks for nothing"),
        ("comment", {"action": "deleted"}, "asks for nothing"),
        ("comment", {"comment__body": "please /regreen fix"}, "no command"),
        ("comment", {"comment__body": "> /regreen fix"}, "no command"),
        ("comment", {"comment__body": "`/regreen fix`"}, "no command"),
        ("comment", {"comment__body": "    /regreen fix"}, "no command"),
        ("comment", {"comment__body": "hello\n/regreen fix"}, "no command"),
        ("comment", {"comment__body": "/regreen fix all --force"}, "no command"),
        ("comment", {"comment__body": "/regreenfix"}, "no command"),
        ("comment", {"comment__body": None}, "no command"),
        ("comment", {"comment__body": "/regreen destroy"}, "no command 'destroy'"),
        ("comment", {"comment__user": {"login": "x[bot]", "type": "Bot"}}, "bots"),
        ("comment", {"issue__pull_request": None}, "pull requests only"),
        ("comment", {"issue__state": "closed"}, "pull requests only"),
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
