import pytest

from beacon.bits import checksum, count_ones, pack_flags, unpack_flags


def test_flags_are_packed():
    assert pack_flags(False, False, 5) == 0x05
    assert pack_flags(True, False, 0) == 0x80
    assert pack_flags(True, True, 15) == 0xCF


def test_flags_come_back():
    assert unpack_flags(0x8A) == (True, False, 10)
    assert unpack_flags(0x41) == (False, True, 1)


@pytest.mark.parametrize("channel", [-1, 16])
def test_no_such_channel(channel):
    with pytest.raises(ValueError):
        pack_flags(False, False, channel)


def test_checksum():
    assert checksum(b"") == 0
    assert checksum(b"\x01\x01") == 0x03
    assert checksum(b"\x00\x81") == 0x03
    assert checksum(bytes(8) + b"\xff") == 0xFF


def test_ones():
    assert [count_ones(number) for number in (0, 1, 6, 255)] == [0, 1, 2, 8]
