"""Events that come again, with their exceptions."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from typing import Optional

from almanac.errors import AlmanacError
from almanac.rule import Rule


@dataclass(frozen=True)
class Occurrence:
    """One time that an event takes place. `planned` is when the rule has it, and names it among its series."""

    title: str
    start: datetime
    end: datetime
    planned: datetime
    series: str = ""

    @property
    def length(self):
        return real(self.end) - real(self.start)

    def overlaps(self, first, last):
        """Whether it shares any time with the interval; touching is not sharing."""
        return real(self.start) < real(last) and real(first) < real(self.end)


@dataclass(frozen=True)
class Change:
    """What is different about one occurrence; None: as planned."""

    title: Optional[str] = None
    start: Optional[datetime] = None
    length: Optional[timedelta] = None


@dataclass
class Series:
    """An event at `start`, and again by its rule. Wall-clock time stays when the clocks change."""

    id: str
    title: str
    start: datetime
    length: timedelta
    rule: Optional[Rule] = None
    without: set = field(default_factory=set)
    """Planned starts that do not take place."""
    extra: set = field(default_factory=set)
    """Starts besides the rule."""
    changes: dict = field(default_factory=dict)
    """Planned start -> Change."""

    def __post_init__(self):
        if self.start.tzinfo is None:
            raise AlmanacError("a start needs a time zone")
        if self.length < timedelta(0):
            raise AlmanacError("a length is not negative")

    # -- changing single occurrences

    def skip(self, planned):
        """Leave one out."""
        self._known(planned)
        self.without.add(planned)
        self.changes.pop(planned, None)

    def move(self, planned, start=None, *, title=None, length=None):
        """Change one. Several changes of one occurrence add up."""
        self._known(planned)
        before = self.changes.get(planned, Change())
        self.changes[planned] = Change(
            title=title if title is not None else before.title,
            start=start if start is not None else before.start,
            length=length if length is not None else before.length,
        )

    def split(self, day):
        """End this series before a day, and return a new one that goes on from there. Exceptions go where they belong."""
        if self.rule is None:
            raise AlmanacError(f"{self.id} does not come again")
        begin = self.start.date()
        before = self.rule.within(begin, begin, day - timedelta(days=1))
        if not before:
            raise AlmanacError(f"{self.id} does not begin before {day}")
        first = next((one for one in self.rule.days(begin) if one >= day), None)
        if first is None:
            raise AlmanacError(f"{self.id} has ended before {day}")
        rest = None if self.rule.count is None else self.rule.count - len(before)
        other = Series(
            f"{self.id}-{day:%Y%m%d}",
            self.title,
            self._at(first),
            self.length,
            replace(self.rule, count=rest),
            without={one for one in self.without if one.date() >= day},
            extra={one for one in self.extra if one.date() >= day},
            changes={one: change for one, change in self.changes.items() if one.date() >= day},
        )
        self.rule = replace(self.rule, count=None, until=day - timedelta(days=1))
        self.without -= other.without
        self.extra -= other.extra
        for one in other.changes:
            del self.changes[one]
        return other

    # -- finding

    def planned(self, last):
        """Planned starts up to and with a day, in order; those left out are among them."""
        first = self.start.date()
        days = [first] if self.rule is None else self.rule.within(first, first, last)
        starts = {self._at(day) for day in days} | {one for one in self.extra if one.date() <= last}
        return sorted(starts, key=real)

    def occurrences(self, first, last):
        """What shares time with the interval, by start. A moved one counts where it was moved to."""
        found = []
        reach = self._reach()
        for planned in self.planned((last + reach).date()):
            if planned in self.without:
                continue
            one = self._occurrence(planned)
            if one.overlaps(first, last):
                found.append(one)
        return sorted(found, key=lambda one: real(one.start))

    def next(self, after):
        """The first occurrence that begins after a moment. None when there is none within ten years."""
        upcoming = self.occurrences(after, after + timedelta(days=3653))
        return next((one for one in upcoming if real(one.start) > real(after)), None)

    def _reach(self):
        """How far an occurrence may have been moved to an earlier time, and a day for time zones."""
        moved = [real(planned) - real(change.start) for planned, change in self.changes.items() if change.start]
        return max([timedelta(0), *moved]) + timedelta(days=1)

    def _occurrence(self, planned):
        change = self.changes.get(planned, Change())
        start = change.start or planned
        length = self.length if change.length is None else change.length
        return Occurrence(change.title or self.title, start, later(start, length), planned, self.id)

    def _at(self, day):
        return datetime.combine(day, self.start.timetz())

    def _known(self, planned):
        if planned not in self.planned(planned.date()):
            raise AlmanacError(f"{self.id} is not planned at {planned:%Y-%m-%d %H:%M}")


def real(moment):
    """The moment in UTC. Two moments of one zone are compared by the wall clock, which is wrong when clocks change."""
    return moment.astimezone(timezone.utc)


def later(moment, length):
    """So much real time later, in the same zone."""
    return (real(moment) + length).astimezone(moment.tzinfo)
