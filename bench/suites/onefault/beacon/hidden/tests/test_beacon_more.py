import itertools

import pytest

from beacon.bits import checksum, count_ones, pack_flags, unpack_flags
from beacon.frame import Frame, FrameError, decoded, split_stream


def test_flags():
    for urgent, reply, channel in itertools.product((False, True), (False, True), range(16)):
        flags = pack_flags(urgent, reply, channel)
        assert 0 <= flags <= 0xCF
        assert flags == 128 * urgent + 64 * reply + channel
        assert unpack_flags(flags) == (urgent, reply, channel)
    assert unpack_flags(0x30) == (False, False, 0)
    for channel in (-1, 16, 64):
        with pytest.raises(ValueError):
            pack_flags(False, True, channel)


def test_checksum():
    assert checksum(b"\x80\x80") == 0x81
    assert checksum(b"abc") == 0x61 ^ 0xC4 ^ 0x8D
    assert checksum(bytes(7) + b"\x03") == 0x81
    assert checksum(bytes(9) + b"\x40") == 0x80


def test_ones():
    for number in (2, 3, 7, 8, 170, 1023, 1 << 70):
        assert count_ones(number) == bin(number).count("1")


@pytest.mark.parametrize("text", ["", "a", "ß€😀", "x" * 300])
def test_there_and_back(text):
    for urgent, reply, channel in ((True, False, 9), (False, True, 0)):
        frame = Frame(text, urgent, reply, channel)
        data = frame.encoded()
        assert len(data) == 5 + len(text.encode())
        assert decoded(data) == frame
        assert split_stream(data + data) == ([frame, frame], b"")
        for cut in (1, 3, 4, len(data) - 1):
            assert split_stream(data + data[:cut]) == ([frame], data[:cut])
            with pytest.raises(FrameError):
                decoded(data[:cut])


def test_each_changed_byte_is_noticed():
    data = Frame("note", channel=1).encoded()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 0x10
        with pytest.raises(FrameError):
            decoded(bytes(changed))


def test_short():
    for size in range(5):
        with pytest.raises(FrameError, match="too short"):
            decoded(b"\xb5" * size)


def test_length_has_its_higher_byte_first():
    assert Frame("x" * 258).encoded()[:4] == b"\xb5\x00\x01\x02"
