"""The webhook door: signature over the raw bytes, size, delivery id; the answer is given at once."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import re
from collections.abc import Callable
from typing import Any

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from bot.nouns import Notice, Skip
from bot.nouns import Request as RepairRequest
from handlers import check_run, check_suite, issue_label, lifecycle, pr_comment, workflow_run

MAX_BODY_BYTES = 25 * 1024 * 1024
"""GitHub sends nothing larger."""

BODY_TIMEOUT_S = 10
"""GitHub gives up after ten seconds itself."""

Handler = Callable[..., RepairRequest | Notice | Skip]
HANDLERS: dict[str, Handler] = {
    "check_run": check_run.request_for,
    "check_suite": check_suite.request_for,
    "workflow_run": workflow_run.request_for,
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


def build(*, secret: str, app_id: int, submit: Callable[[RepairRequest | Notice], bool]) -> FastAPI:
    """The web application. `submit` stores a request durably and returns False for one that it knows."""
    if not secret:
        raise ValueError("a webhook door without a secret would open to everybody")
    web = FastAPI(title="regreen", docs_url=None, redoc_url=None, openapi_url=None)

    @web.get("/health")
    def health() -> dict[str, str]:
        return {"status": "ok"}

    @web.post("/webhook")
    async def webhook(request: Request) -> Response:
        try:
            async with asyncio.timeout(BODY_TIMEOUT_S):
                body = await _body(request)
        except TimeoutError:
            return _answer(408, f"the body did not arrive within {BODY_TIMEOUT_S} seconds")
        if body is None:
            return _answer(413, f"the body is larger than {MAX_BODY_BYTES} bytes")
        signature = request.headers.get("x-hub-signature-256", "").encode("latin-1", "replace")
        if not is_signed(body, signature, secret.encode()):
            return _answer(401, "the signature in X-Hub-Signature-256 is missing or wrong")
        delivery = request.headers.get("x-github-delivery", "")
        if not _DELIVERY.fullmatch(delivery):
            return _answer(400, "X-GitHub-Delivery is missing or no delivery id")
        event = request.headers.get("x-github-event", "")
        found = await run_in_threadpool(decide, event, body, delivery=delivery, app_id=app_id)
        if isinstance(found, Skip):
            log.info("skipped", delivery=delivery, reason=found.reason)
            return _answer(202, f"nothing to do: {found.reason}")
        fresh = await run_in_threadpool(submit, found)
        log.info("accepted" if fresh else "known", delivery=delivery, kind=event, repo_id=found.repo_id)
        return _answer(202, "accepted" if fresh else "this delivery is known already")

    return web


def decide(event: str, body: bytes, *, delivery: str, app_id: int) -> RepairRequest | Notice | Skip:
    """What a signed delivery asks for."""
    handler = HANDLERS.get(event)
    if handler is None:
        return Skip(f"the event {event[:40]!r} is not used")
    try:
        payload: Any = json.loads(body)
    except (ValueError, RecursionError):
        return Skip("the body is not JSON; set the webhook's content type to application/json")
    if not isinstance(payload, dict):
        return Skip("the body is not a JSON object")
    return handler(payload, delivery=delivery, app_id=app_id)


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
