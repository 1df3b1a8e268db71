"""`regreen serve`: the webhook door with an embedded worker, in one process."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import socket
import sys

import structlog
import uvicorn
from structlog.typing import EventDict, Processor, WrappedLogger

from bot import assemble, credentials, reconcile, redaction, upkeep
from bot.credentials import Stored
from bot.errors import Refused
from bot.settings import Settings
from handlers import deliveries, setup, webhook
from handlers.show import Screen


def run(settings: Settings, screen: Screen) -> None:
    """Serve until SIGTERM or SIGINT. Refused when the App is not configured or the address is taken."""
    _log_to_stderr()
    listening = listen(settings.host, settings.port, "Stop what uses it, or set REGREEN_HOST and REGREEN_PORT.")
    if credentials.is_unset(settings) and credentials.stored(settings) is None:
        if not _set_up(settings, listening, screen):
            return
    settings = credentials.completed(settings)
    service = assemble.service(settings)
    door = webhook.build(
        secret=settings.webhook_secret.get_secret_value(),
        door=webhook.Door(settings.app_id, service.submit, service.deliveries),
    )
    key = deliveries.key_of(settings.home)
    redaction.learn(key)
    door.include_router(deliveries.router(service.deliveries, key))
    host, port = listening.getsockname()[:2]
    service.engine.start()  # before the web server: launched on its event loop, flows would block it
    screen.progress("serve", f"listening on http://{host}:{port}/webhook")
    screen.progress("pages", f"http://{host}:{port}/deliveries; the password: {settings.home / deliveries.KEY_FILE}")
    config = uvicorn.Config(door, log_config=None, server_header=False, timeout_graceful_shutdown=5)
    # uvicorn raises the signal again once it has shut down
    chores = (
        upkeep.Chore("images", upkeep.PERIOD_S, lambda: upkeep.once(settings)),
        upkeep.Chore("deliveries", reconcile.PERIOD_S, service.reconcile),
    )
    with contextlib.suppress(KeyboardInterrupt), upkeep.Upkeep(chores):
        uvicorn.Server(config).run(sockets=[listening])
    service.engine.stop()
    # A flow that is still running would hold the interpreter back; the queue goes on with it at the next start.
    sys.stderr.flush()
    os._exit(0)


def _set_up(settings: Settings, listening: socket.socket, screen: Screen) -> bool:
    """Show the page that makes the App, until there is one. False when the server is told to end before."""
    key = secrets.token_urlsafe(24)
    servers: list[uvicorn.Server] = []
    made: list[Stored] = []

    def done(app: Stored) -> None:
        made.append(app)
        servers[0].should_exit = True  # once the page that says so is delivered

    web = setup.build(settings, key=key, made=done)
    servers.append(uvicorn.Server(uvicorn.Config(web, log_config=None, access_log=False, server_header=False)))
    host, port = listening.getsockname()[:2]
    screen.progress("serve", f"there is no App yet: make one at http://{host}:{port}/setup?key={key}")
    with contextlib.suppress(KeyboardInterrupt):
        servers[0].run(sockets=[listening.dup()])  # it closes what it is given
    if not made:
        return False
    screen.progress("serve", f"the App {made[0].slug} is made, and stored at {credentials.place(settings)}")
    return True


def listen(host: str, port: int, remedy: str) -> socket.socket:
    """A socket that listens there. Refused where that cannot be."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise Refused(f"Cannot listen on {host}:{port}: {error.strerror}.", remedy) from error


def _without_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """A line of the log as plain data, cleaned: messages of libraries and of GitHub may repeat what was sent."""
    cleaned: EventDict = redaction.cleaned(json.loads(json.dumps(event, default=repr)))
    return cleaned


def _log_to_stderr() -> None:
    """One JSON object a line, our own lines and those of libraries alike."""
    shared: list[Processor] = [structlog.stdlib.add_log_level, structlog.processors.TimeStamper(fmt="iso", utc=True)]
    renderer: list[Processor] = [
        structlog.processors.format_exc_info,
        _without_secrets,
        structlog.processors.JSONRenderer(),
    ]
    structlog.configure(processors=[*shared, *renderer], logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    for noisy in ("dbos", "httpx", "urllib3", "github", "uvicorn.access"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
