"""Text of others made safe for a Markdown page: nothing in it can mention, close, link, hide or break out."""

from __future__ import annotations

import re

from bot import redaction

MAX_BODY_CHARS = 60_000
"""GitHub refuses bodies over 65,536 characters; the rest is reserve for multi-byte text."""

MAX_CELL_CHARS = 160

# CSI, OSC/DCS strings and single escapes of terminals (ECMA-48), bounded so that no input is slow.
_TERMINAL = re.compile(
    r"\x1b\[[0-?]{0,64}[ -/]{0,16}[@-~]|\x1b[\]PX^_][^\x1b\x07\x9c]{0,4096}(\x1b\\|\x07|\x9c)?|\x1b.?"
)
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
_ENTITIES = {char: f"&#{ord(char)};" for char in "<>&[]!*_~|\\"}
# GitHub looks for mentions, issues and addresses in the rendered text, where an entity is the character itself
# again: only something invisible in between keeps them apart, as Dependabot and Renovate do it.
_APART = "&#8203;"
_ENTITIES |= {char: char + _APART for char in "@#"}


def plain(text: str) -> str:
    """Without terminal sequences, control, invisible and direction-changing characters and secrets; \\n, \\t stay.

    Secrets go here, before anything is escaped or cut: afterwards they could not be recognised.
    """
    return redaction.clean(_INVISIBLE.sub("", _TERMINAL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))))


def prose(text: str) -> str:
    """A sentence for outside of fences. `code spans` stay code; everything else loses its Markdown meaning."""
    parts = " ".join(plain(text).split()).split("`")
    if len(parts) % 2 == 0:  # an odd backtick: none of them can be trusted
        return _neutral(" ".join(parts))
    return "".join(code(part) if number % 2 else _neutral(part) for number, part in enumerate(parts))


def _neutral(text: str) -> str:
    escaped = "".join(_ENTITIES.get(char, char) for char in text)
    return re.sub(r"(?i)\b(https?|ftp):(?=//)|\bwww(?=\.)|\bGH(?=-\d)", lambda found: found[0] + _APART, escaped)


def code(text: str) -> str:
    """A code span that its content cannot end."""
    flat = " ".join(plain(text).split())
    if not flat:
        return ""
    ticks = "`" * (max((len(run) for run in re.findall(r"`+", flat)), default=0) + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{ticks}{pad}{flat}{pad}{ticks}"


def cell(text: str) -> str:
    """A code span inside a table row, where a bar would start a new column even in code."""
    whole = plain(text)
    short = whole if len(whole) <= MAX_CELL_CHARS else whole[: MAX_CELL_CHARS - 1] + "…"
    return code(short.replace("|", "\u00a6"))


def fence(text: str, language: str = "", *, limit: int = 20_000) -> str:
    """A fenced block that its content cannot end; too long a text is cut in the middle, and says so."""
    body = plain(text)
    if len(body) > limit:
        body = f"{body[: limit // 2]}\n[… {len(body) - limit} characters left out …]\n{body[-limit // 2 :]}"
    longest = max((len(run) for run in re.findall(r"`{3,}", body)), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}{language}\n{body.rstrip()}\n{ticks}"
