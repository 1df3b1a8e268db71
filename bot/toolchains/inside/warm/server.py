"""The warm server: takes deltas in, sends each the fast way or the slow one, and puts everything back in between."""

from __future__ import annotations

import gc
import json
import os
import select
import socket
import sys
import time
from collections import deque
from types import ModuleType
from typing import Any, Deque, Dict, List, Optional, Set

from ....engines.search.inside.unit import Edit
from .. import launch as _launch
from . import libraries
from .child import PRIVATE, end_strays, shut_ourselves
from .frames import COLLECTED, DONE, READY, TIMED_OUT, Delta, Deltas, Report, Reports, write_all
from .pristine import Pristine, wipe
from .slow import Ground, SlowRuns
from .swap import edit_between

MOST_IN_BATCH = 256
COLLECT_S = 300.0
_GRACE_S = 60.0
_RESTARTS = 3


def main(tools: str) -> None:
    channel = _launch.take_stdout()
    source = os.dup(0)
    os.set_inheritable(source, False)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    PRIVATE.update((channel, source))
    sys.dont_write_bytecode = True
    import pytest  # noqa: F401 - before the tree is on sys.path, so that it is the real one

    shut_ourselves()
    with open(os.path.join(tools, "warm.json"), encoding="utf-8") as stream:
        job = json.load(stream)
    launch: ModuleType = _launch
    root = os.path.realpath(os.path.join(os.path.dirname(tools), "w"))
    launch.TREE = root  # type: ignore[attr-defined]
    Server(Ground(tools, job, launch, Pristine(root)), source, channel).serve()
    os._exit(0)


class Fast:
    """Our end of the link to the process that has collected the suite. It is started again when it dies."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._starts = 0
        self._link: Optional[socket.socket] = None
        self._reports = Reports()
        self.pid = 0
        self.told: Dict[str, Any] = {}

    @property
    def alive(self) -> bool:
        return self._link is not None

    def start(self) -> None:
        """Fork it, and wait until it has collected; without one, all is done the slow way."""
        while self._link is None and self._starts < _RESTARTS:
            self._starts += 1
            self._fork()
            first = next(iter(self._hear(time.monotonic() + COLLECT_S)), None)
            if first is not None and first.kind == COLLECTED:
                self.told = json.loads(first.data)
            else:
                self.end()

    def _fork(self) -> None:
        ours, theirs = socket.socketpair()
        self._reports = Reports()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                ours.close()
                _be_collected(self._ground, theirs.fileno())
            finally:
                os._exit(1)
        theirs.close()
        self._link = ours
        PRIVATE.add(ours.fileno())

    def tried(self, deltas: List[Delta], edits: List[Any]) -> List[Report]:
        """One batch. Deltas that it has no report for are missing in the answer: do them the slow way."""
        assert self._link is not None
        candidates = [[delta.number, path, edit, delta.wall_s] for delta, (path, edit) in zip(deltas, edits)]  # noqa: B905
        request = {"tests": deltas[0].tests, "stop": deltas[0].stop, "candidates": candidates}
        end = time.monotonic() + sum(delta.wall_s for delta in deltas) + _GRACE_S
        found: List[Report] = []
        try:
            self._link.sendall(json.dumps(request).encode("ascii") + b"\n")
            while len(found) < len(deltas):
                heard = self._hear(end)
                if not heard:
                    self.end()
                    break
                found += heard
        except OSError:
            self.end()
        return found

    def _hear(self, end: float) -> List[Report]:
        """What has come, at least one report; empty when it is gone or too late."""
        assert self._link is not None
        while True:
            if not select.select([self._link], [], [], max(0.0, end - time.monotonic()))[0]:
                return []
            try:
                data = self._link.recv(1 << 20)
            except OSError:
                return []
            found = self._reports.feed(data)
            if found or not data:
                return found

    def end(self) -> None:
        if self._link is not None:
            PRIVATE.discard(self._link.fileno())
            self._link.close()
        self._link, self.pid = None, 0
        end_strays(set())


def _be_collected(ground: Ground, link: int) -> None:
    from .collected import Collected

    os.setsid()
    for descriptor in PRIVATE:
        os.close(descriptor)
    PRIVATE.clear()
    PRIVATE.add(link)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)
    Collected(ground, link).run()


class Server:
    """One delta or one batch at a time: they share one tree."""

    def __init__(self, ground: Ground, source: int, channel: int) -> None:
        self._ground = ground
        self._source, self._channel = source, channel
        self._tools = Pristine(ground.tools)
        self._deltas = Deltas()
        self._queue: Deque[Delta] = deque()
        self._fast = Fast(ground)
        self._slow = SlowRuns(ground, dict(ground.job["seconds"]))
        self._slow_only: Set[int] = set()
        self._scratch: List[str] = [] if os.geteuid() == 0 else list(ground.job["scratch"])  # never a real machine's

    def serve(self) -> None:
        gc.collect()
        gc.freeze()
        if self._ground.job["fast"]:
            self._fast.start()
        told = self._fast.told
        names, unwanted = told.get("libraries", []), set(told.get("rewritten", []))
        self._slow.preloaded = libraries.preload(names, unwanted, self._ground.tree.root)
        gc.collect()
        gc.freeze()
        self._put_back()
        self._say(Report(0, READY, 0.0))
        while self._read(wait=not self._queue):
            if self._queue:
                self._next()
                self._put_back()

    def _read(self, *, wait: bool) -> bool:
        """Take what has come. False when the controller is gone."""
        while select.select([self._source], [], [], None if wait else 0)[0]:
            data = os.read(self._source, 1 << 20)
            if not data:
                return False
            self._queue.extend(self._deltas.feed(data))
            wait = wait and not self._queue
        return True

    def _next(self) -> None:
        """The oldest delta; with it, when it can go the fast way, all that can go together with it."""
        edit = self._edit(self._queue[0])
        if edit is None:
            self._run_slowly(self._queue.popleft())
            return
        first = self._queue[0]
        batch: List[Delta] = []
        others: List[Delta] = []
        edits: List[Any] = []
        for delta in self._queue:
            alike = len(batch) < MOST_IN_BATCH and (delta.tests, delta.stop) == (first.tests, first.stop)
            found = self._edit(delta) if alike else None
            if found is None:
                others.append(delta)
            else:
                batch.append(delta)
                edits.append(found)
        self._queue = deque(others)
        self._try(batch, edits)

    def _run_slowly(self, delta: Delta) -> None:
        self._slow.learn(delta)
        if self._slow.caches_changed:
            self._put_back(keep_caches=True)
        self._say(self._slow.run(delta))

    def _try(self, batch: List[Delta], edits: List[Any]) -> None:
        waiting = {delta.number: delta for delta in batch}
        for report in self._fast.tried(batch, edits):
            if report.kind in (DONE, TIMED_OUT) and waiting.pop(report.number, None) is not None:
                self._say(report)
        self._slow_only.update(waiting)
        self._queue.extendleft(list(waiting.values())[::-1])
        if not self._fast.alive:
            self._fast.start()

    def _edit(self, delta: Delta) -> "Optional[tuple[str, Edit]]":
        """The change of one function, as far as can be seen from outside; None sends it the slow way."""
        if not self._fast.alive or len(delta.files) != 1 or delta.number in self._slow_only:
            return None
        ((path, data),) = delta.files.items()
        old = self._ground.tree.data(path) if path.endswith(".py") else None
        if old is None or data is None:
            return None
        edit = edit_between(old, data)
        return None if edit is None else (path, edit)

    def _say(self, report: Report) -> None:
        self._slow_only.discard(report.number)
        write_all(self._channel, report.packed())

    def _put_back(self, *, keep_caches: bool = False) -> None:
        """Nothing of a run may meet the next one: processes first, or they would write behind our back."""
        end_strays({self._fast.pid} if self._fast.alive else set())
        os.chdir("/")
        self._ground.tree.restore()
        if keep_caches:
            self._tools, self._slow.caches_changed = Pristine(self._ground.tools), False
        self._tools.restore()
        wipe(self._scratch, [self._ground.tree.root, os.path.realpath(self._ground.tools)])
