"""The server: one ASGI application for REST and git, and uvicorn in a thread."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from localhub import git_http
from localhub.git_http import Receive, Scope, Send
from localhub.rest import manifest
from localhub.rest.call import Answer
from localhub.rest.dispatch import Incoming, answer
from localhub.world import Links, World

START_TIMEOUT_S = 10.0
BLOBS = "/localhub-blobs/"


class Application:
    """ASGI: paths that look like git go to git, everything else is REST."""

    def __init__(self, world: World) -> None:
        self.world = world

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        if git_http.is_git(scope["path"]):
            await git_http.serve(self.world, scope, receive, send)
            return
        request = await incoming(scope, receive)
        if request.path.startswith(BLOBS):
            await respond(send, blob(self.world, request))
            return
        if request.verb == "POST" and request.path.endswith("/settings/apps/new"):
            page = await asyncio.to_thread(new_app, self.world, request)
            await respond(send, page)
            return
        # Handlers are plain functions, and run git: they must not block the loop.
        found = await asyncio.to_thread(answer, self.world, request)
        await respond(send, found)


async def incoming(scope: Scope, receive: Receive) -> Incoming:
    headers = {name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]}
    parts = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return Incoming(
        verb=scope["method"],
        path=scope["raw_path"].decode().partition("?")[0],
        query=scope["query_string"].decode(),
        headers=headers,
        body=b"".join(parts),
        web=f"http://{headers.get('host', '127.0.0.1')}",
    )


def new_app(world: World, request: Incoming) -> Answer:
    """The page of people, not of programs: it makes an App from a manifest."""
    with world.lock:
        return manifest.form(world, request.path, request.query, request.body) or Answer(404, raw=b"")


def blob(world: World, request: Incoming) -> Answer:
    """The store behind log links: it refuses whoever brings a token, as the real one does."""
    if "authorization" in request.headers:
        return Answer(401, raw=b"<Error><Code>InvalidAuthenticationInfo</Code></Error>")
    with world.lock:
        content, expires_at = world.blobs.get(request.path.removeprefix(BLOBS), (b"", world.now()))
        if expires_at <= world.now():
            return Answer(403, raw=b"<Error><Code>AuthenticationFailed</Code></Error>")
        return Answer(200, raw=content, headers={"Content-Type": "text/plain"})


async def respond(send: Send, found: Answer) -> None:
    body = found.raw
    headers = dict(found.headers)
    if found.raw is not None:
        headers.setdefault("Content-Type", "application/octet-stream")
    elif found.body is not None:
        body = json.dumps(found.body).encode()
        headers["Content-Type"] = "application/json; charset=utf-8"
    if found.status not in (204, 304):
        headers["Content-Length"] = str(len(body or b""))
    encoded = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": found.status, "headers": encoded})
    await send({"type": "http.response.body", "body": body or b""})


@contextmanager
def running(world: World, port: int = 0) -> Iterator[str]:
    """Serves `world` on 127.0.0.1 and yields its URL; webhooks are delivered meanwhile."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with world.lock:
        world.links = Links(url, url)
    config = uvicorn.Config(
        Application(world),
        lifespan="off",
        ws="none",
        loop="asyncio",
        http="h11",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), name="localhub", daemon=True)
    thread.start()
    try:
        await_start(server, thread)
        world.hooks.start()
        yield url
    finally:
        world.hooks.stop()
        server.should_exit = True
        thread.join()
        listener.close()


def await_start(server: uvicorn.Server, thread: threading.Thread) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise RuntimeError("localhub did not start")
        time.sleep(0.01)
