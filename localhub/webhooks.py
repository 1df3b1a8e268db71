"""Signed webhooks: one delivery for each App that hears of an event, sent by a background thread, never retried."""

from __future__ import annotations

import hashlib
import hmac
import json
import queue
import threading
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import httpx

from localhub.contract.description import Description
from localhub.state import App, Installation, Repo

TIMEOUT_S = 10.0
LARGEST_BYTES = 25 * 1024 * 1024

# The permission an App needs to hear of an event at all.
HEARD_WITH = {
    "check_run": "checks",
    "check_suite": "checks",
    "issues": "issues",
    "issue_comment": "issues",
    "pull_request": "pull_requests",
    "push": "contents",
    "status": "statuses",
    "workflow_run": "actions",
}


@dataclass
class Delivery:
    """One attempt to deliver one event; a redelivery has a new id and the same guid."""

    id: int
    guid: str
    app: App
    event: str
    action: str | None
    body: dict[str, Any]
    raw: bytes
    delivered_at: datetime
    installation_id: int | None
    repository_id: int | None
    redelivery: bool = False
    status_code: int | None = None
    status: str = "pending"
    duration_s: float = 0.0
    request_headers: dict[str, str] = field(default_factory=dict)
    response_headers: dict[str, str] = field(default_factory=dict)
    response_text: str = ""

    @property
    def done(self) -> bool:
        return self.status != "pending"


def no_event(_event: str, _body: dict[str, Any]) -> bool:
    return False


def one_copy(_event: str, _body: dict[str, Any]) -> int:
    return 1


class Hooks:
    """The dispatcher. `drop` and `copies` are test controls: lose an event, or send it several times."""

    def __init__(self, description: Description, now: Callable[[], datetime], ids: Callable[[], int]) -> None:
        self.log: list[Delivery] = []
        self.violations: list[str] = []
        self.drop: Callable[[str, dict[str, Any]], bool] = no_event
        self.copies: Callable[[str, dict[str, Any]], int] = one_copy
        self._description = description
        self._now = now
        self._ids = ids
        self._queue: queue.Queue[Delivery | None] = queue.Queue()
        self._held: list[Delivery] | None = None
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopping = False

    def start(self) -> None:
        self._stopping = False
        self._thread = threading.Thread(target=self._deliver_all, name="localhub-webhooks", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        if self._thread is not None:
            # What still waits is lost, as with a GitHub that is down.
            self._stopping = True
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def announce(
        self,
        event: str,
        body: dict[str, Any],
        *,
        to: Iterable[Installation],
        repo: Repo | None = None,
    ) -> None:
        """Judges `body` by the description and queues it for each of `to`."""
        self._judge(event, body)
        for each in to:
            own = {} if "installation" in body else {"installation": short_installation(each)}
            self.send(each.app, event, body | own, installation=each, repo=repo)

    def ping(self, app: App, body: dict[str, Any]) -> None:
        self._judge("ping", body)
        self.send(app, "ping", body)

    def _judge(self, event: str, body: dict[str, Any]) -> None:
        action = f".{body['action']}" if "action" in body else ""
        for fault in self._description.webhook_faults(event, body):
            self.violations.append(f"webhook {event}{action}: {fault}")

    def send(
        self,
        app: App,
        event: str,
        body: dict[str, Any],
        *,
        installation: Installation | None = None,
        repo: Repo | None = None,
    ) -> None:
        raw = json.dumps(body, separators=(",", ":")).encode()
        if not app.webhook_url or len(raw) > LARGEST_BYTES or self.drop(event, body):
            return
        first = Delivery(
            id=self._ids(),
            guid=str(uuid.uuid4()),
            app=app,
            event=event,
            action=body.get("action"),
            body=body,
            raw=raw,
            delivered_at=self._now(),
            installation_id=installation.id if installation else None,
            repository_id=repo.id if repo else None,
        )
        for copy in range(self.copies(event, body)):
            self._enqueue(first if copy == 0 else replace(first, id=self._ids()))

    def redeliver(self, guid: str) -> Delivery:
        """Sends the event again under the same guid, as the button on GitHub's page does."""
        original = next(each for each in self.log if each.guid == guid)
        again = replace(
            original,
            id=self._ids(),
            redelivery=True,
            status="pending",
            status_code=None,
            delivered_at=self._now(),
        )
        self._enqueue(again)
        return again

    def settle(self, timeout_s: float = 30.0) -> bool:
        """Waits until everything queued so far is delivered or failed; what is held does not count."""
        with self._changed:
            return self._changed.wait_for(self._all_done, timeout_s)

    def _all_done(self) -> bool:
        held = {each.id for each in self._held or ()}
        return all(each.done or each.id in held for each in self.log)

    def hold(self) -> None:
        """From now on nothing is sent, until it is released."""
        with self._changed:
            self._held = self._held or []

    def release(self, order: Callable[[list[Delivery]], list[Delivery]], count: int | None) -> int:
        """Sends the first `count` of what is held, in another order; None sends all, and holds no longer."""
        with self._changed:
            waiting = order(self._held or [])
            sent = waiting if count is None else waiting[:count]
            self._held = None if count is None else waiting[count:]
        for each in sent:
            self._queue.put(each)
        return len(sent)

    def _enqueue(self, delivery: Delivery) -> None:
        with self._changed:
            self.log.append(delivery)
            if self._held is not None:
                self._held.append(delivery)
                return
        self._queue.put(delivery)

    def _deliver_all(self) -> None:
        # trust_env: a proxy from the environment must not see local traffic.
        with httpx.Client(timeout=TIMEOUT_S, trust_env=False) as client:
            while (delivery := self._queue.get()) is not None:
                if self._stopping:
                    delivery.status = "not sent"
                else:
                    self._deliver(client, delivery)
                with self._changed:
                    self._changed.notify_all()

    def _deliver(self, client: httpx.Client, delivery: Delivery) -> None:
        delivery.request_headers = headers(delivery)
        started = time.monotonic()
        try:
            answer = client.post(delivery.app.webhook_url, content=delivery.raw, headers=delivery.request_headers)
        except httpx.TimeoutException:
            delivery.status_code, delivery.status = 504, "timed out"
        except (httpx.HTTPError, httpx.InvalidURL):
            delivery.status_code, delivery.status = 502, "failed to connect to host"
        else:
            delivery.response_text = answer.text
            delivery.response_headers = dict(answer.headers)
            delivery.status_code = answer.status_code
            delivery.status = "OK" if answer.is_success else f"Invalid HTTP Response: {answer.status_code}"
        delivery.duration_s = time.monotonic() - started


def headers(delivery: Delivery) -> dict[str, str]:
    digest = hmac.new(delivery.app.webhook_secret.encode(), delivery.raw, hashlib.sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        "User-Agent": "GitHub-Hookshot/localhub",
        "X-GitHub-Hook-ID": str(delivery.app.hook_id),
        "X-GitHub-Event": delivery.event,
        "X-GitHub-Hook-Installation-Target-ID": str(delivery.app.id),
        "X-GitHub-Hook-Installation-Target-Type": "integration",
        "X-GitHub-Delivery": delivery.guid,
        "X-Hub-Signature-256": f"sha256={digest}",
    }


def short_installation(each: Installation) -> dict[str, Any]:
    return {"id": each.id, "node_id": node_id("Installation", each.id)}


def node_id(kind: str, number: int) -> str:
    """GitHub's opaque second identifier; ours is readable."""
    return f"{kind[:2].upper()}_{number}"
