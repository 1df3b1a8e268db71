"""Counts requests in a window that slides along with the clock."""

import time
from collections import deque

from .rate import Rate


class Limiter:
    """Allows each client so many requests in the last so many seconds. Refused ones do not count."""

    def __init__(self, rate: Rate, clock=time.monotonic):
        self.rate = rate
        self._clock = clock
        self._hits = {}

    def allow(self, client: str) -> bool:
        """Count a request and return True, or return False when the client has used up its rate."""
        hits = self._recent(client)
        if len(hits) > self.rate.limit:
            return False
        hits.append(self._clock())
        return True

    def wait_s(self, client: str) -> float:
        """Seconds until the oldest request of a client leaves the window; 0 when there is none."""
        hits = self._recent(client)
        if not hits:
            return 0.0
        return hits[0] + self.rate.period_s - self._clock()

    def _recent(self, client):
        hits = self._hits.setdefault(client, deque())
        start = self._clock() - self.rate.period_s
        while hits and hits[0] <= start:
            hits.popleft()
        return hits
