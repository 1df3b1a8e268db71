"""One message on the wire: a header of four bytes, UTF-8 text, and a checksum."""

import struct
from dataclasses import dataclass

from beacon.bits import checksum, pack_flags, unpack_flags

MAGIC = 0xB5
_HEADER = struct.Struct(">BBH")


class FrameError(ValueError):
    """These bytes are no frame."""


@dataclass(frozen=True)
class Frame:
    """A text with flags."""

    text: str
    urgent: bool = False
    reply: bool = False
    channel: int = 0

    def encoded(self):
        """The bytes for the wire. The length counts bytes of the text, not letters."""
        body = self.text.encode("utf-8")
        flags = pack_flags(self.urgent, self.reply, self.channel)
        head = _HEADER.pack(MAGIC, flags, len(body))
        return head + body + bytes([checksum(head + body)])


def decoded(data):
    """The frame in these bytes. FrameError when something is missing or was changed on the way."""
    if len(data) < _HEADER.size + 1:
        raise FrameError("too short")
    magic, flags, length = _HEADER.unpack_from(data)
    if magic != MAGIC:
        raise FrameError(f"unknown magic {magic:#04x}")
    end = _HEADER.size + length
    if len(data) != end + 1:
        raise FrameError(f"{len(data)} bytes in place of {end + 1}")
    if checksum(data[:end]) != data[end]:
        raise FrameError("checksum does not fit")
    urgent, reply, channel = unpack_flags(flags)
    return Frame(data[_HEADER.size : end].decode("utf-8"), urgent, reply, channel)


def split_stream(data):
    """Complete frames at the beginning of a stream, and the bytes that are left."""
    frames = []
    while len(data) >= _HEADER.size:
        size = _HEADER.size + _HEADER.unpack_from(data)[2] + 1
        if len(data) < size:
            break
        frames.append(decoded(data[:size]))
        data = data[size:]
    return frames, data
