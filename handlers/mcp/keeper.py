"""Starts the processes of tasks, watches them, and ends them so that no box is left."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import anyio.to_thread

from bot import assemble
from bot.errors import Refused
from bot.nouns import Outcome
from bot.settings import PREFIX, Settings
from handlers.mcp.records import Asked, Ended, Line, TaskFiles, Tasks
from sandbox import SandboxError

Tell = Callable[[int, str], Awaitable[None]]
"""Is told of progress: a number that grows, and a line of text."""

MOST_RUNNING = 4
MODEL_KEYS = ("anthropic_key", "openai_key", "gemini_key")
"""The secrets that a repair may need; it gets no other."""
_LOOK_S = 0.1
_SILENCE_S = 10.0
"""After so long without news a client is told that the work goes on, lest it gives up."""
_FIRM_S = 15.0
"""A process that was asked to end and has not is asked again after this, and killed after twice this."""
_CODE = Path(__file__).parents[2]


class Keeper:
    """The tasks of this installation, and the processes of those that this server started."""

    def __init__(self, settings: Settings) -> None:
        self.tasks = Tasks(settings.home)
        self._settings = settings

    def running(self) -> list[TaskFiles]:
        """Tasks that are under way, whichever server started them."""
        return [task for task in self.tasks.all() if task.state() == "running"]

    def start(self, asked: Asked) -> TaskFiles:
        """Start a task in a process of its own. Refused while too many are running."""
        running = self.running()
        if len(running) >= MOST_RUNNING:
            ids = ", ".join(task.id for task in running)
            raise Refused(
                f"{len(running)} tasks are running already: {ids}.",
                "Wait for one with get_task, or end one with cancel_task.",
            )
        task = self.tasks.create(asked)
        with (task.folder / "stderr.log").open("wb") as errors:
            child = subprocess.Popen(
                [sys.executable, "-m", "handlers.mcp.worker", task.id],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                cwd=task.folder,
                env={**os.environ, **self.own_environment()},
                start_new_session=True,  # what a terminal does to this server is not meant for it
            )
        task.started(child.pid)
        # One that has ended is there until somebody has looked.
        threading.Thread(target=child.wait, name="regreen-task", daemon=True).start()
        return task

    def own_environment(self) -> dict[str, str]:
        """What a task's process is told besides the environment, out of which a server takes all secrets."""
        keys = {name: getattr(self._settings, name).get_secret_value() for name in MODEL_KEYS}
        told = {f"{PREFIX}{name.upper()}": value for name, value in keys.items() if value}
        return {**told, f"{PREFIX}HOME": str(self._settings.home.absolute()), "PYTHONPATH": str(_CODE)}

    async def watch(self, task: TaskFiles, wait_s: float, tell: Tell) -> None:
        """Until the task has ended, or the time is over; tells what it says meanwhile."""
        over, spoken, said, seen = time.monotonic() + wait_s, time.monotonic(), 0, 0
        while True:
            state = task.state()  # before the lines, so that the last ones are not missed
            lines = task.progress()
            news = [_words(line) for line in lines[seen:]]
            if not news and time.monotonic() - spoken > _SILENCE_S:
                news = [f"{_words(lines[-1]) if lines else 'starting'} (still)"]
            for text in news:
                said, spoken = said + 1, time.monotonic()
                await tell(said, text)
            seen = len(lines)
            if state != "running" or time.monotonic() >= over:
                break
            await anyio.sleep(_LOOK_S)

    async def cancel(self, task: TaskFiles) -> None:
        """End a task and wait for it: when this returns, no process and no box of it is left."""
        started = time.monotonic()
        asked = 0
        while (pid := task.process()) is not None:
            after = time.monotonic() - started
            patience = 0 if task.ended() is None else _FIRM_S  # one with a result is tidying up already
            if after >= patience + asked * _FIRM_S:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGINT if asked < 2 else signal.SIGKILL)
                asked += 1
            await anyio.sleep(_LOOK_S)
        if asked:
            task.end(Ended("cancelled", time.time(), Outcome.CANCELLED))
            await anyio.to_thread.run_sync(self._reap, task.asked.sandbox)

    def _reap(self, sandbox: str) -> None:
        """Remove what a process that was killed has left."""
        with contextlib.suppress(SandboxError):
            assemble.sandbox(self._settings, sandbox)


def _words(line: Line) -> str:
    return f"{line.stage}: {line.text}"
