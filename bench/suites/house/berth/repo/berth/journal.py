"""The harbour master's log, a line for each event: `2024-06-01T12:00:00+00:00 | moored | B12 | Seven Sisters | note`."""

from dataclasses import dataclass
from datetime import datetime

from berth.clock import UTC, aware
from berth.errors import BadLine

_SIGNS = {"\\": "\\\\", "|": "\\p", "\n": "\\n"}


@dataclass(frozen=True)
class Entry:
    """One event. The moment is in UTC."""

    at: datetime
    event: str
    slot: str
    boat: str
    note: str = ""

    def __post_init__(self):
        object.__setattr__(self, "at", aware(self.at))


def escape(text):
    """Return the text without signs that divide or end a line."""
    return "".join(_SIGNS.get(sign, sign) for sign in text)


def unescape(text):
    """Return what `escape` was given."""
    plain = {shown[1]: sign for sign, shown in _SIGNS.items()}
    parts, signs = [], iter(text)
    for sign in signs:
        parts.append(plain.get(next(signs, ""), "") if sign == "\\" else sign)
    return "".join(parts)


def write(entries):
    """Return the log as text."""
    return "".join(f"{_line(entry)}\n" for entry in entries)


def _line(entry):
    words = [entry.at.isoformat(), entry.event, entry.slot, entry.boat, entry.note]
    return " | ".join(escape(word) for word in words)


def read(text):
    """Return the entries of a log; blank lines and those that begin with # say nothing. Raises BadLine."""
    entries = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            entries.append(_entry(number, line))
    return entries


def _entry(number, line):
    words = [unescape(word.strip()) for word in line.split("|")]
    if not 4 <= len(words) <= 5:
        raise BadLine(number, f"{len(words)} columns")
    try:
        return Entry(datetime.fromisoformat(words[0]), *words[1:])
    except ValueError as error:
        raise BadLine(number, str(error)) from error


class Logbook:
    """Listens to a harbour and keeps what happens."""

    def __init__(self, harbour):
        self.entries = []
        harbour.listeners.append(self.heard)

    def heard(self, event, booking, at):
        self.entries.append(Entry(at, event, booking.slot, booking.boat.name))

    def on(self, day, clock):
        """Return the entries of one day in the harbour."""
        return [entry for entry in self.entries if entry.at in clock.day(day)]

    def since(self, moment):
        """Return the entries from a moment on."""
        return [entry for entry in self.entries if entry.at >= moment.astimezone(UTC)]
