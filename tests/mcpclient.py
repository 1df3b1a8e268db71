"""Clients of `regreen mcp`: in this process, over standard input and output, and over HTTP."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, ListRootsResult, Root

from bot.settings import Settings
from handlers.mcp import server
from sandbox.docker import engine

ROOT = Path(__file__).parent.parent


def environment(home: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "REGREEN_HOME": str(home), **more}


def inside(home: Path, *, client_roots: list[Path] | None = None, mode: str = "auto", **options: Any) -> Client:
    """A client of a server in this process. `options` are the operator's."""

    async def told(_context: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=folder.as_uri()) for folder in client_roots or ()])

    made = server.build(Settings(home=home), **options)
    return Client(made, mode=mode, list_roots_callback=told if client_roots is not None else None)


def over_stdio(home: Path, *args: str, mode: str = "auto") -> Client:
    argv = ["-m", "handlers.cli", "mcp", *args]
    return Client(
        StdioServerParameters(command=sys.executable, args=argv, env=environment(home), cwd=str(ROOT)), mode=mode
    )


@contextlib.contextmanager
def listening(home: Path, *args: str, token: str = "") -> Iterator[str]:
    """A server in a process of its own; yields its address."""
    argv = [sys.executable, "-m", "handlers.cli", "mcp", "--http", "--port", "0", *args]
    env = environment(home, REGREEN_MCP_TOKEN=token)
    with subprocess.Popen(argv, cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if found := re.search(r"listening on (http://\S+/mcp)", line):
                    yield found[1]
                    break
            else:
                raise AssertionError("the server did not start")
        finally:
            process.terminate()
            process.wait(timeout=30)


@contextlib.asynccontextmanager
async def over_http(address: str, *, token: str = "", mode: str = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=120) as http,
        Client(streamable_http_client(address, http_client=http), mode=mode) as client,
    ):
        yield client


def text(result: CallToolResult) -> str:
    """What a model reads."""
    return "\n".join(part.text for part in result.content if part.type == "text")


def data(result: CallToolResult) -> dict[str, Any]:
    assert result.structured_content is not None, text(result)
    return result.structured_content


def boxes_of(home: Path, task_id: str) -> list[str]:
    """Containers whose controller is the process of this task."""
    pid = re.search(r'"pid": (\d+)', (home / "tasks" / task_id / "process.json").read_text())
    assert pid is not None
    with engine() as api:
        found = api.containers(all=True, filters={"label": "regreen.box.owner=regreen"})
    return [one["Id"] for one in found if f" {pid[1]} " in one["Labels"]["regreen.box.controller"]]
