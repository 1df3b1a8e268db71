"""A stream of deltas through living boxes: several in flight, dead boxes replaced, no delta lost."""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from sandbox import Command, Delta, DeltaReport, File, Limits, SandboxError
from sandbox.archive import checked
from sandbox.box import START_S
from sandbox.duplex import Duplex, OpenBox
from sandbox.frames import DONE, READY, TIMED_OUT, Frame, OddFrame, Reports, delta_frame

IN_FLIGHT = 256
_FLYING_BYTES = 16 * 1024 * 1024
"""More than this is not sent ahead to one box: the box holds what its server has not read yet."""
_SERVER_START_S = 120.0
_SILENCE_S = 15.0
"""So much longer than a run's own limit may a server be silent before its box is taken for dead."""
_LIVES = 2
_STARTS = 3
_POLL_S = 0.25


def run_many(
    open_box: OpenBox,
    server: Command,
    deltas: Iterable[Delta],
    limits: Limits,
    *,
    in_flight: int = IN_FLIGHT,
    workers: int | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Iterator[DeltaReport]:
    """`Session.run_many`, for every backend that can open a duplex box."""
    if in_flight < 1 or (workers is not None and workers < 1):
        raise ValueError("in_flight and workers are at least 1")
    lanes = [_Lane(open_box, server, limits, in_flight) for _ in range(workers or os.cpu_count() or 1)]
    return _Stream(lanes, iter(deltas), cancelled or _never, time.monotonic() + limits.timeout_s).reports()


@dataclass
class _Flight:
    """A delta on its way, and how many boxes have died with it."""

    delta: Delta
    size: int = 0
    deaths: int = 0


class _Stream:
    """The loop that the consumer drives: whenever it asks for a report, boxes are fed and listened to."""

    def __init__(
        self, lanes: list[_Lane], source: Iterator[Delta], cancelled: Callable[[], bool], end: float
    ) -> None:
        self._lanes, self._source, self._cancelled, self._end = lanes, source, cancelled, end
        self._drained = False

    def reports(self) -> Iterator[DeltaReport]:
        try:
            while not self._cancelled():
                if time.monotonic() > self._end:
                    yield from (late for lane in self._lanes for late in lane.given_up())
                    return
                self._fill()
                if self._drained and not any(lane.busy for lane in self._lanes):
                    return
                self._move()
                for lane in self._lanes:
                    yield from lane.reports()
        finally:
            with contextlib.ExitStack() as stack:
                for lane in self._lanes:
                    stack.callback(lane.close)

    def _fill(self) -> None:
        """Give every lane that has room one delta, in turn, until none has room or there are no more."""
        roomy = [lane for lane in self._lanes if lane.has_room]
        while roomy and not self._drained:
            for lane in roomy:
                delta = next(self._source, None)
                if delta is None:
                    self._drained = True
                    break
                lane.take(delta)
            roomy = [lane for lane in roomy if lane.has_room]

    def _move(self) -> None:
        poll = select.poll()
        for lane in self._lanes:
            lane.start()
            lane.register(poll)
        poll.poll(_POLL_S * 1000)
        for lane in self._lanes:
            lane.move()


class _Lane:
    """One box after another. What was in flight when a box died goes again, one at a time: so the culprit shows."""

    def __init__(self, open_box: OpenBox, server: Command, limits: Limits, in_flight: int) -> None:
        self._open_box, self._server, self._limits, self._in_flight = open_box, server, limits, in_flight
        self._stack = contextlib.ExitStack()
        self._box: Duplex | None = None
        self._frames = Reports(limits.report_bytes)
        self._ready = False
        self._heard = 0.0
        self._failed_starts = 0
        self._number = 0
        self._size = 0
        self._waiting: deque[_Flight] = deque()
        self._suspects: deque[_Flight] = deque()
        self._flying: dict[int, _Flight] = {}
        self._told: deque[DeltaReport] = deque()

    @property
    def busy(self) -> bool:
        return bool(self._waiting or self._suspects or self._flying or self._told)

    @property
    def has_room(self) -> bool:
        """True while another delta may be taken; a lane that looks for a culprit takes none."""
        held = len(self._waiting) + len(self._flying)
        return not self._looking and held < self._in_flight and self._size < _FLYING_BYTES

    @property
    def _looking(self) -> bool:
        return bool(self._suspects) or any(flight.deaths for flight in islice(self._flying.values(), 1))

    def take(self, delta: Delta) -> None:
        checked({path: File(data or b"") for path, data in delta.files.items()})
        size = sum(len(data or b"") for data in delta.files.values())
        self._size += size
        self._waiting.append(_Flight(delta, size))

    def start(self) -> None:
        """Have a box when there is work for it, and send what may be sent."""
        if self._box is None and (self._waiting or self._suspects):
            self._open()
        if self._box is None or not self._ready:
            return
        if self._suspects and not self._flying:
            self._send(self._box, self._suspects.popleft())
        while self._waiting and not self._looking:
            self._send(self._box, self._waiting.popleft())

    def _open(self) -> None:
        self._frames = Reports(self._limits.report_bytes)
        self._ready = False
        try:
            opened = self._open_box(self._server, self._limits, self._frames.feed)
            self._box = self._stack.enter_context(opened)
        except SandboxError:
            self._failed_starts += 1
            if self._failed_starts >= _STARTS:
                raise
        self._heard = time.monotonic()

    def _send(self, box: Duplex, flight: _Flight) -> None:
        self._number += 1
        if not self._flying:
            self._heard = time.monotonic()
        self._flying[self._number] = flight
        box.send(delta_frame(self._number, flight.delta))

    def register(self, poll: select.poll) -> None:
        if self._box is not None:
            self._box.register(poll)

    def move(self) -> None:
        """Send and receive; then see whether the box is still one to go on with."""
        box = self._box
        if box is None:
            return
        box.move()
        try:
            for frame in self._frames.frames():
                self._hear(frame)
        except OddFrame:
            self._bury()
            return
        if box.ended or self._too_silent():
            self._bury(hung=not box.ended)

    def _hear(self, frame: Frame) -> None:
        self._heard = time.monotonic()
        if not self._ready:
            if frame.kind != READY or frame.number:
                raise OddFrame("a report from a server that is not ready")
            self._ready, self._failed_starts = True, 0
            return
        flight = self._flying.pop(frame.number, None)
        if flight is None or frame.kind == READY:
            raise OddFrame("a report that nobody asked for")
        self._size -= flight.size
        if frame.kind == DONE:
            self._told.append(DeltaReport(flight.delta.id, frame.data, frame.seconds))
        else:
            late = frame.kind == TIMED_OUT
            self._told.append(DeltaReport(flight.delta.id, None, frame.seconds, died=not late, timed_out=late))

    def _too_silent(self) -> bool:
        """Read first, asked afterwards: a consumer that took its time does not make a server slow."""
        silent_s = time.monotonic() - self._heard
        if not self._ready:
            return silent_s > START_S + _SERVER_START_S
        longest_s = max((flight.delta.wall_s for flight in self._flying.values()), default=float("inf"))
        return silent_s > longest_s + _SILENCE_S

    def _bury(self, *, hung: bool = False) -> None:
        """The box is dead: who was in it is a suspect, and after the second death the culprit."""
        words = self._box.streams.output.value()[-2000:] if self._box else b""
        ready = self._ready
        self._close_box()
        if not ready:
            self._failed_starts += 1
            if self._failed_starts >= _STARTS:
                said = words.decode("utf-8", "replace").strip()
                raise SandboxError(f"the server does not start in its box: {said}")
        self._suspect(hung=hung)

    def _suspect(self, *, hung: bool) -> None:
        """What was in flight is suspect; what was in flight alone, for the second time, is the culprit."""
        suspects, self._flying = list(self._flying.values()), {}
        for flight in suspects:
            flight.deaths += 1
        if len(suspects) == 1 and suspects[0].deaths >= _LIVES:
            self._size -= suspects[0].size
            self._told.append(DeltaReport(suspects[0].delta.id, None, 0.0, died=True, timed_out=hung))
            self._acquit()
        else:
            self._suspects.extend(suspects)

    def _acquit(self) -> None:
        """The culprit is known: the others may go together again."""
        for flight in self._suspects:
            flight.deaths = 0
        self._waiting.extendleft(reversed(self._suspects))
        self._suspects.clear()

    def reports(self) -> Iterator[DeltaReport]:
        while self._told:
            yield self._told.popleft()

    def given_up(self) -> Iterator[DeltaReport]:
        """The time is over: what was told, and for all the rest that there is no report."""
        yield from self.reports()
        for flight in (*self._flying.values(), *self._suspects, *self._waiting):
            yield DeltaReport(flight.delta.id, None, 0.0, timed_out=True)

    def close(self) -> None:
        self._close_box()

    def _close_box(self) -> None:
        self._box, self._ready = None, False
        stack, self._stack = self._stack, contextlib.ExitStack()
        stack.close()


def _never() -> bool:
    return False
