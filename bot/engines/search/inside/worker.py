"""The processes of a search: a clean one, one with pytest ready to collect, and one that has collected and searches.

clean ── prepared ── collected ── batches of candidates
             └────── slow runs (from the clean process when a conftest imports the tree too early)
"""

from __future__ import annotations

import os
import socket
import sys
import time
import traceback
from types import ModuleType
from typing import Callable, Optional

from .children import PRIVATE, adopt_orphans, end_strays
from .collected import Collected
from .guard import TreeGuard
from .job import Job, launcher, read_job
from .kinds import Session
from .prepared import Prepared, start_pytest
from .server import SlowServer
from .slow import SlowRun
from .wire import Wire

SERVED, NOT_CLEAN, NOT_REACHED, BROKEN = 0, 7, 8, 9
"""How the prepared process ended: it answered all slow runs, or the clean one must do so."""


def main(here: str) -> None:
    began_s = time.monotonic()
    launch = launcher(here)
    channel: int = launch.take_stdout()
    sys.dont_write_bytecode = True
    import pytest  # noqa: F401  before the tree is on sys.path, so that it is the real one

    job = read_job(here)
    guard = TreeGuard(os.path.realpath(launch.TREE))
    launch.TREE = guard.root  # type: ignore[attr-defined]
    Processes(job, launch, guard, channel, began_s).run()
    end_strays(set())  # whatever escaped from the other processes is our child by now
    os._exit(0)


class Processes:
    """Forks them, and gives each its end of the link between the search and the slow runs."""

    def __init__(self, job: Job, launch: ModuleType, guard: TreeGuard, channel: int, began_s: float) -> None:
        self._job = job
        self._launch = launch
        self._guard = guard
        self._channel = channel
        self._began_s = began_s
        self._serving, self._searching = socket.socketpair()
        PRIVATE.update((channel, self._serving.fileno(), self._searching.fileno()))

    def run(self) -> None:
        """In the clean process."""
        adopt_orphans()
        pid = os.fork()
        if pid == 0:
            _ended(self._prepare)
        status = os.waitpid(pid, 0)[1]
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else BROKEN
        if code == SERVED:
            return
        if code != NOT_CLEAN and os.fork() == 0:
            _ended(lambda: self._search(None, None))
        self._searching.close()
        SlowServer(self._whole_run, self._guard, self._serving.fileno()).serve()

    def _whole_run(self, plugin: object) -> None:
        """A slow run from nothing: pytest starts anew."""
        assert isinstance(plugin, SlowRun)
        start_pytest(self._launch, self._job, plugin)

    def _prepare(self) -> int:
        adopt_orphans()
        ready = Prepared(self._guard, lambda session: os._exit(self._collect_and_serve(ready, session)))
        start_pytest(self._launch, self._job, ready)
        return NOT_REACHED

    def _collect_and_serve(self, ready: Prepared, session: Session) -> int:
        """In the prepared process, where collection would begin."""
        if os.fork() == 0:
            _ended(lambda: self._search(ready, session))
        self._searching.close()
        PRIVATE.discard(self._searching.fileno())
        if not ready.is_clean(self._job):
            return NOT_CLEAN
        server = SlowServer(lambda plugin: ready.run(session, plugin), self._guard, self._serving.fileno())
        server.serve()
        return SERVED

    def _search(self, ready: Optional[Prepared], session: Session) -> int:
        self._serving.close()
        adopt_orphans()
        link = self._searching.fileno()
        Wire(link).send({"searching": os.getpid()})
        plugin = Collected(self._job, self._guard, Wire(self._channel), link, self._began_s)
        plugin.search(ready, session)
        return 0


def _ended(work: Callable[[], Optional[int]]) -> None:
    """Run what a forked process is for, and end it: it must never return into the code it was forked from."""
    code = BROKEN
    try:
        code = work() or 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)
