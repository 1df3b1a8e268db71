"""Tickets of a help desk, and who is told of them."""

from enum import Enum


class Status(Enum):
    """Where a ticket stands."""

    NEW = "new"
    OPEN = "open"
    DONE = "done"
    CLOSED = "closed"


class Ticket:
    """A question of somebody."""

    def __init__(self):
        self.status = Status.NEW

    def answer(self):
        self.status = Status.DONE

    def close(self):
        """A ticket that was answered is closed; any other one stays as it is."""
        if self.status is Status.OPEN:
            self.status = Status.CLOSED

    def is_closed(self):
        return self.status is Status.CLOSED


class Board:
    """Tells listeners of tickets."""

    def __init__(self):
        self.listeners = []

    def on(self, listener):
        self.listeners.append(listener)

    def off(self, listener):
        if listener in self.listeners:
            self.listeners.remove(listener)

    def tell(self, ticket):
        """Calls each listener that is there when it begins, also where one leaves meanwhile; how many were called."""
        count = 0
        for listener in self.listeners:
            listener(ticket)
            count += 1
        return count
