"""Tasks on disk: what was asked for, which process works on it, what it says, how it ended.

Whichever server started a task, and whether it still lives: all of them see it. Each file has one writer, so that
nothing has to be locked. The durable queue is not used: one process owns it, and agents start a server each.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import TypeAdapter

from bot import record, redaction
from bot.errors import Refused
from bot.escape import plain
from bot.nouns import Evidence, TestCase
from sandbox import owner

Kind = Literal["repair", "verification", "tests"]
Delivery = Literal["diff", "branch", "files"]
State = Literal["running", "ended", "cancelled", "interrupted"]

T = TypeVar("T")

_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")
_KEPT = 200
"""So many tasks are kept; the oldest that have ended go first."""
_LINE_CHARS = 300


@dataclass(frozen=True)
class Asked:
    """What an agent asked for, once the path is known to be a checkout that it may name."""

    kind: Kind
    path: str
    sha: str
    check: str | None = None
    sandbox: str = ""
    engines: str | None = None
    deliver: Delivery = "diff"
    patch: str = ""
    budget_usd: float | None = None
    timeout_s: float | None = None
    created: float = 0.0


@dataclass(frozen=True)
class Ended:
    """How a task ended."""

    state: Literal["ended", "cancelled"]
    at: float
    outcome: str = ""
    """An outcome as everywhere else; of the tests alone also `red`."""
    cause: str = ""
    remedy: str = ""
    log: str = ""
    """Log of the step that failed."""
    red: tuple[TestCase, ...] = ()
    unstable: tuple[str, ...] = ()
    network: tuple[str, ...] = ()
    passing: int = 0
    delivered: str = ""
    """Where the patch was written: the name of a branch, or of files."""


@dataclass(frozen=True)
class Line:
    """One line of progress."""

    at: float
    stage: str
    text: str


class TaskFiles:
    """One task's folder."""

    def __init__(self, home: Path, name: str) -> None:
        self.id = name
        self.job = f"mcp:{name}"
        self.folder = home / "tasks" / name
        self._home = home

    @property
    def asked(self) -> Asked:
        return _read(self.folder / "asked.json", Asked) or Asked("repair", "", "")

    def started(self, pid: int) -> None:
        """Note which process works on it."""
        who = {"pid": pid, "started": owner.started(pid), "machine": owner.machine()}
        _write(self.folder / "process.json", json.dumps(who))

    def process(self) -> int | None:
        """Number of the process that works on it; None when that has ended. Numbers are used again."""
        who = _read(self.folder / "process.json", dict[str, Any]) or {}
        pid = int(who.get("pid", 0))
        alive = pid and who.get("machine") == owner.machine() and owner.started(pid) == who.get("started")
        return pid if alive else None

    def tell(self, stage: str, text: str) -> None:
        """One more line of progress. Secrets, control and invisible characters are left out."""
        words = redaction.clean(plain(text)).strip().replace("\n", " ")[:_LINE_CHARS]
        with (self.folder / "progress.jsonl").open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(json.dumps({"at": time.time(), "stage": stage, "text": words}) + "\n")

    def progress(self) -> list[Line]:
        """All lines so far; one that is being written counts as none."""
        found = []
        with contextlib.suppress(OSError):
            for line in (self.folder / "progress.jsonl").read_bytes().splitlines():
                with contextlib.suppress(ValueError, TypeError):
                    found.append(Line(**json.loads(line)))
        return found

    def end(self, ended: Ended) -> None:
        """Say how it ended. Whoever says it first is right."""
        path = self.folder / "ended.json"
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(TypeAdapter(Ended).dump_json(ended))
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()

    def ended(self) -> Ended | None:
        return _read(self.folder / "ended.json", Ended)

    def state(self) -> State:
        """What has become of it. It runs while its process does: a result is there before the last box is gone.

        A process that is gone without a word was killed, or found a bug.
        """
        if self.process() is not None:
            return "running"
        ended = self.ended()
        return ended.state if ended else "interrupted"

    def evidence(self) -> Evidence | None:
        return _read(record.place(self._home, self.job), Evidence)

    def last_words(self) -> str:
        """The end of what its process wrote to standard error."""
        try:
            return (self.folder / "stderr.log").read_bytes()[-20_000:].decode("utf-8", "replace")
        except OSError:
            return ""


class Tasks:
    """All tasks of this installation."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def create(self, asked: Asked) -> TaskFiles:
        """A new task, for which no process has been started yet. Refused where it cannot be stored."""
        name = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(3)}"
        task = TaskFiles(self._home, name)
        try:
            self._trim()
            task.folder.mkdir(parents=True, mode=0o700)
            _write(task.folder / "asked.json", TypeAdapter(Asked).dump_json(asked).decode())
        except OSError as error:
            raise Refused(
                f"Tasks cannot be stored in {self._home}: {error.strerror}.",
                "Make the folder writable for the user who runs `regreen mcp`, or set REGREEN_HOME to another one.",
            ) from error
        return task

    def all(self) -> list[TaskFiles]:
        """The newest first."""
        folder = self._home / "tasks"
        names = [path.parent.name for path in folder.glob("*/asked.json") if _ID.fullmatch(path.parent.name)]
        return [TaskFiles(self._home, name) for name in sorted(names, reverse=True)]

    def get(self, name: str) -> TaskFiles:
        """Refused when there is no such task."""
        task = TaskFiles(self._home, name)
        if not _ID.fullmatch(name) or not (task.folder / "asked.json").exists():
            raise Refused(
                f"There is no task {plain(name)[:60]!r}.",
                "Call list_tasks for the ids that there are, or run_task to start one.",
            )
        return task

    def _trim(self) -> None:
        for task in self.all()[_KEPT:]:
            if task.state() != "running":
                record.place(self._home, task.job).unlink(missing_ok=True)
                shutil.rmtree(task.folder, ignore_errors=True)


def _read(path: Path, kind: type[T]) -> T | None:
    """None where there is none, or not a whole one."""
    try:
        return TypeAdapter(kind).validate_json(path.read_bytes())
    except (OSError, ValueError):
        return None


def _write(path: Path, text: str) -> None:
    """A reader sees all of it or nothing."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    fresh.replace(path)
