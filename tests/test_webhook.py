"""The webhook door over real HTTP: who may come in, and what the answers are."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import uvicorn
from test_triggers import CHECK

from bot.nouns import Request
from handlers import webhook

SECRET = "a secret of this test"


class Door:
    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.url = ""

    def submit(self, request: Request) -> bool:
        known = any(request.delivery == other.delivery for other in self.requests)
        self.requests.append(request)
        return not known

    def post(self, body: bytes, **headers: str | bytes | None) -> httpx.Response:
        signature = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        values: dict[str, Any] = {
            "x-hub-signature-256": signature, "x-github-event": "check_run", "x-github-delivery": "guid-0001",
        }  # fmt: skip
        values |= {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.post(self.url, content=body, headers={k: v for k, v in values.items() if v is not None})


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    made = Door()
    application = webhook.build(secret=SECRET, app_id=41, submit=made.submit)
    server = uvicorn.Server(uvicorn.Config(application, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    made.url = f"http://127.0.0.1:{port}/webhook"
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


def test_door_without_a_secret_does_not_open() -> None:
    with pytest.raises(ValueError, match="secret"):
        webhook.build(secret="", app_id=1, submit=lambda request: True)
