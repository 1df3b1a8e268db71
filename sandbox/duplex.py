"""A box whose command has a standard input of its own: bytes go in and come out for as long as it lives."""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from sandbox import Command, Limits
from sandbox.stream import Streams


class Ends(Protocol):
    """Our ends of one box's streams; none of the calls waits. What arrives is fed to the box's `Streams`."""

    def readers(self) -> tuple[int, ...]:
        """Descriptors that become readable when there is something to receive."""
        ...

    def writer(self) -> int:
        """The descriptor that becomes writable when there is room to send."""
        ...

    def receive(self) -> bool:
        """Take what is there, a bounded piece of it. False at the end of the box."""
        ...

    def send(self, data: memoryview) -> int | None:
        """How many bytes were taken; None when nobody takes any more."""
        ...


class Duplex:
    """One living box. `move()` does what can be done without waiting; `ended` says that no more will come."""

    def __init__(self, ends: Ends, streams: Streams, files: Iterator[bytes]) -> None:
        """`files` is the tar that the box is laid out from; it goes before everything that is sent."""
        self.streams = streams
        self.ended = False
        self._ends = ends
        self._files: Iterator[bytes] | None = files
        self._queue: deque[bytes] = deque()
        self._pending = memoryview(b"")

    def send(self, data: bytes) -> None:
        """Queue bytes for the command's standard input."""
        self._queue.append(data)

    def register(self, poll: select.poll) -> None:
        """What to wait for before the next `move()`."""
        for reader in self._ends.readers():
            poll.register(reader, select.POLLIN)
        if self._pending or self._files or self._queue:
            writer = self._ends.writer()
            poll.register(writer, select.POLLOUT | (select.POLLIN if writer in self._ends.readers() else 0))

    def move(self) -> None:
        self._send()
        if not self._ends.receive() or self.streams.over:
            self.ended = True

    def _send(self) -> None:
        while self._pending or self._next():
            sent = self._ends.send(self._pending)
            if sent is None:  # the box has ended; the reading side says so
                self._files, self._pending = None, memoryview(b"")
                self._queue.clear()
                return
            self._pending = self._pending[sent:]
            if not sent:
                return

    def _next(self) -> bool:
        chunk = next(self._files, None) if self._files else None
        if chunk is None:
            self._files = None
            chunk = self._queue.popleft() if self._queue else b""
        self._pending = memoryview(chunk)
        return bool(chunk)


OpenBox = Callable[[Command, Limits, Callable[[bytes], None]], AbstractContextManager[Duplex]]
"""Starts a box for a command that reads its standard input; the callable gets all that the command writes
on its standard output, from within `move()`. Leaving the context removes the box. Raises SandboxError."""
