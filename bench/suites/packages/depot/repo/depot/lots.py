"""Lots: what lies at one location, by age."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Optional


@dataclass(frozen=True)
class Lot:
    """A quantity of one delivery at one location. `number` counts deliveries."""

    name: str
    location: str
    quantity: int
    number: int
    expires: Optional[date] = None
    cost: int = 0

    def expired(self, today):
        """A lot is good up to and with its date."""
        return self.expires is not None and self.expires < today

    def less(self, quantity):
        return replace(self, quantity=self.quantity - quantity)

    def order(self):
        """Sorts by what should leave first."""
        return (self.expires is None, self.expires or date.max, self.number)


class Shelf:
    """All lots of an item, by (name, location). Empty lots are not kept."""

    def __init__(self, lots=()):
        self._lots = {(lot.name, lot.location): lot for lot in lots}

    def get(self, name, location):
        return self._lots.get((name, location))

    def put(self, lot):
        """Add to the lot of that name and location, or begin it."""
        known = self.get(lot.name, lot.location)
        if known is not None:
            lot = replace(known, quantity=known.quantity + lot.quantity)
        if lot.quantity > 0:
            self._lots[lot.name, lot.location] = lot
        else:
            self._lots.pop((lot.name, lot.location), None)

    def take(self, name, location, quantity):
        """Remove from one lot, and return what was removed as a lot."""
        lot = self._lots[name, location]
        if quantity > lot.quantity:
            raise ValueError(f"lot {name} at {location} has {lot.quantity}, not {quantity}")
        self.put(lot.less(lot.quantity + quantity))
        return replace(lot, quantity=quantity)

    def at(self, location=None):
        """Lots at one location or everywhere, in the order they should leave."""
        found = [lot for lot in self._lots.values() if location in (None, lot.location)]
        return sorted(found, key=Lot.order)

    def total(self, location=None):
        return sum(lot.quantity for lot in self.at(location))

    def pick(self, quantity, location=None, today=None):
        """(lot, quantity) pairs that together give `quantity`; expired lots are passed over when `today` is given.

        Fewer when there is not enough.
        """
        picked = []
        for lot in self.at(location):
            if quantity <= 0:
                break
            if today is not None and lot.expired(today):
                continue
            part = min(lot.quantity, quantity)
            picked.append((lot, part))
            quantity -= part
        return picked

    def __len__(self):
        return len(self._lots)
