"""Frames of a duplex box: deltas go in, reports come out, each with its length and never above a cap.

A delta is two lengths (head, body), a head in JSON and the new bytes of its files one after the other:

    {"n": 7, "files": [["a.py", 12], ["gone.py", -1]], "tests": ["t.py::a"] | null,
     "stop": true, "cpu_s": 10.0, "wall_s": 20.0}

A report is the delta's number, a kind, the seconds that it took, a length, and so many bytes. The first frame
of a server says READY, with number 0: before it nothing is sent.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from sandbox import Delta

READY, DONE, TIMED_OUT, DIED = range(4)
"""Kinds of reports. Only DONE has bytes; TIMED_OUT and DIED say that this run has no report."""

DELTA_BYTES = 64 * 1024 * 1024
_DELTA = struct.Struct(">II")
_REPORT = struct.Struct(">QBdI")


class OddFrame(Exception):
    """The server does not keep to the wire: nothing that it said before is taken back, its box is replaced."""


@dataclass(frozen=True)
class Frame:
    """One report as it came; nothing of it is believed yet."""

    number: int
    kind: int
    seconds: float
    data: bytes


def delta_frame(number: int, delta: Delta) -> bytes:
    """The frame of a delta. Raises ValueError for one that is too large."""
    files = [[path, -1 if data is None else len(data)] for path, data in delta.files.items()]
    head = {
        "n": number,
        "files": files,
        "tests": None if delta.tests is None else list(delta.tests),
        "stop": delta.stop_at_first_failure,
        "cpu_s": delta.cpu_s,
        "wall_s": delta.wall_s,
    }
    text = json.dumps(head).encode("ascii")
    body = b"".join(data for data in delta.files.values() if data is not None)
    if len(text) + len(body) > DELTA_BYTES:
        raise ValueError(f"delta {delta.id!r} is larger than {DELTA_BYTES} bytes")
    return b"".join((_DELTA.pack(len(text), len(body)), text, body))


class Reports:
    """Cuts what arrives into report frames, holding back at most one that is not whole yet."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def frames(self) -> Iterator[Frame]:
        """Every whole frame. Raises OddFrame for one that no server of ours would send."""
        at = 0
        try:
            while len(self._buffer) - at >= _REPORT.size:
                number, kind, seconds, size = _REPORT.unpack_from(self._buffer, at)
                self._check(kind, seconds, size)
                start = at + _REPORT.size
                if len(self._buffer) - start < size:
                    break
                at = start + size
                yield Frame(number, kind, seconds, bytes(self._buffer[start:at]))
        finally:
            del self._buffer[:at]

    def _check(self, kind: int, seconds: float, size: int) -> None:
        if kind not in (READY, DONE, TIMED_OUT, DIED) or not (math.isfinite(seconds) and seconds >= 0):
            raise OddFrame("a report of no known kind")
        if size > self._most_bytes or (size and kind != DONE):
            raise OddFrame(f"a report of {size} bytes")
