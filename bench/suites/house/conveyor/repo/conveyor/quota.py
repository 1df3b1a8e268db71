"""So many at a time, for each key."""

import threading
from contextlib import contextmanager


class Quota:
    """Keys that nobody uses take no memory."""

    def __init__(self, limit):
        if limit < 1:
            raise ValueError("a quota lets at least one in")
        self.limit = limit
        self._inside = {}
        self._change = threading.Condition()

    @contextmanager
    def __call__(self, key):
        """Wait for a place, and give it back in the end."""
        self._enter(key)
        try:
            yield
        finally:
            self._leave(key)

    def inside(self, key):
        """Return how many are in."""
        with self._change:
            return self._inside.get(key, 0)

    def __len__(self):
        with self._change:
            return len(self._inside)

    def _enter(self, key):
        with self._change:
            while self._inside.get(key, 0) >= self.limit:
                self._change.wait()
            self._inside[key] = self._inside.get(key, 0) + 1

    def _leave(self, key):
        with self._change:
            left = self._inside[key] - 1
            if left:
                self._inside[key] = left
            else:
                del self._inside[key]
            # Those who wait may wait for different keys: all must look.
            self._change.notify_all()
