"""The App manifest asks for what the bot uses, says why, and asks for nothing more."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from bot import github
from handlers.webhook import HANDLERS

PATH = Path(__file__).parent.parent / "app.yml"
PERMISSIONS = {
    "metadata": "read",
    "contents": "write",
    "pull_requests": "write",
    "issues": "write",
    "checks": "write",
    "actions": "read",
    "statuses": "read",
}
EVENTS = {
    "check_run",
    "check_suite",
    "workflow_run",
    "status",
    "issues",
    "issue_comment",
    "pull_request",
    "repository",
    "installation_target",
}


@pytest.fixture(scope="module")
def manifest():
    return yaml.safe_load(PATH.read_text(encoding="utf-8"))


def test_permissions_are_the_minimum(manifest):
    assert manifest["default_permissions"] == PERMISSIONS


@pytest.mark.parametrize("token", [github.READ, github.PUBLISH], ids=["read", "write"])
def test_every_token_asks_only_for_what_the_app_has(manifest, token):
    """GitHub answers 422 to a token request that goes beyond the App's permissions."""
    granted = manifest["default_permissions"]
    assert {name for name, level in token.items() if granted.get(name) not in (level, "write")} == set()


def test_every_event_that_is_handled_is_subscribed(manifest):
    assert set(manifest["default_events"]) == EVENTS
    by_itself = {"installation"}  # comes to every App
    assert set(HANDLERS) - by_itself <= EVENTS


def test_events_that_come_by_themselves_are_not_listed(manifest):
    """GitHub refuses a manifest that names them."""
    assert not EVENTS & {"ping", "installation", "installation_repositories", "github_app_authorization"}


def test_webhook_secret_is_not_in_the_manifest(manifest):
    """GitHub makes the secret itself, and refuses a manifest that brings one (pagescms#409)."""
    assert set(manifest["hook_attributes"]) == {"url", "active"}
    assert manifest["hook_attributes"]["url"].endswith("/webhook")


def test_every_permission_and_event_says_what_it_is_for():
    names = (*PERMISSIONS, *EVENTS)
    lines = [line.strip().removeprefix("- ") for line in PATH.read_text(encoding="utf-8").splitlines()]
    for name in names:
        found = [line for line in lines if line.startswith((f"{name}:", f"{name} "))]
        assert found, name
        assert all(len(line.partition("#")[2].split()) >= 5 for line in found), name
