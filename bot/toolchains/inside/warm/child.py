"""A forked piece of work: it speaks over a pipe, it is watched by its pidfd, and it ends with all that it started."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time
from typing import Callable, List, Optional, Set

PRIVATE: Set[int] = set()
"""Descriptors of ours that no child may hold: the controller's wire, pipes of other children."""

MOST_BYTES = 32 * 1024 * 1024
"""More than this no child may say."""
_SUBREAPER, _SET_DUMPABLE = 36, 4
_STRAYS_S = 10.0


class Say:
    """Sends lines to the parent. The copy in a process that a test forks does not speak in our name."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._owner = os.getpid()

    def __call__(self, line: bytes) -> None:
        if os.getpid() != self._owner:
            os._exit(1)
        data = memoryview(line + b"\n")
        while data:
            data = data[os.write(self.descriptor, data) :]


def prctl(option: int, value: int) -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def shut_ourselves() -> None:
    """Nobody of our user may look into this process; whatever its children leave behind becomes its child."""
    prctl(_SET_DUMPABLE, 0)
    prctl(_SUBREAPER, 1)


class Child:
    """One fork. `work` gets a function that sends a line; whatever it does, the process ends with it."""

    def __init__(self, work: Callable[[Say], None], *, cpu_s: Optional[float] = None) -> None:
        reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _be_child(work, reader, writer, cpu_s)
        os.close(writer)
        os.set_blocking(reader, False)
        self.started = time.monotonic()
        self.late = False
        self.status: Optional[int] = None
        self._reader = reader
        self._pidfd = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else None
        self.rest = b""
        """What it said after its last whole line."""
        self._size = 0
        PRIVATE.update(fd for fd in (reader, self._pidfd) if fd is not None)

    @property
    def timed_out(self) -> bool:
        """True when we ended it for its time, or the kernel did for its processor time."""
        spent = self.status is not None and os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) == signal.SIGXCPU
        return self.late or spent

    def follow(self, hear: Callable[[bytes], None], end: Callable[[], float]) -> None:
        """Hand on its lines until it is gone, or the time that `end` says is over; then it is gone as well.

        A stray that holds the pipe keeps nobody waiting: the end of the process is what counts.
        """
        try:
            while not self._gone():
                left = end() - time.monotonic()
                if left <= 0 or self._size > MOST_BYTES:
                    self.late = left <= 0
                    break
                self._wait(left)
                self._hear(hear)
            else:
                self._hear(hear)
        finally:
            self.end()

    def _gone(self) -> bool:
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = status if pid else None
        return self.status is not None

    def _wait(self, left: float) -> None:
        watched = [self._reader] if self._pidfd is None else [self._reader, self._pidfd]
        select.select(watched, [], [], left if self._pidfd is not None else min(left, 0.02))

    def _hear(self, hear: Callable[[bytes], None]) -> None:
        """All that it has said so far; closed or not."""
        while self._size <= MOST_BYTES:
            try:
                data = os.read(self._reader, 1 << 18)
            except BlockingIOError:
                return
            if not data:
                if self._pidfd is not None and self.status is None:
                    select.select([self._pidfd], [], [], 0.05)  # it has closed its end, and is about to go
                return
            self._size += len(data)
            *lines, self.rest = (self.rest + data).split(b"\n")
            for line in lines:
                hear(line)

    def end(self) -> None:
        """Kill the whole group, and reap it."""
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(OSError):
                if kill is os.killpg or self.status is None:
                    kill(self.pid, signal.SIGKILL)
        if self.status is None:
            with contextlib.suppress(ChildProcessError):
                self.status = os.waitpid(self.pid, 0)[1]
        for descriptor in (self._reader, self._pidfd):
            if descriptor is not None and descriptor in PRIVATE:
                PRIVATE.discard(descriptor)
                os.close(descriptor)


def _be_child(work: Callable[[Say], None], reader: int, writer: int, cpu_s: Optional[float]) -> None:
    try:
        os.setsid()
        prctl(_SET_DUMPABLE, 1)  # a test may look at itself
        os.close(reader)
        for descriptor in PRIVATE:
            with contextlib.suppress(OSError):
                os.close(descriptor)
        PRIVATE.clear()
        _silence()
        if cpu_s is not None:
            seconds = max(1, int(cpu_s + 0.999))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        work(Say(writer))
    finally:
        os._exit(0)


def _silence() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def children() -> List[int]:
    """Processes whose parent we are."""
    with open("/proc/self/task/%d/children" % os.getpid(), encoding="ascii") as stream:
        return [int(pid) for pid in stream.read().split()]


def end_strays(ours: Set[int]) -> None:
    """Kill every child of this process that is not ours: what a run left behind has become our child.

    What grows faster than it can be killed takes us, and so the box, with it.
    """
    end = time.monotonic() + _STRAYS_S
    while True:
        strays = [pid for pid in children() if pid not in ours]
        if not strays:
            return
        if time.monotonic() > end:
            os._exit(3)
        for pid in strays:
            for kill in (os.killpg, os.kill):
                with contextlib.suppress(OSError):
                    kill(pid, signal.SIGKILL)
        for pid in strays:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
