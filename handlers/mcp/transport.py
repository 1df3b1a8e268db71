"""How agents reach the tools: standard input and output, or streamable HTTP on this machine."""

from __future__ import annotations

import contextlib
import hmac
import ipaddress
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bot import assemble, redaction
from bot.errors import Refused
from bot.settings import PREFIX, Settings
from handlers import serve
from handlers.mcp import server
from handlers.mcp.keeper import MODEL_KEYS
from handlers.show import Screen

PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class Asked:
    """What an operator typed."""

    roots: Sequence[Path] = ()
    sandbox: str = ""
    host: str = "127.0.0.1"
    port: int = 0
    names: Sequence[str] = ()
    """Further names by which clients call this server."""


def over_stdio(settings: Settings, asked: Asked) -> None:
    """Serve the client that started this process, until it has gone. Its standard output holds only the protocol."""
    _prepare(settings, asked)
    with contextlib.suppress(KeyboardInterrupt):
        server.build(settings, roots=asked.roots, sandbox=asked.sandbox).run("stdio")


def over_http(settings: Settings, asked: Asked, screen: Screen) -> None:
    """Serve until SIGINT or SIGTERM. Refused for an address that others reach while no token is set."""
    _prepare(settings, asked)
    token = settings.mcp_token.get_secret_value()
    if not token and not _is_loopback(asked.host):
        raise Refused(
            f"Others can reach {asked.host}, and whoever does could run code in this machine's sandbox.",
            f"Set {PREFIX}MCP_TOKEN, which clients then send as a bearer token, or leave --host at 127.0.0.1.",
        )
    listening = serve.listen(asked.host, asked.port, "Stop what uses it, or give another --host and --port.")
    host, port = listening.getsockname()[:2]
    names = [*_LOOPBACK, *asked.names, *([] if _is_any(asked.host) else [_in_address(asked.host)])]
    app = server.build(settings, roots=asked.roots, sandbox=asked.sandbox).streamable_http_app(
        streamable_http_path=PATH, transport_security=_only(names)
    )
    word = (
        f"clients send {PREFIX}MCP_TOKEN as a bearer token" if token else "no token: for users of this machine alone"
    )
    screen.progress("mcp", f"listening on http://{host}:{port}{PATH}; {word}")
    config = uvicorn.Config(
        Guarded(app, token), log_config=None, server_header=False, timeout_graceful_shutdown=5, lifespan="on"
    )
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises the signal again once it has shut down
        uvicorn.Server(config).run(sockets=[listening])


class Guarded:
    """Lets only those in who know the token, where one is set."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode() if token else b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._wanted and not hmac.compare_digest(_given(scope), self._wanted):
            refusal = PlainTextResponse(
                f"Send the server's {PREFIX}MCP_TOKEN as a bearer token.\n",
                status_code=401,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _given(scope: Scope) -> bytes:
    found = [value for name, value in scope["headers"] if name == b"authorization"]
    return bytes(found[0]) if len(found) == 1 else b""


def _only(names: Sequence[str]) -> TransportSecuritySettings:
    """A page in a browser must not reach this server by a name that leads here: Host and Origin are looked at."""
    return TransportSecuritySettings(
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[
            f"{scheme}://{form}" for name in names for form in (name, f"{name}:*") for scheme in ("http", "https")
        ],
    )


def _prepare(settings: Settings, asked: Asked) -> None:
    """What has to be right before a client is answered. Refused for an unknown sandbox, and for none."""
    logging.basicConfig(level=logging.WARNING)
    if (asked.sandbox or settings.sandbox) == assemble.NO_ISOLATION:
        raise Refused(
            "Agents never run the code of a repository without isolation.",
            f"Leave --sandbox and {PREFIX}SANDBOX at docker or bubblewrap.",
        )
    assemble.backend(settings, asked.sandbox or settings.sandbox)
    for folder in asked.roots:
        if not folder.is_dir():
            raise Refused(f"{folder} is not a folder.", "Give --root a folder that holds checkouts.")
    for name in ("mcp_token", *MODEL_KEYS):
        redaction.learn(getattr(settings, name).get_secret_value())


def _in_address(host: str) -> str:
    """As it stands in an address."""
    return f"[{host}]" if ":" in host else host


def _is_any(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_unspecified
    return False


def _is_loopback(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"
