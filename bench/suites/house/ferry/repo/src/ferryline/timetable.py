"""Timetables: lines and what they have in common, and the text that they are written in."""

from dataclasses import dataclass, field
from datetime import date, timedelta

from ferryline.clock import ALWAYS, Season, minutes, weekdays
from ferryline.lines import Line, Runs, Stop

CHANGE = 5


class BadTimetable(ValueError):
    """A line of the text that cannot be read."""

    def __init__(self, number, why):
        super().__init__(f"line {number}: {why}")
        self.number = number


@dataclass
class Timetable:
    """Everything that a search needs. Sailings of a day are worked out once; whoever changes something says `changed()`."""

    lines: dict = field(default_factory=dict)
    seasons: dict = field(default_factory=lambda: {"always": ALWAYS})
    holidays: set = field(default_factory=set)
    changes: dict = field(default_factory=dict)
    _days: dict = field(default_factory=dict, repr=False, compare=False)

    def sailings(self, day):
        """Return all sailings of a service day, by time."""
        if day not in self._days:
            found = [one for line in self.lines.values() for one in line.sailings(day, self.holidays)]
            self._days[day] = sorted(found, key=lambda one: (one.start, one.line))
        return self._days[day]

    def changed(self):
        self._days.clear()

    def change(self, harbour):
        """Return the minutes that a change takes."""
        return self.changes.get(harbour, CHANGE)

    def cancel(self, line, day, start):
        """Cancel a sailing. Raises KeyError where there is none."""
        if not any(one.start == start for one in self.lines[line].sailings(day, self.holidays)):
            raise KeyError(f"{line} has no sailing at {start} on {day}")
        self.lines[line].cancelled.add((day, start))
        self.changed()

    def add_extra(self, line, day, start):
        self.lines[line].extra.add((day, start))
        self.lines[line].cancelled.discard((day, start))
        self.changed()

    def harbours(self):
        return sorted({stop.harbour for line in self.lines.values() for stop in line.stops})


def parse(text):
    """Return the timetable in a text. Raises BadTimetable."""
    reader = _Reader()
    for number, raw in enumerate(text.splitlines(), start=1):
        words = raw.partition("#")[0].split()
        if not words:
            continue
        try:
            reader.take(words)
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise BadTimetable(number, f"{raw.strip()!r} cannot be read") from error
    return reader.table


class _Reader:
    """Takes the words of a line: `season winter 11-01 03-31`, `holiday 2024-12-25`, `change Ey 12`, `line N`, …"""

    def __init__(self):
        self.table = Timetable()
        self._line = None

    @property
    def line(self):
        """The line that the words belong to. Raises ValueError before the first one."""
        if self._line is None:
            raise ValueError("there is no line yet")
        return self._line

    def take(self, words):
        kind, *rest = words
        {
            "season": self.season, "holiday": self.holiday, "change": self.change, "line": self.begin,
            "stop": self.stop, "runs": self.runs, "except": self.exception,
        }[kind](*rest)

    def season(self, name, first, last):
        ends = [tuple(int(part) for part in end.split("-")) for end in (first, last)]
        for month, day in ends:
            date(2000, month, day)
        self.table.seasons[name] = Season(name, *ends)

    def holiday(self, *days):
        self.table.holidays |= {date.fromisoformat(day) for day in days}

    def change(self, harbour, count):
        self.table.changes[harbour] = int(count)

    def begin(self, name):
        if name in self.table.lines:
            raise ValueError(name)
        self._line = self.table.lines[name] = Line(name)

    def stop(self, harbour, after, wait="0"):
        stop = Stop(harbour, int(after.removeprefix("+")), int(wait))
        if self.line.stops and stop.arrival < self.line.stops[-1].after:
            raise ValueError("boats do not go back in time")
        self.line.stops.append(stop)

    def runs(self, days, *words):
        season = ALWAYS
        if words[0] == "in":
            season, words = self.table.seasons[words[1]], words[2:]
        self.line.runs.append(Runs(weekdays(days), _times(words), season))

    def exception(self, day, kind, *times):
        found = {(date.fromisoformat(day), start) for start in map(minutes, times)}
        {"no": self.line.cancelled, "extra": self.line.extra}[kind].update(found)


def _times(words):
    """Return the minutes of `7:00 8:30` or of `7:00 to 22:00 every 30`."""
    if len(words) == 5 and (words[1], words[3]) == ("to", "every"):
        step = int(words[4])
        if step < 1:
            raise ValueError("time does not stand still")
        return tuple(range(minutes(words[0]), minutes(words[2]) + 1, step))
    return tuple(map(minutes, words))


def yesterday(day):
    return day - timedelta(days=1)
