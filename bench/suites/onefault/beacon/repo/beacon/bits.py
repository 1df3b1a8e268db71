"""Bits and sums."""

URGENT = 0x80
REPLY = 0x40
CHANNEL = 0x0F


def pack_flags(urgent, reply, channel):
    """One byte: two flags at the top, the channel in the lower four bits."""
    if not 0 <= channel <= CHANNEL:
        raise ValueError(f"no channel {channel}")
    flags = channel
    if urgent:
        flags |= URGENT
    if reply:
        flags |= REPLY
    return flags


def unpack_flags(flags):
    """(urgent, reply, channel)"""
    return bool(flags & URGENT), bool(flags & REPLY), flags & CHANNEL


def checksum(data):
    """Sum of the bytes, each turned left by its place modulo 8, in one byte."""
    total = 0
    for place, byte in enumerate(data):
        turn = place % 8
        total ^= (byte << turn | byte >> (8 - turn)) & 0xFF
    return total


def count_ones(number):
    """How many bits are set in a number that is not negative."""
    ones = 0
    while number:
        number &= number - 1
        ones += 1
    return ones
