"""Bodies: quoted-printable, as far as a newsletter needs it."""

from postbag.words import to_text

WIDTH = 76


def encode(text):
    """Return (encoding, lines) of a body."""
    if text.isascii() and all(len(line) <= WIDTH and line == line.rstrip() for line in text.split("\n")):
        return "7bit", text.split("\n")
    return "quoted-printable", [part for line in text.split("\n") for part in quoted(line)]


def quoted(line):
    """Return one line of text as one or more lines of quoted-printable."""
    signs = [_sign(byte) for byte in line.encode()]
    if signs and signs[-1] in (" ", "\t"):
        signs[-1] = f"={ord(signs[-1]):02X}"
    parts = [""]
    for place, sign in enumerate(signs):
        # The equals sign that says "it goes on" needs room too, but for the very last one.
        room = WIDTH if place == len(signs) - 1 else WIDTH - 1
        if len(parts[-1]) + len(sign) > room:
            parts[-1] += "="
            parts.append("")
        parts[-1] += sign
    return parts


def _sign(byte):
    if byte == ord("=") or not (32 <= byte <= 126 or byte == 9):
        return f"={byte:02X}"
    return chr(byte)


def decode(lines, encoding="7bit", charset="us-ascii"):
    """Return the text of a body."""
    if encoding.lower() != "quoted-printable":
        return to_text("\n".join(lines).encode("latin-1"), charset)
    raw = b""
    for number, line in enumerate(lines):
        line = line.rstrip(" \t")
        ends = not line.endswith("=")
        raw += _unquoted(line if ends else line[:-1])
        if ends and number < len(lines) - 1:
            raw += b"\n"
    return to_text(raw, charset)


def _unquoted(line):
    raw, place = bytearray(), 0
    while place < len(line):
        digits = line[place + 1 : place + 3]
        if line[place] == "=" and _is_hex(digits):
            raw.append(int(digits, 16))
            place += 3
        else:
            raw += line[place].encode("latin-1", "replace")
            place += 1
    return bytes(raw)


def _is_hex(digits):
    return len(digits) == 2 and all(sign in "0123456789abcdefABCDEF" for sign in digits)
