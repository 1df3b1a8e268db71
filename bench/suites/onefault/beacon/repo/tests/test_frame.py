import pytest

from beacon.frame import Frame, FrameError, decoded, split_stream

HELLO = Frame("hello", urgent=True, channel=3)


def test_bytes_on_the_wire():
    assert HELLO.encoded()[:9] == b"\xb5\x83\x00\x05hello"
    assert len(HELLO.encoded()) == 10


@pytest.mark.parametrize("frame", [HELLO, Frame(""), Frame("grüße", reply=True, channel=15)], ids=["hello", "empty", "umlauts"])
def test_there_and_back(frame):
    assert decoded(frame.encoded()) == frame


def test_too_short():
    with pytest.raises(FrameError, match="too short"):
        decoded(b"\xb5\x00\x00\x00")


def test_changed_on_the_way():
    data = bytearray(HELLO.encoded())
    data[5] ^= 1
    with pytest.raises(FrameError, match="checksum"):
        decoded(bytes(data))


def test_length_and_magic():
    with pytest.raises(FrameError, match="11 bytes in place of 10"):
        decoded(HELLO.encoded() + b"x")
    with pytest.raises(FrameError, match="unknown magic 0x00"):
        decoded(bytes(10))


def test_stream():
    data = HELLO.encoded() + Frame("b").encoded() + HELLO.encoded()[:7]
    frames, rest = split_stream(data)
    assert frames == [HELLO, Frame("b")]
    assert rest == HELLO.encoded()[:7]


def test_stream_without_rest():
    assert split_stream(HELLO.encoded()) == ([HELLO], b"")
    assert split_stream(b"\xb5") == ([], b"\xb5")
