"""Boats and berths, and which fits where."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Boat:
    """Metres, as the owner says."""

    name: str
    length: float
    draught: float
    season_ticket: bool = False


@dataclass(frozen=True)
class Berth:
    """A place at a pontoon. `slot` is like `B12`: a pontoon's letter and a number."""

    slot: str
    length: float
    depth: float
    power: bool = False
    rate: Decimal = Decimal("24.00")

    def fits(self, boat):
        return boat.length <= self.length and boat.draught <= self.depth

    @property
    def place(self):
        """Sorts berths as they lie: B2 before B12."""
        return self.slot[0], int(self.slot[1:])

    def waste(self, boat):
        """Metres of the berth that stay empty: a small boat should not take a large berth."""
        return self.length - boat.length
