"""Minutes of a service day, and seasons."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

DAY = 24 * 60
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_TIME = re.compile(r"(\d{1,2}):([0-5]\d)")


def minutes(text):
    """Return the minutes of a time like `7:05` or `25:10`. Raises ValueError."""
    match = _TIME.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no time")
    return int(match[1]) * 60 + int(match[2])


def shown(count):
    """Return minutes as a clock shows them: those of the next day begin anew."""
    hours, rest = divmod(count % DAY, 60)
    return f"{hours:02}:{rest:02}"


def moment(day, count):
    """Return the wall-clock moment of minutes in the service day."""
    return datetime.combine(day, time()) + timedelta(minutes=count)


@dataclass(frozen=True)
class Season:
    """From one day of the year to another, both included, every year."""

    name: str
    first: tuple
    last: tuple

    def __contains__(self, day):
        here = (day.month, day.day)
        if self.first <= self.last:
            return self.first <= here <= self.last
        return here >= self.first or here <= self.last


ALWAYS = Season("always", (1, 1), (12, 31))


def weekdays(text):
    """Return the numbers of days in `mon-fri,sun`; a span may go over the end of the week. Raises ValueError."""
    found = set()
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        start = WEEKDAYS.index(first)
        end = WEEKDAYS.index(last) if dash else start
        found |= {(start + step) % 7 for step in range((end - start) % 7 + 1)}
    return frozenset(found)


def is_date(text):
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
