"""The webhook door over real HTTP: who may come in, and what the answers are."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from test_triggers import CHECK

from bot.deliveries import KEPT, Deliveries, Delivery
from bot.nouns import Request
from handlers import deliveries as pages
from handlers import webhook

SECRET = "a secret of this test"
KEY = "the key of the pages"


class Door:
    def __init__(self, deliveries: Deliveries) -> None:
        self.requests: list[Request] = []
        self.deliveries = deliveries
        self.url = ""

    def submit(self, request: Request) -> bool:
        known = any(request.delivery == other.delivery for other in self.requests)
        self.requests.append(request)
        return not known

    def full(self, request: Request) -> bool:
        raise OSError("the disk is full")

    def post(self, body: bytes, **headers: str | bytes | None) -> httpx.Response:
        signature = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        values: dict[str, Any] = {
            "x-hub-signature-256": signature, "x-github-event": "check_run", "x-github-delivery": "guid-0001",
        }  # fmt: skip
        values |= {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.post(
            f"{self.url}/webhook", content=body, headers={k: v for k, v in values.items() if v is not None}
        )


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    made = Door(Deliveries(tmp_path_factory.mktemp("door") / "deliveries.sqlite"))
    application = webhook.build(secret=SECRET, door=webhook.Door(41, made.submit, made.deliveries))
    application.include_router(pages.router(made.deliveries, KEY))
    server = uvicorn.Server(uvicorn.Config(application, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    made.url = f"http://127.0.0.1:{port}"
    yield made
    server.should_exit = True
    thread.join()


BODY = json.dumps(CHECK).encode()


def test_signed_delivery_is_stored_and_answered_at_once(door: Door) -> None:
    door.requests.clear()
    answer = door.post(BODY)
    assert (answer.status_code, answer.json()["message"]) == (202, "accepted")
    assert door.requests[0].sha == "a" * 40
    assert door.post(BODY).json()["message"] == "this delivery is known already"


GOOD = "sha256=" + hmac.new(SECRET.encode(), BODY, hashlib.sha256).hexdigest()


@pytest.mark.parametrize(
    "signature",
    [
        None,
        "",
        "sha256=",
        GOOD.upper(),
        GOOD[:-1],
        GOOD + "0",
        "sha1=" + "0" * 40,
        "sha256=" + "0" * 64,
        b"sha256=\xff\xfe",
    ],
    ids=["none", "empty", "no digest", "upper case", "short", "long", "sha1", "wrong", "not ASCII"],
)
def test_unsigned_delivery_is_turned_away(door: Door, signature: str | bytes | None) -> None:
    door.requests.clear()
    assert door.post(BODY, x_hub_signature_256=signature).status_code == 401
    assert door.requests == []


def test_signature_is_over_the_bytes_as_they_came(door: Door) -> None:
    assert door.post(BODY.replace(b'": ', b'":'), x_hub_signature_256=GOOD).status_code == 401
    assert door.post(BODY.replace(b'": ', b'":')).status_code == 202


@pytest.mark.parametrize("delivery", [None, "", "x", "a b c d e f g", "../../../../etc", "x" * 65])
def test_delivery_without_an_id_is_refused(door: Door, delivery: str | None) -> None:
    assert door.post(BODY, x_github_delivery=delivery).status_code == 400


@pytest.mark.parametrize(
    ("body", "event"),
    [(b"{}", "check_run"), (b"[1]", "check_run"), (b"not json", "check_run"), (b"[" * 100_000, "check_run"),
     (BODY, "never_heard_of"), (b'{"zen": "x"}', "ping"), (b"\xff", "issues"), (b"9" * 10_000, "issues")],
    ids=["empty", "list", "text", "deep", "unknown event", "ping", "bytes", "huge number"],
)  # fmt: skip
def test_odd_but_signed_delivery_is_answered_and_ignored(door: Door, body: bytes, event: str) -> None:
    door.requests.clear()
    answer = door.post(body, x_github_event=event)
    assert answer.status_code == 202
    assert answer.json()["message"].startswith("nothing to do")
    assert door.requests == []


def test_body_over_25_mib_is_refused(door: Door) -> None:
    assert door.post(b" " * (webhook.MAX_BODY_BYTES + 1)).status_code == 413


def test_door_without_a_secret_does_not_open(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="secret"):
        webhook.build(secret="", door=webhook.Door(1, lambda request: True, Deliveries(tmp_path / "x.sqlite")))


def listed(door: Door) -> list[dict[str, str]]:
    answer = httpx.get(f"{door.url}/deliveries", headers={"authorization": f"Bearer {KEY}"})
    assert answer.status_code == 200
    found: list[dict[str, str]] = answer.json()["deliveries"]
    return found


def test_every_signed_delivery_is_listed_with_what_was_decided_and_why(door: Door) -> None:
    for delivery, body, event in (
        ("guid-list-1", BODY, "check_run"),
        ("guid-list-1", BODY, "check_run"),
        ("guid-list-2", BODY.replace(b'"failure"', b'"success"'), "check_run"),
        ("guid-list-3", b"{}", "fork"),
    ):
        assert door.post(body, x_github_delivery=delivery, x_github_event=event).status_code == 202
    newest = [
        tuple(each[name] for name in ("id", "event", "action", "repo", "decision", "reason"))
        for each in listed(door)[:4]
    ]
    assert newest == [
        ("guid-list-3", "fork", "", "", "skipped", "the event 'fork' is not used"),
        ("guid-list-2", "check_run", "completed", "ada/shop", "skipped", "the check tests ended with success"),
        ("guid-list-1", "check_run", "completed", "ada/shop", "known", ""),
        ("guid-list-1", "check_run", "completed", "ada/shop", "accepted", ""),
    ]  # fmt: skip


def test_what_was_turned_away_is_counted_by_its_reason_and_pushes_nothing_out(door: Door) -> None:
    before = listed(door)
    for _ in range(3):
        door.post(BODY, x_hub_signature_256="sha256=" + "0" * 64, x_github_delivery="guid-forged")
    assert listed(door) == before
    (signature,) = [each for each in door.deliveries.refusals() if "signature" in each.reason]
    assert signature.count >= 3


def test_delivery_that_could_not_be_stored_is_answered_with_an_error_and_listed(door: Door) -> None:
    """GitHub then counts it as failed, and is asked for it again."""
    broken = webhook.Door(41, door.full, door.deliveries)
    with pytest.raises(OSError, match="disk"):
        broken.hear("check_run", BODY, delivery="guid-failed")
    assert door.deliveries.last(1)[0].decision == "failed"


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer wrong", f"Token {KEY}", "Basic", "Basic !!!", "Basic " + b64encode(b"ada:wrong").decode(),
     "Basic " + b64encode(KEY.encode()).decode(), "Bearer \xff"],
)  # fmt: skip
def test_deliveries_are_shown_to_nobody_without_the_key(door: Door, authorization: str | None) -> None:
    headers = {} if authorization is None else {"authorization": authorization.encode("latin-1")}
    answer = httpx.get(f"{door.url}/deliveries", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Basic ")
    assert "ada/shop" not in answer.text


def test_page_shows_hostile_text_as_text_and_loads_nothing(door: Door) -> None:
    evil = "<script>alert(1)</script>\x1b]0;x\x07\u202e\ud800"
    payload = {**CHECK, "action": evil, "repository": {**CHECK["repository"], "full_name": evil + "ghp_" + "a" * 36}}
    door.post(json.dumps(payload).encode(), x_github_event="check_run", x_github_delivery="guid-hostile")
    basic = b64encode(f"anybody:{KEY}".encode()).decode()
    page = httpx.get(f"{door.url}/deliveries", headers={"authorization": f"Basic {basic}", "accept": "text/html,*/*"})
    assert page.headers["content-type"].startswith("text/html")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
    assert not [bad for bad in ("<script", "\x1b", "\u202e", "ghp_" + "a" * 36) if bad in page.text]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"


def test_key_of_the_pages_is_made_once_and_read_by_nobody_else(tmp_path: Path) -> None:
    key = pages.key_of(tmp_path / "home")
    assert len(key) >= 32
    assert pages.key_of(tmp_path / "home") == key
    assert (tmp_path / "home" / pages.KEY_FILE).stat().st_mode & 0o777 == 0o600
    with pytest.raises(ValueError, match="key"):
        pages.router(Deliveries(tmp_path / "x.sqlite"), "")


def test_only_the_last_deliveries_are_kept(tmp_path: Path) -> None:
    kept = Deliveries(tmp_path / "deliveries.sqlite")
    for number in range(KEPT + 5):
        kept.keep(Delivery(f"guid-{number}", "ping", "", "", "skipped"))
    found = kept.last(2 * KEPT)
    assert (len(found), found[0].id, found[-1].id) == (KEPT, f"guid-{KEPT + 4}", "guid-5")


def test_decision_of_the_intake_is_entered_where_the_delivery_stands(tmp_path: Path) -> None:
    kept = Deliveries(tmp_path / "deliveries.sqlite")
    kept.keep(Delivery("guid-0001", "check_run", "completed", "ada/shop", "accepted"))
    kept.keep(Delivery("guid-0002", "check_run", "completed", "ada/shop", "known"))
    for _ in range(2):  # a flow that is done again after a crash says it again
        kept.decide("guid-0001", "declined", "mallory has no write permission on this repository")
    kept.decide("guid-0002", "job", "repair:7:abc")
    assert [(each.decision, each.reason) for each in kept.last()] == [
        ("known", ""), ("declined", "mallory has no write permission on this repository"),
    ]  # fmt: skip
