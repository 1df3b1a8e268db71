"""Lines, their departures, and which of them run on a day."""

from dataclasses import dataclass, field

from ferryline.clock import ALWAYS

SUNDAY = 6


@dataclass(frozen=True)
class Stop:
    """A harbour and the minutes after the first departure when the boat leaves it."""

    harbour: str
    after: int
    wait: int = 0

    @property
    def arrival(self):
        """The boat lies there for `wait` minutes before it leaves."""
        return self.after - self.wait


@dataclass(frozen=True)
class Runs:
    """First departures on some days of the week of a season."""

    days: frozenset
    times: tuple
    season: object = ALWAYS


@dataclass(frozen=True)
class Sailing:
    """One boat on one service day. `start` is in minutes of that day."""

    line: str
    day: object
    start: int
    stops: tuple
    cancelled: bool = False

    def leaves(self, place):
        return self.start + self.stops[place].after

    def arrives(self, place):
        return self.start + self.stops[place].arrival

    def places(self, harbour):
        """Return the numbers of all calls at a harbour: round trips have two."""
        return [place for place, stop in enumerate(self.stops) if stop.harbour == harbour]


@dataclass
class Line:
    """A line. `cancelled` and `extra` are sets of (date, minutes)."""

    name: str
    stops: list = field(default_factory=list)
    runs: list = field(default_factory=list)
    cancelled: set = field(default_factory=set)
    extra: set = field(default_factory=set)

    def sailings(self, day, holidays=frozenset()):
        """Return the sailings of a service day by time, the cancelled ones too."""
        weekday = SUNDAY if day in holidays else day.weekday()
        starts = {start for runs in self.runs if weekday in runs.days and day in runs.season for start in runs.times}
        starts |= {start for date, start in self.extra if date == day}
        stops = tuple(self.stops)
        return [Sailing(self.name, day, start, stops, (day, start) in self.cancelled) for start in sorted(starts)]
