"""Moments, spans and nights."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

from berth.errors import NaiveMoment

UTC = timezone.utc


def aware(moment):
    """Return the moment in UTC. Raises NaiveMoment without a zone."""
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise NaiveMoment(f"{moment.isoformat()} has no zone")
    return moment.astimezone(UTC)


@dataclass(frozen=True)
class Span:
    """From one moment to another, the second not included; kept in UTC."""

    start: datetime
    end: datetime

    def __post_init__(self):
        object.__setattr__(self, "start", aware(self.start))
        object.__setattr__(self, "end", aware(self.end))
        if self.end <= self.start:
            raise ValueError("a span ends after it begins")

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end

    def __contains__(self, moment):
        return self.start <= aware(moment) < self.end

    @property
    def length(self):
        return self.end - self.start


class HarbourClock:
    """The calendar on the harbour master's wall."""

    def __init__(self, zone="Europe/Amsterdam"):
        self.zone = ZoneInfo(zone)

    def local(self, moment):
        """Return the moment as the harbour's clocks show it."""
        return aware(moment).astimezone(self.zone)

    def at(self, day, hour=0, minute=0):
        """Return a time of day in the harbour."""
        return datetime.combine(day, time(hour, minute), tzinfo=self.zone)

    def nights(self, span):
        """Return the dates of the nights in a span: a night belongs to the day before its midnight."""
        first, last = self.local(span.start).date(), self.local(span.end).date()
        return [first + timedelta(days=number) for number in range((last - first).days)]

    def day(self, day):
        """Return the whole of one day in the harbour, which has 23 or 25 hours now and then."""
        return Span(self.at(day), self.at(day + timedelta(days=1)))
