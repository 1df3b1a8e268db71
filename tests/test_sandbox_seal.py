"""The last word of a box: found wherever the stream is cut, and never taken from the command's own bytes."""

from __future__ import annotations

import pytest

from sandbox.seal import Seal

WORD = "0123abcd"
END = b"\x000123abcd 007"


def fed(data: bytes, step: int) -> tuple[bytes, int | None]:
    out = bytearray()
    seal = Seal(WORD, out.extend)
    for start in range(0, len(data), step):
        seal.feed(data[start : start + step])
    if seal.code is None:
        seal.flush()
    return bytes(out), seal.code


@pytest.mark.parametrize("step", [1, 2, 5, 11, 12, 13, 1000])
@pytest.mark.parametrize("said", [b"", b"report", b"\0\0\0", b"\x000123abc", b"\x000123abce 007", b"x" * 50 + b"\0"])
def test_the_end_is_found_wherever_the_stream_is_cut(step, said):
    assert fed(said + END + b"a daemon goes on", step) == (said, 7)


@pytest.mark.parametrize("step", [1, 3, 1000])
@pytest.mark.parametrize("said", [b"", b"report", END[:-1], b"\x00another1 007", b"a" + END[:4]])
def test_without_the_whole_word_every_byte_is_the_commands(step, said):
    assert fed(said, step) == (said, None)


def test_what_cannot_be_the_word_is_passed_on_at_once():
    out = bytearray()
    seal = Seal(WORD, out.extend)
    for line in (b"first\n", b"\0 second\n"):
        seal.feed(line)
    assert out == b"first\n\0 second\n"
