"""The wire: frames are taken apart wherever they are cut, and no stream is kept above its cap."""

from __future__ import annotations

import socket
import struct
import threading

import pytest

from sandbox import Limits
from sandbox.boot import READY
from sandbox.stream import Clipped, Demultiplexer, Streams, Wire


def frame(kind: int, data: bytes) -> bytes:
    return struct.pack(">BxxxI", kind, len(data)) + data


@pytest.mark.parametrize("step", [1, 3, 7, 8, 9, 1000])
def test_frames_are_taken_apart_wherever_they_are_cut(step):
    out, err = bytearray(), bytearray()
    demultiplexer = Demultiplexer(stdout=out.extend, stderr=err.extend)
    wire = frame(1, b"report") + frame(2, b"noise") + frame(1, b"") + frame(0, b"stdin?") + frame(1, b" end")
    for start in range(0, len(wire), step):
        demultiplexer.feed(wire[start : start + step])
    assert (bytes(out), bytes(err)) == (b"report end", b"noise")


def test_short_output_is_kept_whole():
    kept = Clipped(4, 8)
    for byte in b"0123456789":
        kept.add(bytes([byte]))
    assert kept.value() == b"0123456789"


@pytest.mark.parametrize("step", [1, 5, 17, 100])
def test_long_output_keeps_head_and_tail_and_marks_the_cut(step):
    kept, data = Clipped(4, 8), bytes(range(65, 165))
    for start in range(0, len(data), step):
        kept.add(data[start : start + step])
    assert kept.value() == data[:4] + b"\n[... 88 bytes cut ...]\n" + data[-8:]
    assert kept.size == 100


def test_the_report_begins_after_the_ready_mark():
    chunks: list[bytes] = []
    streams = Streams(Limits(), READY, chunks.append)
    for byte in READY + b"{}":
        streams.stdout(bytes([byte]))
    assert streams.report == b"{}"
    assert b"".join(chunks) == b"{}"


def test_without_the_ready_mark_there_is_no_report():
    streams = Streams(Limits(), READY, None)
    streams.stdout(b"regreen box ready? " * 1000)
    assert streams.ready_at is None
    assert streams.report == b""
    assert len(streams.opening) <= 4096


@pytest.mark.parametrize("size", [10, 11])
def test_a_report_is_stopped_above_its_cap_and_not_before(size):
    streams = Streams(Limits(report_bytes=10), READY, None)
    streams.stdout(READY + b"x" * size)
    assert streams.over == (None if size == 10 else "report")


@pytest.mark.parametrize("size", [10, 11])
def test_output_is_stopped_above_its_cap_and_not_before(size):
    streams = Streams(Limits(output_bytes=10), READY, None)
    streams.stderr(b"x" * size)
    assert streams.over == (None if size == 10 else "output")


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def test_a_wire_sends_all_and_receives_all(pair):
    ours, theirs = pair
    received = bytearray()
    sent = b"x" * 3_000_000

    def other_side():
        taken = 0
        while taken < len(sent):
            taken += len(theirs.recv(65536))
        theirs.sendall(b"done")
        theirs.shutdown(socket.SHUT_WR)

    thread = threading.Thread(target=other_side)
    thread.start()
    chunks = iter([sent[:1], b"", sent[1:2_000_000], sent[2_000_000:]])
    assert Wire(ours, received.extend).converse(chunks, lambda: None) is None
    thread.join()
    assert received == b"done"


def test_a_wire_ends_when_asked_although_nothing_comes(pair):
    answers = iter([None, None, "enough"])
    assert Wire(pair[0], lambda data: None).converse(iter([]), lambda: next(answers)) == "enough"


def test_a_wire_to_a_side_that_has_gone_ends(pair):
    ours, theirs = pair
    theirs.close()
    assert Wire(ours, lambda data: None).converse(iter([b"x"] * 1000), lambda: None) is None
