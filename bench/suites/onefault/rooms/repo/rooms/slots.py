"""Stretches of time within one day, in minutes since midnight."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Slot:
    """From `start` up to, but without, `end`."""

    start: int
    end: int

    def __post_init__(self):
        if self.end <= self.start:
            raise ValueError("a slot must end after it starts")

    @classmethod
    def parse(cls, text):
        """Read "09:30-11:00"."""
        start, end = (_minutes(part) for part in text.split("-"))
        return cls(start, end)

    @property
    def minutes(self):
        return self.end - self.start

    def overlaps(self, other):
        """True when some moment lies in both; slots that only touch do not overlap."""
        return self.start < other.end and other.start < self.end

    def contains(self, moment):
        return self.start <= moment < self.end

    def __str__(self):
        return f"{_clock(self.start)}-{_clock(self.end)}"


def _minutes(clock):
    hours, minutes = clock.strip().split(":")
    return int(hours) * 60 + int(minutes)


def _clock(minutes):
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def merged(slots):
    """Slots that overlap or touch put together, in order."""
    result = []
    for slot in sorted(slots):
        if result and slot.start <= result[-1].end:
            last = result.pop()
            slot = Slot(last.start, max(last.end, slot.end))
        result.append(slot)
    return result


def gaps(slots, day):
    """What is left of the day between the slots."""
    free = []
    at = day.start
    for slot in merged(slots):
        if slot.start > at:
            free.append(Slot(at, min(slot.start, day.end)))
        at = max(at, slot.end)
    if at < day.end:
        free.append(Slot(at, day.end))
    return free
