"""The wire to a running box: bytes in, two streams out, with caps and a deadline of our own."""

from __future__ import annotations

import contextlib
import selectors
import socket
import ssl
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from sandbox import Limits, Stopped

HEAD_BYTES = 64 * 1024
TAIL_BYTES = 256 * 1024
_CHUNK_BYTES = 256 * 1024
_OPENING_BYTES = 4096
_POLL_S = 0.25

Reason = TypeVar("Reason", bound=str)


class Clipped:
    """Keeps the head and the tail of a stream, and marks the cut."""

    def __init__(self, head_bytes: int = HEAD_BYTES, tail_bytes: int = TAIL_BYTES) -> None:
        self.size = 0
        self._head = bytearray()
        self._tail = bytearray()
        self._head_bytes, self._tail_bytes = head_bytes, tail_bytes

    def add(self, data: bytes) -> None:
        self.size += len(data)
        room = self._head_bytes - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(room, 0) :]
        if len(self._tail) > 2 * self._tail_bytes:  # trimmed seldom, so that adding stays cheap
            del self._tail[: -self._tail_bytes]

    def value(self) -> bytes:
        tail = bytes(self._tail[-self._tail_bytes :])
        cut = self.size - len(self._head) - len(tail)
        mark = f"\n[... {cut} bytes cut ...]\n".encode() if cut else b""
        return bytes(self._head) + mark + tail


class Streams:
    """What a box says: the ready mark, then the report; beside it the output. Over a cap: `over` says which."""

    def __init__(
        self,
        limits: Limits,
        ready_mark: bytes,
        on_report: Callable[[bytes], None] | None,
        *,
        keep_report: bool = True,
    ) -> None:
        self.output = Clipped()
        self.ready_at: float | None = None
        self.over: Stopped | None = None
        self._limits, self._mark, self._on_report = limits, ready_mark, on_report
        self._keep_report = keep_report
        self._opening = b""
        self._report = bytearray()

    @property
    def report(self) -> bytes:
        return bytes(self._report)

    @property
    def opening(self) -> bytes:
        """What came on standard output in place of the ready mark."""
        return self._opening

    def stdout(self, data: bytes) -> None:
        if self.ready_at is None:
            data = self._after_mark(data)
        if self.over or not data:
            return
        if self._keep_report:
            if len(self._report) + len(data) > self._limits.report_bytes:
                self.over = "report"
                return
            self._report += data
        if self._on_report:
            self._on_report(data)

    def stderr(self, data: bytes) -> None:
        if self.over:
            return
        self.output.add(data)
        if self.output.size > self._limits.output_bytes:
            self.over = "output"

    def _after_mark(self, data: bytes) -> bytes:
        self._opening += data
        if not self._opening.startswith(self._mark):
            self._opening = self._opening[:_OPENING_BYTES]
            return b""
        self.ready_at = time.monotonic()
        rest, self._opening = self._opening[len(self._mark) :], b""
        return rest


class Demultiplexer:
    """Takes apart the engine's frames: 8 bytes of head (kind, length), then the payload."""

    def __init__(self, *, stdout: Callable[[bytes], None], stderr: Callable[[bytes], None]) -> None:
        self._sinks = {1: stdout, 2: stderr}
        self._head = b""
        self._kind = 0
        self._left = 0

    def feed(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            if self._left == 0:
                need = 8 - len(self._head)
                self._head, view = self._head + bytes(view[:need]), view[need:]
                if len(self._head) < 8:
                    return
                self._kind, self._left = struct.unpack(">BxxxI", self._head)
                self._head = b""
            part, view = view[: self._left], view[self._left :]
            self._left -= len(part)
            if part and self._kind in self._sinks:
                self._sinks[self._kind](bytes(part))


class Wire:
    """One attached connection: sends `outgoing`, feeds what comes back, until the end or a reason to stop."""

    def __init__(
        self, attached: object, feed: Callable[[bytes], None], done: Callable[[], bool] | None = None
    ) -> None:
        """`attached` is what docker-py hands out for a socket: a SocketIO around the real one. `done`, asked
        after each piece that was fed, says True when nothing more is to be waited for."""
        self._attached, self._feed, self._done = attached, feed, done
        connection: Any = getattr(attached, "_sock", attached)
        self._connection: socket.socket = connection
        self._connection.setblocking(False)

    def converse(self, outgoing: Iterator[bytes], stop: Callable[[], Reason | None]) -> Reason | None:
        """Run until the other side ends (None) or `stop`, asked after every event, gives a reason."""
        pending = memoryview(b"")
        sending = True
        with selectors.DefaultSelector() as selector:
            selector.register(self._connection, selectors.EVENT_READ | selectors.EVENT_WRITE)
            while (reason := stop()) is None:
                selector.select(0 if self._decrypted() else _POLL_S)
                if not self.receive():
                    return None
                if sending:
                    pending, sending = self._send(pending, outgoing)
                    if not sending:
                        selector.modify(self._connection, selectors.EVENT_READ)
        return reason

    def readers(self) -> tuple[int, ...]:
        return (self._connection.fileno(),)

    def writer(self) -> int:
        return self._connection.fileno()

    def receive(self) -> bool:
        """Take what is there, one chunk at most: a flood may not keep `stop` from being asked. False at the end."""
        try:
            data = self._connection.recv(_CHUNK_BYTES)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return True
        except ConnectionError:
            return False
        if data:
            self._feed(data)
        return bool(data) and not (self._done and self._done())

    def _decrypted(self) -> bool:
        """True when TLS holds bytes that the kernel no longer announces."""
        return isinstance(self._connection, ssl.SSLSocket) and self._connection.pending() > 0

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
            return self._connection.send(data)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0
        except ConnectionError:
            return None

    def close(self) -> None:
        """Shut the connection down in both directions. To be called before the box is killed.

        A client that stays connected without reading blocks the engine's exit path
        (https://github.com/moby/moby/issues/41827), and closing alone does not disconnect.
        """
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        response: Any = getattr(self._attached, "_response", self._attached)
        response.close()
