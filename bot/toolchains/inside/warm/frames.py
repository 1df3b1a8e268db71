"""The server's side of the wire: deltas from the controller, reports to it (sandbox/frames.py describes both)."""

from __future__ import annotations

import json
import os
import struct
from typing import Dict, List, NamedTuple, Optional, Tuple

READY, DONE, TIMED_OUT, DIED = range(4)
SLOW, COLLECTED = 8, 9
"""Kinds between our own processes: not to be had on the fast path; the suite is collected."""

_DELTA = struct.Struct(">II")
_REPORT = struct.Struct(">QBdI")


class Delta(NamedTuple):
    """One request, as the controller sent it."""

    number: int
    files: Dict[str, Optional[bytes]]
    tests: Optional[Tuple[str, ...]]
    stop: bool
    """Stop at the first failure."""
    cpu_s: float
    wall_s: float


class Deltas:
    """Cuts what arrives into deltas."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> List[Delta]:
        self._buffer += data
        found, at = [], 0
        while len(self._buffer) - at >= _DELTA.size:
            head, body = _DELTA.unpack_from(self._buffer, at)
            start = at + _DELTA.size
            if len(self._buffer) - start < head + body:
                break
            at = start + head + body
            found.append(_delta(bytes(self._buffer[start : start + head]), bytes(self._buffer[start + head : at])))
        del self._buffer[:at]
        return found


def _delta(head: bytes, body: bytes) -> Delta:
    raw = json.loads(head)
    files: Dict[str, Optional[bytes]] = {}
    at = 0
    for path, size in raw["files"]:
        files[path] = None if size < 0 else body[at : at + size]
        at += max(size, 0)
    tests = None if raw["tests"] is None else tuple(raw["tests"])
    return Delta(raw["n"], files, tests, raw["stop"], raw["cpu_s"], raw["wall_s"])


class Report(NamedTuple):
    """One answer."""

    number: int
    kind: int
    seconds: float
    data: bytes = b""

    def packed(self) -> bytes:
        return _REPORT.pack(self.number, self.kind, self.seconds, len(self.data)) + self.data


class Reports:
    """Cuts what arrives into reports."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> List[Report]:
        self._buffer += data
        found, at = [], 0
        while len(self._buffer) - at >= _REPORT.size:
            number, kind, seconds, size = _REPORT.unpack_from(self._buffer, at)
            start = at + _REPORT.size
            if len(self._buffer) - start < size:
                break
            at = start + size
            found.append(Report(number, kind, seconds, bytes(self._buffer[start:at])))
        del self._buffer[:at]
        return found


def write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
