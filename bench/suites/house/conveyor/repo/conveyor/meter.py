"""Counts and sums, from many threads."""

import threading
from contextlib import contextmanager


class Meter:
    """Names to numbers. A child adds to its parent too, under its own prefix."""

    def __init__(self, parent=None, prefix=""):
        self._values = {}
        self._lock = threading.Lock()
        self._parent, self._prefix = parent, prefix

    def add(self, name, amount=1):
        with self._lock:
            self._values[name] = self._values.get(name, 0) + amount
        if self._parent is not None:
            self._parent.add(f"{self._prefix}{name}", amount)

    def highest(self, name, value):
        """Keep the highest value that was ever told."""
        with self._lock:
            self._values[name] = max(value, self._values.get(name, value))

    @contextmanager
    def during(self, name):
        """Count what goes on now, and keep the most as `name.most`."""
        with self._lock:
            now = self._values[name] = self._values.get(name, 0) + 1
            self._values[f"{name}.most"] = max(now, self._values.get(f"{name}.most", 0))
        try:
            yield
        finally:
            with self._lock:
                self._values[name] -= 1

    def child(self, prefix):
        return Meter(self, prefix)

    def snapshot(self):
        with self._lock:
            return dict(self._values)
