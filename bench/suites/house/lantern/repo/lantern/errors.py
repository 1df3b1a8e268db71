"""What can go wrong with flags."""


class LanternError(Exception):
    """Base of all errors of this package."""


class BadCondition(LanternError, ValueError):
    """A condition that cannot be read; `place` counts signs from 0."""

    def __init__(self, text, place, why):
        super().__init__(f"{why} at {place} in {text!r}")
        self.place = place


class Circle(LanternError):
    """Flags that depend on each other in a circle."""

    def __init__(self, names):
        super().__init__(" -> ".join(names))
        self.names = tuple(names)


class UnknownFlag(LanternError, KeyError):
    """There is no flag of that name."""

    def __str__(self):
        return f"no flag {self.args[0]!r}"
