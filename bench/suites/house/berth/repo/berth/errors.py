"""What can go wrong, all of it a HarbourError."""


class HarbourError(Exception):
    """Base of all errors of this package."""


class NaiveMoment(HarbourError, ValueError):
    """A moment without a zone."""


class NoBerth(HarbourError):
    """No berth is free for that boat at that time."""


class Taken(HarbourError):
    """The berth is taken already; `by` is the booking in the way."""

    def __init__(self, berth, by):
        super().__init__(f"berth {berth} is taken by {by.boat.name}")
        self.berth = berth
        self.by = by


class WrongState(HarbourError):
    """The booking is not in a state from which that is possible."""


class BadLine(HarbourError, ValueError):
    """A line of the log that cannot be read; `number` counts from 1."""

    def __init__(self, number, why):
        super().__init__(f"line {number}: {why}")
        self.number = number
