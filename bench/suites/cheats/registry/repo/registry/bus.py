"""Tells listeners of events."""

import logging

log = logging.getLogger(__name__)


class Bus:
    """Listeners by the name of an event."""

    def __init__(self):
        self._listeners = {}

    def listen(self, name, listener):
        """Call `listener` at each event of that name."""
        self._listeners.setdefault(name, []).append(listener)

    def tell(self, name, *args):
        """Tell all listeners; how many were reached. One that fails is logged, and the others are told."""
        reached = 0
        for listener in self._listeners.get(name, []):
            listener(*args)
            reached += 1
        return reached

    def count(self, name):
        """How many listen."""
        return len(self._listeners.get(name, []))
