"""A booking and what may become of it."""

from dataclasses import dataclass, field
from itertools import count

from berth.boats import Boat
from berth.clock import Span
from berth.errors import WrongState

_STEPS = {
    "asked": {"confirmed", "cancelled"},
    "confirmed": {"moored", "cancelled"},
    "moored": {"left"},
    "left": set(),
    "cancelled": set(),
}
_numbers = count(1)


@dataclass
class Booking:
    """One boat at one berth for one span."""

    boat: Boat
    slot: str
    span: Span
    state: str = "asked"
    power_kwh: int = 0
    history: list = field(default_factory=list)
    number: int = field(default_factory=lambda: next(_numbers))

    @property
    def active(self):
        """Whether it takes its berth."""
        return self.state not in ("left", "cancelled")

    def become(self, state, at):
        """Go on to another state. Raises WrongState where no way leads there; nothing has changed then."""
        if state not in _STEPS[self.state]:
            raise WrongState(f"a booking that is {self.state} cannot become {state}")
        self.history.append((at, self.state, state))
        self.state = state

    def blocks(self, slot, span):
        """Whether nobody else can have the berth in this span."""
        return self.active and self.slot == slot and self.span.overlaps(span)
