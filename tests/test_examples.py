"""Real payloads, collected by Octokit, and what becomes of them when something in them is not as it should be."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.jobs import decode, encode
from bot.nouns import Notice, Request, Skip
from handlers.webhook import HANDLERS, decide

Payload = dict[str, Any]
FOLDER = Path(__file__).parent / "examples"
EXAMPLES: dict[str, list[Payload]] = json.loads(gzip.decompress((FOLDER / "webhooks.json.gz").read_bytes()))
APP = 41
INSTALLATION = {"id": 2, "node_id": "x"}
TAKEN = {
    "check_run": {"completed", "rerequested", "requested_action"},
    "check_suite": {"completed", "rerequested"},
    "workflow_run": {"completed"},
    "issues": {"labeled"},
    "issue_comment": {"created"},
    "pull_request": {"synchronize", "closed"},
    "repository": {"archived", "deleted"},
    "installation": {"deleted", "suspend"},
    "status": {""},  # it has no actions
}


def sent(payload: Payload) -> Payload:
    """The payload as an App gets it: most of the examples were sent to a repository's own webhook."""
    return {"installation": INSTALLATION, **payload}


def heard(event: str, payload: Any) -> Request | Notice | Skip:
    body = json.dumps(payload).encode()
    return decide(event, body, delivery="guid-0001", app_id=APP)[1]


EVERY = [
    pytest.param(event, payload, id=f"{event}.{payload.get('action', '')}-{number}")
    for event, payloads in EXAMPLES.items()
    for number, payload in enumerate(payloads)
]


@pytest.mark.parametrize(("event", "payload"), EVERY)
def test_real_payload_is_read_to_its_end(event: str, payload: Payload) -> None:
    """Those that are taken lack no field that is read, and all others are passed over with a reason."""
    found = heard(event, sent(payload))
    if not isinstance(found, Skip):
        assert payload.get("action", "") in TAKEN[event]
        return
    assert "lacks" not in found.reason
    unused = event not in HANDLERS or payload.get("action", "") not in TAKEN.get(event, set())
    if unused:
        assert any(word in found.reason for word in ("is not used", "asks for nothing", "changes nothing"))


def changed(payload: Payload, **values: Any) -> Payload:
    """A copy with `a__b=value` set at a.b."""
    made = copy.deepcopy(payload)
    for path, value in values.items():
        *folders, name = path.split("__")
        place = made
        for folder in folders:
            place = place[folder]
        place[name] = value
    return made


def of(event: str, *actions: str) -> list[Payload]:
    found = [sent(each) for each in EXAMPLES[event] if each.get("action") in actions]
    assert found
    return found


@pytest.mark.parametrize(
    ("event", "values"),
    [
        ("check_run", {"check_run__conclusion": "failure", "check_run__check_suite__head_branch": "main"}),
        ("check_suite", {"check_suite__conclusion": "timed_out", "check_suite__head_branch": "main"}),
        ("workflow_run", {"workflow_run__conclusion": "failure"}),
        ("status", {"state": "failure"}),
    ],
)
def test_real_report_that_is_red_asks_for_its_commit(event: str, values: Payload) -> None:
    """The collection has hardly a red one: each of its reports is turned red here."""
    for payload in of(event, "completed", None):
        found = heard(event, changed(payload, **values))
        if payload.get(event, {}).get("head_repository", payload["repository"])["id"] != payload["repository"]["id"]:
            assert isinstance(found, Skip)
            assert "fork" in found.reason
            continue
        if event == "status" and not any(each["commit"]["sha"] == payload["sha"] for each in payload["branches"]):
            assert isinstance(found, Skip)
            continue
        assert isinstance(found, Request), found
        assert found.sha == (payload["sha"] if event == "status" else payload[event]["head_sha"])
        assert found.repo_id == payload["repository"]["id"]


def test_real_comment_that_holds_a_command_is_one() -> None:
    """The collection has none on a pull request, which differs from an issue by one field."""
    for payload in of("issue_comment", "created"):
        values = {"comment__body": "/regreen fix", "issue__pull_request": {"url": "u"}, "issue__state": "open"}
        found = heard("issue_comment", changed(payload, **values))
        assert isinstance(found, Request) or "bots" in found.reason
        assert isinstance(
            heard("issue_comment", changed(payload, **values | {"comment__user__type": "User"})), Request
        )


def test_real_label_and_button_ask() -> None:
    for payload in of("issues", "labeled"):
        assert isinstance(heard("issues", changed(payload, issue__state="open")), Request)
    for payload in of("check_run", "requested_action"):
        pressed = changed(payload, requested_action={"identifier": "retry"}, check_run__app__id=APP)
        assert isinstance(heard("check_run", pressed), Request)


def test_notice_names_the_source_package() -> None:
    notice = (FOLDER / "NOTICE").read_text()
    assert "@octokit/webhooks-examples 7.6.1" in notice
    assert "MIT License" in notice


# What may stand where something else is expected. Half of a surrogate pair and numbers beyond 64 bits are legal JSON.
ODD = [
    None, True, 0, -1, 2**63, 10**400, 0.5, float("nan"), float("inf"), "", "x" * 100_000, "\ud800", "\x00\x1b[2J\u202e",
    "--upload-pack=sh", "../../../etc/passwd", "<script>", [], [[]], {}, {"id": None}, [None] * 1000,
]  # fmt: skip


def nested(depth: int) -> Any:
    made: Any = "deep"
    for _ in range(depth):
        made = [made]
    return made


def places(payload: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything in a payload, down to where handlers read."""
    inner = payload.items() if isinstance(payload, dict) else enumerate(payload) if isinstance(payload, list) else ()
    found = [(*at, name) for name, _ in inner]
    return found + [path for name, value in inner if len(at) < 4 for path in places(value, (*at, name))]


SEEDS = [
    (event, sent(payload))
    for event in HANDLERS
    for payload in EXAMPLES[event]
    if payload.get("action", "") in TAKEN[event]
]
PLACES = [places(payload) for _, payload in SEEDS]


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[str, Any]:
    """A real payload in which a few things were dropped, replaced, moved or added."""
    number = draw(st.integers(0, len(SEEDS) - 1))
    event, payload = SEEDS[number][0], copy.deepcopy(SEEDS[number][1])
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(PLACES[number]))
        value = draw(st.sampled_from(ODD) | st.integers(1, 900).map(nested))
        spoil(payload, path, draw(st.sampled_from(["drop", "set", "add"])), value)
    return event, payload


def spoil(payload: Any, path: tuple[Any, ...], how: str, value: Any) -> None:
    """Change one place; nothing happens where an earlier change has taken it away."""
    try:
        for name in path[:-1]:
            payload = payload[name]
        if how == "drop":
            del payload[path[-1]]
        elif how == "set":
            payload[path[-1]] = value
        else:
            payload["never heard of"] = value
    except (KeyError, IndexError, TypeError):
        pass


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(spoilt())
def test_spoilt_payload_never_crashes_and_what_is_taken_of_it_is_sane(given: tuple[str, Any]) -> None:
    """A request or notice can be stored, read back, and holds nothing that is no commit, number or word."""
    event, payload = given
    found = heard(event, payload)
    if isinstance(found, Skip):
        assert found.reason.isprintable() or found.reason
        return
    kind = type(found)
    assert decode(kind, json.loads(json.dumps(encode(kind, found)))) == found
    assert 0 <= found.repo_id < 2**63
    assert 0 <= found.number < 2**63
    if isinstance(found, Request):
        assert not found.sha or set(found.sha) <= set("0123456789abcdef")
        assert len(found.sender) <= 1000


@pytest.mark.parametrize("event", sorted(HANDLERS))
@pytest.mark.parametrize("body", [*ODD, nested(300), nested(940), nested(100_000)], ids=range(len(ODD) + 3))
def test_anything_may_stand_in_place_of_a_payload_or_its_action(event: str, body: Any) -> None:
    for whole in (body, {"action": body}):
        try:
            text = json.dumps(whole)
        except RecursionError:
            text = "[" * 100_000 + "]" * 100_000
        found = decide(event, text.encode(), delivery="guid-0001", app_id=APP)[1]
        assert isinstance(found, Skip)
        assert len(found.reason) < 1000
