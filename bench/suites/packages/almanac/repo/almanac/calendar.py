"""Many series together: what happens, what collides, and when there is time."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations

from almanac.errors import AlmanacError
from almanac.series import real


@dataclass(frozen=True)
class Slot:
    """A stretch of time."""

    start: datetime
    end: datetime

    @property
    def length(self):
        return real(self.end) - real(self.start)


class Calendar:
    """Series by id."""

    def __init__(self, series=()):
        self._series = {}
        for one in series:
            self.add(one)

    def add(self, series):
        if series.id in self._series:
            raise AlmanacError(f"there is a series {series.id!r} already")
        self._series[series.id] = series

    def remove(self, id):
        if id not in self._series:
            raise AlmanacError(f"there is no series {id!r}")
        return self._series.pop(id)

    def __getitem__(self, id):
        return self._series[id]

    def __len__(self):
        return len(self._series)

    def __iter__(self):
        return iter(self._series.values())

    def occurrences(self, first, last):
        """What shares time with the interval, by start, then by title."""
        found = [one for series in self for one in series.occurrences(first, last)]
        return sorted(found, key=lambda one: (real(one.start), one.title))

    def agenda(self, first, days, zone):
        """Day -> occurrences that share time with it, for so many days, in a zone. Days without any are left out."""
        shown = {}
        for offset in range(days):
            begin = datetime.combine(first + timedelta(days=offset), datetime.min.time(), zone)
            end = datetime.combine(first + timedelta(days=offset + 1), datetime.min.time(), zone)
            if found := self.occurrences(begin, end):
                shown[begin.date()] = found
        return shown

    def collisions(self, first, last):
        """Pairs of occurrences that share time."""
        pairs = combinations(self.occurrences(first, last), 2)
        return [(one, other) for one, other in pairs if one.overlaps(other.start, other.end)]

    def busy(self, first, last):
        """Stretches in which anything happens, cut to the interval; what touches or overlaps is one stretch."""
        merged = []
        for one in self.occurrences(first, last):
            start = max(one.start, first, key=real)
            end = min(one.end, last, key=real)
            if merged and real(start) <= real(merged[-1].end):
                merged[-1] = Slot(merged[-1].start, max(merged[-1].end, end, key=real))
            else:
                merged.append(Slot(start, end))
        return merged

    def free(self, first, last, length=timedelta(0)):
        """Stretches in which nothing happens, and that are at least so long."""
        found, begin = [], first
        for slot in self.busy(first, last):
            found.append(Slot(begin, slot.start))
            begin = slot.end
        found.append(Slot(begin, last))
        return [slot for slot in found if slot.length > timedelta(0) and slot.length >= length]
