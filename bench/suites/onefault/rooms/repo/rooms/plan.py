"""Who has which room, and when."""

from rooms.slots import Slot, gaps


class Taken(Exception):
    """Somebody else has the room."""

    def __init__(self, room, slot, by):
        super().__init__(f"{room} is taken at {slot} by {by}")
        self.by = by


class Plan:
    """Bookings of one day; rooms are open from 8 to 18."""

    OPEN = Slot(8 * 60, 18 * 60)

    def __init__(self, rooms):
        self.seats = dict(rooms)
        self.bookings = {room: {} for room in rooms}

    def book(self, room, slot, who):
        """Taken when the room is not free."""
        for other, by in self.bookings[room].items():
            if slot.overlaps(other):
                raise Taken(room, slot, by)
        self.bookings[room][slot] = who

    def cancel(self, room, slot, who):
        """Only who booked may cancel; says whether there was something to cancel."""
        if self.bookings[room].get(slot) != who:
            return False
        del self.bookings[room][slot]
        return True

    def free(self, room):
        """Free slots of a room."""
        return gaps(self.bookings[room], self.OPEN)

    def find(self, minutes, seats=1):
        """The earliest (room, slot) of this length; the smallest room with enough seats comes first."""
        offers = []
        for room in sorted(self.seats, key=lambda name: (self.seats[name], name)):
            if self.seats[room] < seats:
                continue
            for gap in self.free(room):
                if gap.minutes >= minutes:
                    offers.append((gap.start, room))
                    break
        if not offers:
            return None
        start, room = min(offers, key=lambda offer: offer[0])
        return room, Slot(start, start + minutes)

    def usage(self):
        """Share of the day for which each room is booked, in percent with one digit."""
        return {
            room: round(100 * sum(slot.minutes for slot in booked) / self.OPEN.minutes, 1)
            for room, booked in self.bookings.items()
        }
