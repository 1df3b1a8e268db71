"""`GET /deliveries`: the last webhook deliveries and what was decided about each, for the operator alone. Read-only.

As a page for browsers, as JSON for programs. It is protected by a key that stands in a file of the server's own
folder: names of private repositories are on it, and a server is often reachable as a whole from outside.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse

from bot import private
from bot.deliveries import Deliveries, Delivery, Refusal
from handlers.headers import strict

KEY_FILE = "pages.key"

_STYLE = (
    ":root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}body{margin:2rem auto;max-width:90rem;"
    "padding:0 1rem}table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #8884;"
    "padding:.3rem .6rem;text-align:left;vertical-align:top;white-space:nowrap}"
    "td{max-width:20rem;overflow:hidden;text-overflow:ellipsis}"
    "td.why{max-width:none;white-space:normal;overflow-wrap:anywhere}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEADERS = strict(f"'sha256-{_STYLE_HASH}'")


def key_of(home: Path) -> str:
    """The key of the pages, made at the first start; only the server's own user can read its file."""
    path = home / KEY_FILE
    if not path.exists():
        private.write_new(path, secrets.token_urlsafe(24) + "\n")
    return path.read_text().strip()


def router(deliveries: Deliveries, key: str) -> APIRouter:
    """The page. Who brings the key as a bearer token, or as the password of any user name, may read."""
    if not key:
        raise ValueError("a page without a key would open to everybody")
    routes = APIRouter()

    @routes.get("/deliveries")
    async def page(request: Request) -> Response:
        if not is_known(request.headers.get("authorization", ""), key):
            challenge = {"WWW-Authenticate": 'Basic realm="regreen", charset="UTF-8"'}
            message = f"the password is in the file {KEY_FILE} in the server's REGREEN_HOME; any user name will do"
            return JSONResponse({"message": message}, status_code=401, headers=_HEADERS | challenge)
        found, refused = await run_in_threadpool(deliveries.last), await run_in_threadpool(deliveries.refusals)
        if "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(html(found, refused), headers=_HEADERS)
        shown = {"deliveries": [asdict(each) for each in found], "refused": [asdict(each) for each in refused]}
        return JSONResponse(shown, headers=_HEADERS)

    return routes


def is_known(header: str, key: str) -> bool:
    """Whether an Authorization header brings the key."""
    scheme, _, value = header.partition(" ")
    if scheme.lower() == "basic":
        try:
            value = base64.b64decode(value, validate=True).decode("utf-8", "replace").partition(":")[2]
        except (binascii.Error, ValueError):
            return False
    elif scheme.lower() != "bearer":
        return False
    return hmac.compare_digest(value.encode("utf-8", "replace"), key.encode())


def html(found: Sequence[Delivery], refused: Sequence[Refusal]) -> str:
    """The page. All text of others is escaped here, in one place."""
    rows = [
        (_when(each.at), each.event, each.action, each.repo, each.decision, each.reason, each.id) for each in found
    ]
    head = ("when (UTC)", "event", "action", "repository", "decision", "why", "delivery")
    doors = [(each.reason, str(each.count), _when(each.last)) for each in refused]
    turned_away = _table(("why", "how often", "last (UTC)"), doors) if doors else "<p>Nothing.</p>"
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Deliveries · Regreen</title>'
        f"<style>{_STYLE}</style></head><body><h1>Deliveries</h1>"
        f"<p>The last {len(rows)} signed deliveries, newest first.</p>{_table(head, rows)}"
        f"<h2>Turned away at the door</h2>{turned_away}</body></html>"
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(_cell(name, value) for name, value in zip(head, row, strict=True)) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cell(name: str, value: str) -> str:
    kind = ' class="why"' if name == "why" else ""
    return f"<td{kind}>{escape(value)}</td>"


def _when(at: str) -> str:
    return at.replace("T", " ").removesuffix("+00:00")
