"""Items, how many of them lie on the shelves, and how many of those are promised to somebody."""

from warehouse.errors import NotEnough, UnknownItem


class Stock:
    """Counts by item. Reserved pieces are still on the shelf, but not available."""

    def __init__(self, counts=None, low_below=5):
        self.counts = dict(counts or {})
        self.reserved = {}
        self.low_below = low_below

    def available(self, item):
        """Pieces that nobody has reserved. UnknownItem for an item that was never in stock."""
        if item not in self.counts:
            raise UnknownItem(item)
        return self.counts[item] - self.reserved.get(item, 0)

    def receive(self, item, count):
        """Put pieces on the shelf and return how many lie there now."""
        if count <= 0:
            raise ValueError("nothing was received")
        self.counts[item] = self.counts.get(item, 0) + count
        return self.counts[item]

    def reserve(self, item, count):
        """Promise pieces to somebody. NotEnough when fewer are available."""
        available = self.available(item)
        if count > available:
            raise NotEnough(item, count - available)
        self.reserved[item] = self.reserved.get(item, 0) + count

    def release(self, item, count):
        """Take back a promise; never below nothing."""
        self.reserved[item] = max(0, self.reserved.get(item, 0) - count)

    def ship(self, item, count):
        """Pieces that were reserved leave the house."""
        promised = self.reserved.get(item, 0)
        if count > promised:
            raise NotEnough(item, count - promised)
        self.reserved[item] -= count
        self.counts[item] -= count

    def low(self):
        """Items of which fewer than `low_below` are available, the scarcest first, then by name."""
        scarce = [item for item in self.counts if self.available(item) < self.low_below]
        return sorted(scarce, key=lambda item: (self.available(item), item))

    def copy(self):
        """Another stock with the same contents, independent of this one."""
        other = Stock(self.counts, self.low_below)
        other.reserved = dict(self.reserved)
        return other

    def merge(self, other):
        """Add everything that lies in another stock to this one."""
        for item, count in other.counts.items():
            self.counts[item] = self.counts.get(item, 0) + count
        for item, count in other.reserved.items():
            self.reserved[item] = self.reserved.get(item, 0) + count
        return self

    def total(self, only=None):
        """Pieces of all items, or only of those named."""
        wanted = self.counts if only is None else only
        return sum(self.counts.get(item, 0) for item in wanted)
