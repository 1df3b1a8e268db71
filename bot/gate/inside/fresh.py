"""Makes calls each in a process of its own, and in some orders, each order in one process.

A task of the kind `fresh` for run.py, and its result:

    {"kind": "fresh", "calls": [...], "rows": [[number of a call, ...], ...], "seconds": 3.0}
    {"fresh": [[outcome or null, ...] for each row]}

The modules of the calls are imported once, before the first process is forked.
"""

from __future__ import annotations

import io
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

Once = Callable[[dict[str, Any]], list[Any]]
MOST = 400_000
"""Bytes of one row that are read."""


def ask(task: dict[str, Any], once: Once, find: Callable[[str], Any]) -> dict[str, Any]:
    """What came of the calls of each row; nothing where the time was over."""
    for name in dict.fromkeys(call["function"] for call in task["calls"]):
        try:
            find(name)
        except Exception:
            pass  # the calls say so themselves
    until = time.monotonic() + task["seconds"]
    found = []
    for row in task["rows"]:
        lines = _row([task["calls"][number] for number in row], once, until) if time.monotonic() < until else []
        found.append([_outcome(line) for line in lines[: len(row)]] + [None] * (len(row) - len(lines)))
    return {"fresh": found}


def _row(calls: list[dict[str, Any]], once: Once, until: float) -> list[bytes]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            _make(calls, once, writing)
        finally:
            os._exit(0)
    os.close(writing)
    try:
        return _read(reading, until).split(b"\n")
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _make(calls: list[dict[str, Any]], once: Once, writing: int) -> None:
    for call in calls:
        sys.stdout = printed = io.StringIO()
        try:
            line = json.dumps([*once(call), printed.getvalue()[:2000]]).encode("ascii")
        except Exception:
            line = b"null"
        line += b"\n"
        while line:
            line = line[os.write(writing, line) :]


def _read(reading: int, until: float) -> bytes:
    found = b""
    while len(found) < MOST and time.monotonic() < until:
        ready, _, _ = select.select([reading], [], [], max(0.0, until - time.monotonic()))
        chunk = os.read(reading, 1 << 16) if ready else b""
        if not chunk:
            break
        found += chunk
    return found


def _outcome(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
