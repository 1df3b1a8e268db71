"""Boxes of every backend: one run in a box, and a box that stays alive, on whatever opens boxes."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias, TypeVar

from sandbox import Command, Image, Limits, Ran, Stopped, boot, box
from sandbox.duplex import Duplex, Ends
from sandbox.stream import Streams

Reason = TypeVar("Reason", bound=str)


class Line(Ends, Protocol):
    """Our ends of one box's streams, for a whole conversation."""

    def converse(self, outgoing: Iterator[bytes], stop: Callable[[], Reason | None]) -> Reason | None:
        """Send `outgoing` and receive, until the end of the box (None) or until `stop` gives a reason."""
        ...


class Box(Protocol):
    """A box that was started and has run nothing: its first program, which is ours, waits for files."""

    def waits(self) -> bool:
        """False when it has ended in the meantime, or was told to."""
        ...

    def connect(self, streams: Streams, word: str) -> Line:
        """Listen, once: what it says goes to `streams`, up to `word`, the last one of its first program, if any."""
        ...

    def end(self) -> tuple[int, bool]:
        """Exit code of a box that has come to its end, and whether the kernel killed something in it for memory."""
        ...

    def close(self) -> None:
        """Kill what is in it, and remove it: at once, or soon and at the latest when its backend is settled."""
        ...


Opener: TypeAlias = Callable[[Image, Limits], Box]
"""Starts a box, or hands out one that nobody has used. Raises SandboxError."""


class Boxes:
    """What a session needs of a backend. `words` are what boot.py is to be told in the boxes of this backend;
    `sealed`: that a last word tells of the end, ahead of the backend itself."""

    def __init__(self, opened: Opener, words: Callable[[Limits], Iterable[tuple[str, str]]], *, sealed: bool) -> None:
        self._opened, self._words, self._sealed = opened, words, sealed

    def run(
        self,
        image: Image,
        command: Command,
        limits: Limits,
        *,
        on_report: Callable[[bytes], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Ran:
        """One command in one box that has run nothing, and that runs nothing afterwards."""
        word = secrets.token_hex(16) if self._sealed else ""
        words = [*self._words(limits), *([("word", word)] if word else [])]
        files = box.incoming(command, limits, words)
        streams = Streams(limits, boot.READY, on_report)
        with contextlib.closing(self._opened(image, limits)) as one:
            stopped: Stopped | None = one.connect(streams, word).converse(
                files, box.Patience(streams, limits, cancelled)
            )
            code, out_of_memory = (None, False) if stopped else one.end()
        if out_of_memory and streams.ready_at and not stopped:
            stopped = "memory"
        return box.ran(streams, stopped, code)

    @contextlib.contextmanager
    def duplex(
        self, image: Image, command: Command, limits: Limits, on_report: Callable[[bytes], None]
    ) -> Iterator[Duplex]:
        """One command with a standard input in one new box, which is done with at the end of the context."""
        files = box.incoming(command, limits, self._words(limits), stdin=True)
        streams = Streams(limits, boot.READY, on_report, keep_report=False)
        with contextlib.closing(self._opened(image, limits)) as one:
            yield Duplex(one.connect(streams, ""), streams, files)
