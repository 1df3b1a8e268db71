"""The board at the quay."""

from dataclasses import dataclass

from ferryline.clock import DAY, shown
from ferryline.timetable import yesterday


@dataclass(frozen=True)
class Departure:
    """A line of the board. Minutes are those of the day on the wall."""

    at: int
    line: str
    target: str
    cancelled: bool = False

    def __str__(self):
        return f"{shown(self.at)}  {self.line:<6} {self.target}{'  cancelled' if self.cancelled else ''}"


def departures(table, harbour, day, after=0, limit=5):
    """Return the next departures of the wall-clock day, by time and line."""
    found = []
    for shift, service in ((DAY, yesterday(day)), (0, day)):
        for sailing in table.sailings(service):
            for place in sailing.places(harbour):
                at = sailing.leaves(place) - shift
                if place < len(sailing.stops) - 1 and after <= at < DAY:
                    found.append(Departure(at, sailing.line, sailing.stops[-1].harbour, sailing.cancelled))
    return sorted(found, key=lambda one: (one.at, one.line))[:limit]
