"""Remembering results: a cache with a size and an age, and a decorator that uses it."""

import functools
import time
from collections import OrderedDict

MISSING = object()


class Cache:
    """Keeps the `size` values that were used last, each for at most `max_age_s` seconds."""

    def __init__(self, size=128, max_age_s=None, clock=time.monotonic):
        if size < 1:
            raise ValueError("size must be positive")
        self.size = size
        self.max_age_s = max_age_s
        self.clock = clock
        self.hits = 0
        self.misses = 0
        self._entries = OrderedDict()

    def __len__(self):
        return len(self._entries)

    def __contains__(self, key):
        return self.peek(key) is not MISSING

    def peek(self, key, default=MISSING):
        """The value, without counting this as a use."""
        if key not in self._entries:
            return default
        value, stored = self._entries[key]
        if self.max_age_s is not None and self.clock() - stored > self.max_age_s:
            del self._entries[key]
            return default
        return value

    def get(self, key, default=None):
        """The value or the default; counts hits and misses."""
        value = self.peek(key)
        if value is MISSING:
            self.misses += 1
            return default
        self.hits += 1
        self._entries.move_to_end(key)
        return value

    def put(self, key, value):
        """Store a value; the one that was not used for longest makes room."""
        self._entries[key] = (value, self.clock())
        self._entries.move_to_end(key)
        while len(self._entries) > self.size:
            self._entries.popitem(last=False)

    def hit_rate(self):
        """Share of hits, between 0 and 1; 0 before the first use."""
        uses = self.hits + self.misses
        return self.hits / uses if uses else 0.0

    def clear(self):
        """Forget everything, the counts as well."""
        self._entries.clear()
        self.hits = self.misses = 0


def remembered(size=128):
    """Decorator: call the function once for each set of arguments. `cache` of the result is its Cache."""

    def decorate(function):
        cache = Cache(size)

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            key = (args, tuple(sorted(kwargs.items())))
            value = cache.get(key, MISSING)
            if value is MISSING:
                value = function(*args, **kwargs)
                cache.put(key, value)
            return value

        wrapper.cache = cache
        return wrapper

    return decorate
