"""The webhook door: signature over the raw bytes, size, delivery id; the answer is given at once."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from bot.deliveries import Deliveries, Delivery
from bot.nouns import Notice, Skip
from bot.nouns import Request as RepairRequest
from handlers import check_run, check_suite, commit_status, issue_label, lifecycle, pr_comment, workflow_run

MAX_BODY_BYTES = 25 * 1024 * 1024
"""GitHub sends nothing larger."""

BODY_TIMEOUT_S = 10
"""GitHub gives up after ten seconds itself."""

MAX_REASON_CHARS = 300

Handler = Callable[..., RepairRequest | Notice | Skip]
HANDLERS: dict[str, Handler] = {
    "check_run": check_run.request_for,
    "check_suite": check_suite.request_for,
    "workflow_run": workflow_run.request_for,
    "status": commit_status.request_for,
    "issues": issue_label.request_for,
    "issue_comment": pr_comment.request_for,
    "pull_request": lifecycle.pull_request,
    "repository": lifecycle.repository,
    "installation": lifecycle.installation,
}

_SIGNATURE = re.compile(rb"sha256=([0-9a-f]{64})")
_DELIVERY = re.compile(r"[0-9A-Za-z-]{8,64}")

log = structlog.get_logger()


def is_signed(body: bytes, signature: bytes, secret: bytes) -> bool:
    """True when `signature` (the X-Hub-Signature-256 header) is the HMAC-SHA256 of exactly these bytes."""
    found = _SIGNATURE.fullmatch(signature)
    if found is None:
        return False
    return hmac.compare_digest(hmac.new(secret, body, hashlib.sha256).hexdigest().encode(), found[1])


@dataclass(frozen=True)
class Door:
    """What stands behind the address that GitHub delivers to."""

    app_id: int
    submit: Callable[[RepairRequest | Notice], bool]
    """Stores a request durably; False for one that it knows."""
    deliveries: Deliveries

    def hear(self, event: str, body: bytes, *, delivery: str) -> str:
        """Take a signed delivery, and enter what was decided. Returns the answer."""
        payload, found = decide(event, body, delivery=delivery, app_id=self.app_id)
        repo, action = _word(payload, "repository", "full_name"), _word(payload, "action")
        told = log.bind(delivery=delivery, kind=event[:40], repo=repo[:100])
        if isinstance(found, Skip):
            reason = _short(found.reason)
            self.deliveries.keep(Delivery(delivery, event, action, repo, "skipped", reason))
            told.info("skipped", reason=reason)
            return f"nothing to do: {reason}"
        # Entered before it is stored: the flow that begins then says in this row what became of it.
        row = self.deliveries.keep(Delivery(delivery, event, action, repo, "accepted"))
        fresh = None
        try:
            fresh = self.submit(found)
        finally:
            if not fresh:
                self.deliveries.amend(row, "failed" if fresh is None else "known")
        told.info("accepted" if fresh else "known")
        return "accepted" if fresh else "this delivery is known already"


def build(*, secret: str, door: Door) -> FastAPI:
    """The web application: `POST /webhook` for whoever knows the secret, `GET /health` for everybody."""
    if not secret:
        raise ValueError("a webhook door without a secret would open to everybody")
    web = FastAPI(title="regreen", docs_url=None, redoc_url=None, openapi_url=None)

    @web.get("/health")
    def health() -> dict[str, str]:
        return {"status": "ok"}

    @web.post("/webhook")
    async def webhook(request: Request) -> Response:
        try:
            body = await _signed_body(request, secret)
        except _TurnedAwayError as error:
            log.warning("turned away", status=error.status, reason=str(error))
            await run_in_threadpool(door.deliveries.refuse, str(error))
            return _answer(error.status, str(error))
        delivery, event = request.headers["x-github-delivery"], request.headers.get("x-github-event", "")
        return _answer(202, await run_in_threadpool(door.hear, event, body, delivery=delivery))

    return web


class _TurnedAwayError(Exception):
    """A request that is no signed delivery; nothing of it is read any further."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


async def _signed_body(request: Request, secret: str) -> bytes:
    """The raw bytes of a delivery that GitHub signed and numbered."""
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            body = await _body(request)
    except TimeoutError:
        raise _TurnedAwayError(408, f"the body did not arrive within {BODY_TIMEOUT_S} seconds") from None
    if body is None:
        raise _TurnedAwayError(413, f"the body is larger than {MAX_BODY_BYTES} bytes")
    signature = request.headers.get("x-hub-signature-256", "").encode("latin-1", "replace")
    if not is_signed(body, signature, secret.encode()):
        raise _TurnedAwayError(401, "the signature in X-Hub-Signature-256 is missing or wrong")
    if not _DELIVERY.fullmatch(request.headers.get("x-github-delivery", "")):
        raise _TurnedAwayError(400, "X-GitHub-Delivery is missing or no delivery id")
    return body


Payload = dict[str, Any]


def decide(event: str, body: bytes, *, delivery: str, app_id: int) -> tuple[Payload, RepairRequest | Notice | Skip]:
    """The payload of a signed delivery, and what it asks for."""
    handler = HANDLERS.get(event)
    if handler is None:
        return {}, Skip(f"the event {event[:40]!r} is not used")
    try:
        payload: Any = json.loads(body)
    except (ValueError, RecursionError):
        return {}, Skip("the body is not JSON; set the webhook's content type to application/json")
    if not isinstance(payload, dict):
        return {}, Skip("the body is not a JSON object")
    return payload, handler(payload, delivery=delivery, app_id=app_id)


def _word(payload: Payload, *path: str) -> str:
    """Text somewhere in a payload; empty when something else is there."""
    found: Any = payload
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, str) else ""


def _short(reason: str) -> str:
    """A reason may repeat what stands in a payload, which may be long."""
    return reason if len(reason) <= MAX_REASON_CHARS else reason[: MAX_REASON_CHARS - 1] + "…"


async def _body(request: Request) -> bytes | None:
    """The raw bytes, or None as soon as there are too many."""
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


def _answer(status: int, message: str) -> JSONResponse:
    return JSONResponse({"message": message}, status_code=status)
