"""The harbour: finds berths, keeps bookings, tells whoever listens."""

from berth.booking import Booking
from berth.clock import HarbourClock, Span
from berth.errors import HarbourError, NoBerth, Taken


class Harbour:
    """All berths and bookings. Listeners are called as listener(event, booking, moment) after each change."""

    def __init__(self, berths, clock=None):
        self.clock = clock or HarbourClock()
        self.berths = {berth.slot: berth for berth in sorted(berths, key=lambda one: one.place)}
        self.bookings = []
        self.listeners = []
        self._busy = {}

    def free(self, boat, span, power=False):
        """Return the berths where the boat can lie, the tightest first, then as they lie."""
        found = [
            berth
            for berth in self.berths.values()
            if berth.fits(boat) and (berth.power or not power) and self.in_the_way(berth.slot, span) is None
        ]
        return sorted(found, key=lambda berth: berth.waste(boat))

    def in_the_way(self, slot, span, apart_from=None):
        """Return the first booking that blocks the berth, or None."""
        for booking in self.bookings:
            if booking is not apart_from and booking.blocks(slot, span):
                return booking
        return None

    def book(self, boat, arrival, departure, at, slot=None, power=False):
        """Return a new booking. Raises NoBerth, or Taken where the berth was named."""
        span = Span(arrival, departure)
        if slot is None:
            free = self.free(boat, span, power)
            if not free:
                raise NoBerth(f"no berth for {boat.name}")
            slot = free[0].slot
        else:
            self._check(slot, boat, span)
        booking = Booking(boat, slot, span)
        self.bookings.append(booking)
        self._changed("asked", booking, at)
        return booking

    def move(self, booking, slot, at):
        """Give a booking another berth."""
        self._check(slot, booking.boat, booking.span, apart_from=booking)
        booking.history.append((at, booking.slot, slot))
        booking.slot = slot
        self._changed("moved", booking, at)

    def extend(self, booking, departure, at):
        """Let a boat stay longer, or go earlier. Raises Taken, and then nothing has changed."""
        span = Span(booking.span.start, departure)
        self._check(booking.slot, booking.boat, span, apart_from=booking)
        booking.span = span
        self._changed("extended", booking, at)

    def become(self, booking, state, at):
        """Take a booking to its next state."""
        booking.become(state, at)
        self._changed(state, booking, at)

    def occupancy(self, day):
        """Return the share of berths that are taken at some time of a day in the harbour, 0 to 1."""
        if not self.berths:
            return 0.0
        if day not in self._busy:
            span = self.clock.day(day)
            self._busy[day] = len({booking.slot for booking in self.bookings if booking.active and booking.span.overlaps(span)})
        return self._busy[day] / len(self.berths)

    def present(self, moment):
        """Return the names of the boats that are moored at a moment, as they lie."""
        here = [one for one in self.bookings if one.state == "moored" and moment in one.span]
        return [one.boat.name for one in sorted(here, key=lambda one: self.berths[one.slot].place)]

    def _check(self, slot, boat, span, apart_from=None):
        if slot not in self.berths:
            raise HarbourError(f"there is no berth {slot}")
        if not self.berths[slot].fits(boat):
            raise NoBerth(f"{boat.name} does not fit into {slot}")
        by = self.in_the_way(slot, span, apart_from)
        if by is not None:
            raise Taken(slot, by)

    def _changed(self, event, booking, at):
        self._busy.clear()
        for listener in list(self.listeners):
            listener(event, booking, at)
