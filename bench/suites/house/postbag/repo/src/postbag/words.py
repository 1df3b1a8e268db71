"""Header text that is not ASCII: encoded words of RFC 2047."""

import base64
import binascii
import quopri
import re

LONGEST = 75
_FRAME = "=?utf-8?b??="
_ROOM = (LONGEST - len(_FRAME)) // 4 * 3
_WORD = re.compile(r"=\?([^?\s]+)\?([bBqQ])\?([^?\s]*)\?=")


def encode(text):
    """Return the text as it may stand in a header: as it is, or as encoded words."""
    if text.isascii() and "=?" not in text:
        return text
    return " ".join(f"=?utf-8?b?{base64.b64encode(piece).decode()}?=" for piece in _pieces(text))


def _pieces(text):
    """Yield the text in UTF-8, in pieces that fit into a word; no letter is cut in two."""
    piece = b""
    for letter in text:
        data = letter.encode()
        if len(piece) + len(data) > _ROOM:
            yield piece
            piece = b""
        piece += data
    yield piece


def decode(text):
    """Return header text for people. Blanks between two encoded words belong to neither."""
    joined = re.sub(r"(\?=)\s+(?==\?)", r"\1", text)
    return _WORD.sub(_decoded, joined)


def _decoded(match):
    charset, kind, data = match.groups()
    try:
        raw = base64.b64decode(data, validate=True) if kind in "bB" else quopri.decodestring(data, header=True)
    except binascii.Error:
        return match[0]
    return to_text(raw, charset)


def to_text(raw, charset):
    """Return bytes as text; what does not belong to the charset becomes U+FFFD, an unknown one is Latin-1."""
    try:
        return raw.decode(charset, "replace")
    except LookupError:
        return raw.decode("latin-1")
