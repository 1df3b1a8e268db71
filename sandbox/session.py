"""A session: many runs of one image, each in a box of its own, so that nothing is left between two of them."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Protocol, Self

from sandbox import Command, Delta, DeltaReport, Image, Limits, Ran, many
from sandbox.duplex import Duplex


class Boxes(Protocol):
    """What a session needs of its backend: one run in a new box, and a box that stays alive."""

    def run(
        self,
        image: Image,
        command: Command,
        limits: Limits,
        *,
        on_report: Callable[[bytes], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Ran: ...

    def duplex(
        self, image: Image, command: Command, limits: Limits, on_report: Callable[[bytes], None]
    ) -> AbstractContextManager[Duplex]: ...


class BoxSession:
    """The Session of every backend. `closed` is called, in this order, when it is closed."""

    def __init__(self, boxes: Boxes, image: Image, closed: Iterable[Callable[[], None]] = ()) -> None:
        self._boxes, self._image, self._closed = boxes, image, tuple(closed)

    @property
    def image(self) -> Image:
        return self._image

    def run(
        self,
        command: Command,
        limits: Limits,
        *,
        on_report: Callable[[bytes], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Ran:
        return self._boxes.run(self._image, command, limits, on_report=on_report, cancelled=cancelled)

    def verify_fresh(self, command: Command, limits: Limits) -> Ran:
        return self._boxes.run(self._image, command, limits)

    def run_many(
        self,
        server: Command,
        deltas: Iterable[Delta],
        limits: Limits,
        *,
        in_flight: int = many.IN_FLIGHT,
        workers: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Iterator[DeltaReport]:
        return many.run_many(
            functools.partial(self._boxes.duplex, self._image), server, deltas, limits,
            in_flight=in_flight, workers=workers, cancelled=cancelled,
        )  # fmt: skip

    def close(self) -> None:
        with contextlib.ExitStack() as stack:
            for act in reversed(self._closed):
                stack.callback(act)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
