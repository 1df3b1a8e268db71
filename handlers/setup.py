"""The page that makes the App: `regreen serve` shows it as long as there is none.

Only whoever has read the server's own output knows the key in its address, so that no stranger can bind this server
to an App of theirs. GitHub sends the person back with a code and with the state that the page gave along.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import re
import secrets
import time
from collections.abc import Callable
from html import escape
from urllib.parse import urlencode, urlsplit

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse

from bot import credentials
from bot.credentials import Stored
from bot.errors import Refused, TryLater
from bot.settings import Settings
from handlers.headers import strict

STATE_LIFE_S = 3600
"""GitHub takes a code for one hour."""
MAX_STATES = 100

_ORGANIZATION = re.compile(r"[0-9A-Za-z](?:-?[0-9A-Za-z]){0,38}")
_STYLE = "body{font:16px/1.5 sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}label{display:block}"


class States:
    """States that were given out, each good for one return within the hour."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._given: dict[str, float] = {}

    def give(self) -> str:
        """A new one; the oldest is forgotten when there are too many."""
        state = secrets.token_urlsafe(32)
        self._given[state] = self._clock()
        while len(self._given) > MAX_STATES:
            del self._given[next(iter(self._given))]
        return state

    def take(self, state: str) -> bool:
        """Whether this one was given out, and has not been used or grown old."""
        given = self._given.pop(state, None)
        return given is not None and self._clock() - given <= STATE_LIFE_S


def build(settings: Settings, *, key: str, made: Callable[[Stored], None]) -> FastAPI:
    """The web application. `made` is told of the App once it is stored."""
    web = FastAPI(title="regreen", docs_url=None, redoc_url=None, openapi_url=None)
    states = States()

    @web.get("/health")
    def health() -> dict[str, str]:
        return {"status": "no App yet"}

    @web.post("/webhook")
    def webhook() -> Response:
        return Response("there is no App yet", status_code=503)

    @web.get("/setup")
    def page(request: Request) -> Response:
        if not hmac.compare_digest(request.query_params.get("key", "").encode(), key.encode()):
            return _refusal(403, "This address lacks the key that the server wrote to its output.", settings)
        return _page(request, key, states.give(), settings)

    @web.get("/setup/created")
    async def created(request: Request) -> Response:
        if not states.take(request.query_params.get("state", "")):
            return _refusal(403, "This return belongs to no set-up that was begun here within the hour.", settings)
        code = request.query_params.get("code", "")
        try:
            app = await run_in_threadpool(_stored, code, settings)
        except (Refused, TryLater) as error:
            return _refusal(502, str(error), settings)
        made(app)
        return _html(200, _done(app), settings)

    return web


def _stored(code: str, settings: Settings) -> Stored:
    app = credentials.exchanged(code, settings)
    credentials.keep(app, settings)
    return app


def _page(request: Request, key: str, state: str, settings: Settings) -> Response:
    here = str(request.base_url).rstrip("/")
    address = request.query_params.get("address", here).rstrip("/")
    organization = request.query_params.get("organization", "")
    wrong = _mistake(address, organization)
    if wrong:
        return _refusal(400, wrong, settings)
    manifest = credentials.manifest(address=address, back=f"{here}/setup/created")
    owner = f"organizations/{organization}/" if organization else ""
    target = f"{settings.git_url}/{owner}settings/apps/new?{urlencode({'state': state})}"
    hint = "" if _is_public(address) else "<p><b>GitHub cannot reach this address.</b> Give the public one below.</p>"
    body = f"""
<h1>Make the GitHub App</h1>
<p>GitHub will make an App with the permissions and events of <code>app.yml</code>, and send you back here.
Webhooks will go to <code>{escape(address)}/webhook</code>.</p>{hint}
<form method="post" action="{escape(target)}">
<input type="hidden" name="manifest" value="{escape(json.dumps(manifest))}">
<button>Make the App on GitHub</button></form>
<h2>Elsewhere</h2>
<form method="get" action="/setup"><input type="hidden" name="key" value="{escape(key)}">
<label>Address under which GitHub reaches this server
<input name="address" size="40" value="{escape(address)}"></label>
<label>Organization that is to own the App; empty for your own account
<input name="organization" value="{escape(organization)}"></label>
<button>Change</button></form>"""
    return _html(200, body, settings)


def _mistake(address: str, organization: str) -> str:
    """What is wrong with what was typed; empty when nothing is."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.query:
        return "The address has to be like https://regreen.example.com."
    if organization and not _ORGANIZATION.fullmatch(organization):
        return "This is no name of an organization."
    return ""


def _is_public(address: str) -> bool:
    """Whether GitHub may reach an address, as far as its look tells."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return host != "localhost" and "." in host and not host.endswith((".localhost", ".local", ".internal"))


def _done(app: Stored) -> str:
    page = escape(app.page)
    return f"""
<h1>The App {escape(app.slug)} is made</h1>
<p>Its key and its secret are stored on this server, and it takes deliveries from now on.</p>
<p><a href="{page}/installations/new">Install it</a> on the repositories that it may repair.</p>"""


def _refusal(status: int, message: str, settings: Settings) -> Response:
    return _html(status, f"<h1>This cannot be done</h1><p>{escape(message)}</p>", settings)


def _html(status: int, body: str, settings: Settings) -> Response:
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(settings.git_url))
    # A form that is posted to GitHub comes back here by a redirect, which counts as a target of it too.
    headers = strict("'unsafe-inline'", f"'self' {origin}")
    page = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>regreen</title>'
        f"<style>{_STYLE}</style>{body}</html>"
    )
    return HTMLResponse(page, status_code=status, headers=headers)
