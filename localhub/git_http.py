"""git's smart HTTP, by git's own http-backend: a CGI bridge that streams both ways."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from localhub import auth
from localhub.auth import Caller, UnauthorizedError
from localhub.changes import refs
from localhub.git import ENVIRONMENT
from localhub.objects import ZERO
from localhub.state import Move, Repo
from localhub.world import World

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

PATH = re.compile(
    r"/(?P<owner>[^/]+)/(?P<name>[^/]+?)(?:\.git)?/(?P<rest>info/refs|git-upload-pack|git-receive-pack)"
)
CHUNK_BYTES = 64 * 1024
CHALLENGE = [(b"www-authenticate", b'Basic realm="GitHub"')]


@dataclass(frozen=True)
class Visit:
    """An allowed request: who comes to which repository, to fetch or to push."""

    repo: Repo
    who: Caller
    rest: str
    pushes: bool


class RefusedError(Exception):
    """The status and text to answer with."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


def is_git(path: str) -> bool:
    return PATH.fullmatch(path) is not None


async def serve(world: World, scope: Scope, receive: Receive, send: Send) -> None:
    headers = {name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]}
    try:
        with world.lock:
            visit = admitted(world, scope, headers)
    except RefusedError as refused:
        await plain(send, refused)
        return
    with tempfile.TemporaryDirectory() as folder:
        moves = Path(folder) / "moves"
        env = environment(scope, headers, visit, moves)
        await bridge(env, receive, pushed(world, visit, moves, send) if visit.pushes else send)


def admitted(world: World, scope: Scope, headers: dict[str, str]) -> Visit:
    matched = PATH.fullmatch(scope["path"])
    assert matched is not None
    repo = world.repo(matched["owner"], matched["name"])
    query = scope["query_string"].decode()
    pushes = "git-receive-pack" in (matched["rest"], query.removeprefix("service="))
    try:
        who = auth.caller(world, headers.get("authorization"))
    except UnauthorizedError:
        raise RefusedError(401, "Invalid username or token.") from None
    anonymous = who.user is None and who.token is None
    if repo is None or (pushes and anonymous) or not may_fetch(who, repo):
        # GitHub asks strangers for a name before it says that there is nothing.
        raise (
            RefusedError(401, "Authentication required") if anonymous else RefusedError(404, "Repository not found.")
        )
    if pushes and not auth.may(who, repo, "contents", "write"):
        raise RefusedError(
            403, f"Write access to repository not granted.\nPermission to {repo.full_name}.git denied."
        )
    return Visit(repo, who, matched["rest"], pushes)


def may_fetch(who: Caller, repo: Repo) -> bool:
    return not repo.private or auth.may(who, repo, "contents", "read")


def environment(scope: Scope, headers: dict[str, str], visit: Visit, moves: Path) -> dict[str, str]:
    account = visit.who.account
    env = {
        "PATH": os.environ["PATH"],
        **ENVIRONMENT,
        "GIT_PROJECT_ROOT": str(visit.repo.git.path),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": f"/{visit.rest}",
        "QUERY_STRING": scope["query_string"].decode(),
        "REQUEST_METHOD": scope["method"],
        "CONTENT_TYPE": headers.get("content-type", ""),
        "HTTP_CONTENT_ENCODING": headers.get("content-encoding", ""),
        "GIT_PROTOCOL": headers.get("git-protocol", ""),
        "REMOTE_USER": account.login if account else "",
        "REMOTE_ADDR": "127.0.0.1",
        "LOCALHUB_PUSH_LOG": str(moves),
    }
    # A chunked request has no length; http-backend then reads to the end.
    if "content-length" in headers:
        env["CONTENT_LENGTH"] = headers["content-length"]
    token = visit.who.token
    if token and not auth.grants(token.permissions, "workflows", "write"):
        env["LOCALHUB_NO_WORKFLOWS"] = "1"
    return env


async def bridge(env: dict[str, str], receive: Receive, send: Send) -> None:
    process = await asyncio.create_subprocess_exec(
        "git",
        "http-backend",
        env=env,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    feeding = asyncio.create_task(feed(process, receive))
    try:
        await relay(process, send)
    finally:
        feeding.cancel()
        with suppress(asyncio.CancelledError):
            await feeding
        assert process.stdin is not None
        process.stdin.close()
        end(process)
        await process.wait()


def end(process: asyncio.subprocess.Process) -> None:
    """Kills what still runs. `process.kill()` would first reap it, under asyncio's feet."""
    if process.returncode is None and process.stdout is not None and not process.stdout.at_eof():
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


async def feed(process: asyncio.subprocess.Process, receive: Receive) -> None:
    """The request's body into the process; a client that hangs up ends it."""
    assert process.stdin is not None
    more = True
    with suppress(BrokenPipeError, ConnectionResetError):
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                end(process)
                return
            process.stdin.write(message.get("body", b""))
            await process.stdin.drain()
            more = message.get("more_body", False)
        process.stdin.close()


async def relay(process: asyncio.subprocess.Process, send: Send) -> None:
    """The process's CGI answer to the client."""
    assert process.stdout is not None
    status, headers = 200, []
    while line := (await process.stdout.readline()).strip():
        name, _, value = line.partition(b": ")
        if name.lower() == b"status":
            status = int(value.split(b" ")[0])
        else:
            headers.append((name.lower(), value))
    if not headers and status == 200:
        status = 500
    await send({"type": "http.response.start", "status": status, "headers": headers})
    while chunk := await process.stdout.read(CHUNK_BYTES):
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def pushed(world: World, visit: Visit, moves: Path, send: Send) -> Send:
    """Holds the answer to a push back until its consequences are in the world: whoever pushes may look at once."""
    held: list[dict[str, Any]] = []

    async def holding(message: dict[str, Any]) -> None:
        held.append(message)
        if message["type"] != "http.response.body" or message["more_body"]:
            return
        if moves.exists():
            await asyncio.to_thread(record, world, visit, moves.read_text())
        for each in held:
            await send(each)

    return holding


def record(world: World, visit: Visit, moves: str) -> None:
    by = visit.who.account
    assert by is not None
    with world.lock:
        for line in moves.splitlines():
            old, new, name = line.split(" ", 2)
            move = Move(name, None if old == ZERO else old, None if new == ZERO else new)
            refs.moved(world, visit.repo, move, by)


async def plain(send: Send, refused: RefusedError) -> None:
    text = refused.text.encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
    if refused.status == 401:
        headers += CHALLENGE
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
