"""Finds journeys."""

import heapq
from dataclasses import dataclass
from itertools import count

from ferryline.clock import DAY, moment
from ferryline.timetable import yesterday

LONGEST = 2 * DAY


@dataclass(frozen=True)
class Leg:
    """A ride on one boat. Minutes are those of the day that was asked for; they may be negative for boats of the day before."""

    sailing: object
    first: int
    last: int
    leaves: int
    arrives: int

    @property
    def origin(self):
        return self.sailing.stops[self.first].harbour

    @property
    def target(self):
        return self.sailing.stops[self.last].harbour

    @property
    def harbours(self):
        return [stop.harbour for stop in self.sailing.stops[self.first : self.last + 1]]


@dataclass(frozen=True)
class Journey:
    """Legs one after the other, on the day that was asked for."""

    day: object
    legs: tuple

    @property
    def leaves(self):
        return moment(self.day, self.legs[0].leaves)

    @property
    def arrives(self):
        return moment(self.day, self.legs[-1].arrives)

    @property
    def changes(self):
        return len(self.legs) - 1


def rides(table, day):
    """Return (leg without its end, place) candidates by harbour: every call of boats of this day, the one before and the next."""
    found = {}
    for shift, service in ((-DAY, yesterday(day)), (0, day), (DAY, _tomorrow(day))):
        for sailing in table.sailings(service):
            if sailing.cancelled:
                continue
            for place, stop in enumerate(sailing.stops[:-1]):
                found.setdefault(stop.harbour, []).append((sailing.leaves(place) + shift, sailing, place, shift))
    return found


def find(table, origin, target, day, after=0):
    """Return the best Journey that leaves at or after some minutes of the day, or None."""
    if origin == target:
        raise ValueError("there is no need to travel")
    calls = rides(table, day)
    number = count()
    # Sorted by arrival, then by late departure, then by changes: the first to reach the target is the best.
    waiting = [(after, 0, 0, next(number), origin, ())]
    best = {}
    while waiting:
        arrival, departure, changes, _, harbour, legs = heapq.heappop(waiting)
        if harbour == target:
            return Journey(day, legs)
        key = (-departure if legs else None, changes)
        if any(_dominates(known, key) for known in best.get(harbour, ())):
            continue
        best.setdefault(harbour, []).append(key)
        ready = arrival + (table.change(harbour) if legs else 0)
        for leaves, sailing, place, shift in calls.get(harbour, ()):
            if not ready <= leaves <= after + LONGEST:
                continue
            for last in range(place + 1, len(sailing.stops)):
                leg = Leg(sailing, place, last, leaves, sailing.arrives(last) + shift)
                start = departure if legs else -leaves
                heapq.heappush(waiting, (leg.arrives, start, changes + bool(legs), next(number), leg.target, (*legs, leg)))
    return None


def _dominates(known, other):
    """Whether somebody who is here already left no earlier and changed no more often. Arrivals come in order."""
    if known[0] is None or other[0] is None:
        return known[0] is None
    return known[0] >= other[0] and known[1] <= other[1]


def _tomorrow(day):
    return day + (day - yesterday(day))
