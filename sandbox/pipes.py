"""A box that is a process of ours: bytes in on its standard input, its two streams back, until both have ended."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
from collections.abc import Callable, Iterator
from typing import TypeVar

Reason = TypeVar("Reason", bound=str)

_CHUNK_BYTES = 256 * 1024
_POLL_S = 0.25


class Pipes:
    """The three pipes of one process. Its standard input stays open to the end: that is how it knows us alive."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        *,
        stdout: Callable[[bytes], None],
        stderr: Callable[[bytes], None],
    ) -> None:
        assert process.stdin and process.stdout and process.stderr
        self._in = process.stdin.fileno()
        self._sinks = {process.stdout.fileno(): stdout, process.stderr.fileno(): stderr}
        for stream in (self._in, *self._sinks):
            os.set_blocking(stream, False)

    def converse(self, outgoing: Iterator[bytes], stop: Callable[[], Reason | None]) -> Reason | None:
        """Run until both streams end (None) or `stop`, asked after every event, gives a reason."""
        pending, sending = memoryview(b""), True
        while (reason := stop()) is None:
            poll = select.poll()
            for reader in self.readers():
                poll.register(reader, select.POLLIN)
            if sending:
                poll.register(self._in, select.POLLOUT)
            poll.poll(_POLL_S * 1000)
            if not self.receive():
                return None
            if sending:
                pending, sending = self._send(pending, outgoing)
        return reason

    def readers(self) -> tuple[int, ...]:
        return tuple(self._sinks)

    def writer(self) -> int:
        return self._in

    def receive(self) -> bool:
        """Take what is there, one chunk of each: a flood may not keep `stop` from being asked. False at the end."""
        for stream, sink in list(self._sinks.items()):
            with contextlib.suppress(BlockingIOError):
                data = os.read(stream, _CHUNK_BYTES)
                if data:
                    sink(data)
                else:
                    del self._sinks[stream]
        return bool(self._sinks)

    def _send(self, pending: memoryview, outgoing: Iterator[bytes]) -> tuple[memoryview, bool]:
        if not pending:
            chunk = next(outgoing, None)
            if chunk is None:
                return pending, False
            pending = memoryview(chunk)
        sent = self.send(pending)
        return (pending, False) if sent is None else (pending[sent:], True)

    def send(self, data: memoryview) -> int | None:
        """How many bytes were taken; None when the box has ended: the read side says how."""
        try:
            return os.write(self._in, data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            return None
