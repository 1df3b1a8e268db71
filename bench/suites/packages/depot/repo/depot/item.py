"""The item: an aggregate with stock, reservations and their rules."""

from depot.aggregate import Aggregate, command
from depot.errors import OutOfStock, Rejected, UnknownReservation
from depot.events import Counted, Moved, Received, Released, Renamed, Reserved, Shipped
from depot.lots import Lot, Shelf


class Item(Aggregate):
    """One kind of goods."""

    def initial(self):
        return {"title": "", "shelf": Shelf(), "reservations": {}, "deliveries": 0}

    # -- what can be asked

    @property
    def on_hand(self):
        return self.shelf.total()

    @property
    def reserved(self):
        return sum(quantity for quantity, _ in self.reservations.values())

    @property
    def available(self):
        return self.on_hand - self.reserved

    def at(self, location):
        return self.shelf.total(location)

    def reserved_for(self, order):
        return self.reservations.get(order, (0, None))[0]

    # -- commands

    @command
    def rename(self, title):
        title = " ".join(title.split())
        if not title:
            raise Rejected("a title is needed")
        if title != self.title:
            yield Renamed(self.id, title)

    @command
    def receive(self, quantity, location, lot, expires=None, cost=0):
        self._positive(quantity)
        known = self.shelf.get(lot, location)
        if known is not None and known.expires != expires:
            raise Rejected(f"lot {lot} expires on {known.expires}")
        yield Received(self.id, quantity, location, lot, expires, cost)

    @command
    def reserve(self, quantity, order, until=None):
        """Reserve for an order. A second reservation of the same order adds to the first; the later date holds."""
        self._positive(quantity)
        if quantity > self.available:
            raise OutOfStock(self.id, quantity, self.available)
        yield Reserved(self.id, quantity, order, until)

    @command
    def release(self, order, quantity=None, reason="cancelled"):
        """Give up a reservation, or a part of it."""
        held = self._held(order)
        quantity = held if quantity is None else quantity
        self._positive(quantity)
        if quantity > held:
            raise Rejected(f"{order} has reserved {held}, not {quantity}")
        yield Released(self.id, quantity, order, reason)

    @command
    def expire_reservations(self, today):
        """Release what was reserved until a day before today, order by order."""
        for order in sorted(self.reservations):
            quantity, until = self.reservations[order]
            if until is not None and until < today:
                yield Released(self.id, quantity, order, "expired")

    @command
    def ship(self, order, location=None, today=None):
        """Send all that an order has reserved, from one location or from everywhere; what is expired stays."""
        held = self._held(order)
        picked = self.shelf.pick(held, location, today)
        found = sum(part for _, part in picked)
        if found < held:
            raise OutOfStock(self.id, held, found)
        yield Released(self.id, held, order, "shipped")
        for lot, part in picked:
            yield Shipped(self.id, part, lot.location, lot.name, order)

    @command
    def sell(self, quantity, location=None, today=None):
        """Over the counter: takes what nobody has reserved."""
        self._positive(quantity)
        if quantity > self.available:
            raise OutOfStock(self.id, quantity, self.available)
        picked = self.shelf.pick(quantity, location, today)
        found = sum(part for _, part in picked)
        if found < quantity:
            raise OutOfStock(self.id, quantity, found)
        for lot, part in picked:
            yield Shipped(self.id, part, lot.location, lot.name)

    @command
    def move(self, quantity, source, target):
        self._positive(quantity)
        if source == target:
            raise Rejected("source and target are the same")
        if quantity > self.at(source):
            raise OutOfStock(self.id, quantity, self.at(source))
        for lot, part in self.shelf.pick(quantity, source):
            yield Moved(self.id, part, source, target, lot.name)

    @command
    def count(self, location, lot, quantity):
        """Somebody counted. What is missing then may be reserved already: those who reserved last lose it first."""
        if quantity < 0:
            raise Rejected("a count is not negative")
        known = self.shelf.get(lot, location)
        if known is None:
            raise Rejected(f"there is no lot {lot} at {location}")
        if quantity != known.quantity:
            yield Counted(self.id, location, lot, quantity - known.quantity)
        for order in reversed(list(self.reservations)):
            short = -self.available
            if short <= 0:
                break
            yield Released(self.id, min(short, self.reserved_for(order)), order, "missing")

    # -- what events do

    def on_renamed(self, event):
        self.title = event.title

    def on_received(self, event):
        self.deliveries += 1
        self.shelf.put(
            Lot(event.lot, event.location, event.quantity, self.deliveries, event.expires, event.cost)
        )

    def on_reserved(self, event):
        quantity, until = self.reservations.get(event.order, (0, None))
        latest = max((day for day in (until, event.until) if day is not None), default=None)
        self.reservations[event.order] = (quantity + event.quantity, latest)

    def on_released(self, event):
        quantity, until = self.reservations[event.order]
        if quantity > event.quantity:
            self.reservations[event.order] = (quantity - event.quantity, until)
        else:
            del self.reservations[event.order]

    def on_shipped(self, event):
        self.shelf.take(event.lot, event.location, event.quantity)

    def on_moved(self, event):
        taken = self.shelf.take(event.lot, event.source, event.quantity)
        self.shelf.put(
            Lot(taken.name, event.target, taken.quantity, taken.number, taken.expires, taken.cost)
        )

    def on_counted(self, event):
        lot = self.shelf.get(event.lot, event.location)
        if event.difference > 0:
            self.shelf.put(Lot(lot.name, lot.location, event.difference, lot.number, lot.expires, lot.cost))
        else:
            self.shelf.take(lot.name, lot.location, -event.difference)

    # -- rules that many commands share

    def _positive(self, quantity):
        if isinstance(quantity, bool) or not isinstance(quantity, int) or quantity <= 0:
            raise Rejected(f"not a quantity: {quantity!r}")

    def _held(self, order):
        if order not in self.reservations:
            raise UnknownReservation(f"{order} has reserved no {self.id}")
        return self.reservations[order][0]
