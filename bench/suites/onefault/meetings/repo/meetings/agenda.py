"""Meetings in order, and what they collide with."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from meetings.clock import UTC, minutes_between, show


@dataclass(frozen=True)
class Meeting:
    """`start` has a zone; ValueError otherwise."""

    title: str
    start: datetime
    minutes: int = 60
    people: frozenset = field(default_factory=frozenset)

    def __post_init__(self):
        if self.start.tzinfo is None:
            raise ValueError(f"{self.title}: the start has no zone")

    @property
    def end(self):
        return self.start + timedelta(minutes=self.minutes)

    def moved(self, minutes):
        """The same meeting, later or, with a negative number, earlier."""
        return replace(self, start=self.start + timedelta(minutes=minutes))

    def collides(self, other):
        """At the same time, and with somebody who is asked for in both."""
        return self.start < other.end and other.start < self.end and bool(self.people & other.people)


class Agenda:
    """Meetings by start, then by title."""

    def __init__(self, meetings=()):
        self.meetings = sorted(meetings, key=lambda one: (one.start, one.title))

    def add(self, meeting):
        """Put a meeting in its place and return those that it collides with."""
        colliding = [one for one in self.meetings if one.collides(meeting)]
        self.meetings.append(meeting)
        self.meetings.sort(key=lambda one: (one.start, one.title))
        return colliding

    def next(self, now):
        """The first meeting that starts at `now` or later; None after the last one."""
        return next((one for one in self.meetings if one.start >= now), None)

    def of(self, person):
        """Titles of one person's meetings."""
        return [one.title for one in self.meetings if person in one.people]

    def weekly(self, meeting, weeks):
        """Add a meeting once a week."""
        for week in range(weeks):
            self.add(replace(meeting, start=meeting.start + timedelta(weeks=week)))
        return self

    def lines(self, where=UTC):
        """One line for each meeting, in the time of a zone."""
        return [f"{show(one.start, where)} {one.title} ({one.minutes} min)" for one in self.meetings]

    def longest_break(self):
        """Minutes of the longest break between two meetings that follow each other; 0 without one."""
        breaks = [minutes_between(a.end, b.start) for a, b in zip(self.meetings, self.meetings[1:])]
        return max([0, *breaks])
