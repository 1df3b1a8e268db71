"""Forked children in process groups of their own: they report over a pipe, and they end when we say so."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
import time
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from .wire import Lines, Wire

PRIVATE: Set[int] = set()
"""Descriptors of ours that no child may hold: the host's report, pipes of other children."""

EXTRA_MEMORY_BYTES = 1024 * 1024 * 1024
FILE_BYTES = 64 * 1024 * 1024
_SUBREAPER = 36
ASLEEP = 4
"""Seen asleep so often in a row, a silent child waits for something that will not come."""


class Child:
    """One forked piece of work. `work` gets the wire to its parent; whatever it does, it ends in there."""

    def __init__(self, work: Callable[[Wire], None]) -> None:
        reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _be_child(work, reader, writer)
        os.close(writer)
        PRIVATE.add(reader)
        self.descriptor = reader
        self.heard_s = time.monotonic()
        self.ended = False
        self._lines = Lines()
        self._watched: Optional[float] = None
        """Processor time it had used when its silence became too long."""
        self._asleep = 0

    def messages(self) -> List[Dict[str, Any]]:
        """Read what has arrived; call it when the descriptor is readable."""
        data = os.read(self.descriptor, 1 << 16)
        self.heard_s = time.monotonic()
        if not data:
            self.ended = True
        return self._lines.feed(data)

    def is_stuck(self, limit_s: float) -> bool:
        """True when it has said nothing for so long, and not because others had the processor.

        One that wants to run may go on until it has used the limit up itself; asked again and again, as one that
        sleeps is only stuck when it was seen asleep several times.
        """
        if time.monotonic() - self.heard_s <= limit_s:
            self._watched = None
            return False
        state, used_s = _state(self.pid)
        if self._watched is None:
            self._watched, self._asleep = used_s, 0
        self._asleep = 0 if state == "R" else self._asleep + 1
        return self._asleep >= ASLEEP or used_s - self._watched > limit_s

    def end(self) -> None:
        """Kill the whole group, reap it, and reap what escaped from it."""
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        PRIVATE.discard(self.descriptor)
        with contextlib.suppress(OSError):
            os.close(self.descriptor)


def _state(pid: int) -> Tuple[str, float]:
    """What the kernel says of a process: its state, and the processor time it has used; gone is as good as asleep."""
    try:
        with open("/proc/%d/stat" % pid, encoding="ascii", errors="replace") as stream:
            fields = stream.read().rpartition(")")[2].split()
    except OSError:
        return "", 0.0
    return fields[0], (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _be_child(work: Callable[[Wire], None], reader: int, writer: int) -> None:
    try:
        os.setsid()
        os.close(reader)
        for descriptor in PRIVATE:
            with contextlib.suppress(OSError):
                os.close(descriptor)
        PRIVATE.clear()
        _silence()
        _limit()
        work(Wire(writer))
    finally:
        os._exit(0)


def _silence() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    with contextlib.suppress(OSError, ValueError):
        with open("/proc/self/statm", encoding="ascii") as stream:
            used = int(stream.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + EXTRA_MEMORY_BYTES,) * 2)


def adopt_orphans() -> None:
    """Become the parent of whatever our descendants leave behind, so that it can be found and ended."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def end_strays(ours: Set[int]) -> None:
    """Kill every child of this process that is not in `ours`: orphans of candidates that left their group."""
    try:
        with open("/proc/self/task/%d/children" % os.getpid(), encoding="ascii") as stream:
            pids = {int(pid) for pid in stream.read().split()}
    except OSError:
        return
    for pid in pids - ours:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)
