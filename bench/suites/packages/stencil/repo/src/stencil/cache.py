"""A cache that forgets what was not used for longest."""

from collections import OrderedDict


class LRUCache:
    """At most `size` entries; 0 keeps nothing, None keeps everything."""

    def __init__(self, size):
        self.size = size
        self.hits = self.misses = 0
        self._entries = OrderedDict()

    def get(self, key):
        """The value, or None."""
        if key not in self._entries:
            self.misses += 1
            return None
        self.hits += 1
        self._entries.move_to_end(key)
        return self._entries[key]

    def put(self, key, value):
        self._entries[key] = value
        self._entries.move_to_end(key)
        if self.size is not None:
            while len(self._entries) > self.size:
                self._entries.popitem(last=False)

    def drop(self, key):
        self._entries.pop(key, None)

    def clear(self):
        self._entries.clear()
        self.hits = self.misses = 0

    def __len__(self):
        return len(self._entries)

    def __contains__(self, key):
        return key in self._entries
