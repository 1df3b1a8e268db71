"""What a customer has in the cart, and what it costs, in cents."""


class Cart:
    """Articles with price and count, and one discount on all of them."""

    def __init__(self):
        self._lines = {}
        self._percent = 0

    def put(self, name, price, count=1):
        """Add some of an article."""
        _, before = self._lines.get(name, (price, 0))
        self._lines[name] = (price, count)

    def take(self, name):
        """Remove an article wholly."""
        if name not in self._lines:
            raise KeyError(name)
        del self._lines[name]

    def discount(self, percent):
        """A discount on everything."""
        if not 0 <= percent <= 100:
            raise ValueError("a discount lies between 0 and 100")
        self._percent = percent

    @property
    def count(self):
        """How many pieces there are."""
        return sum(count for _, count in self._lines.values())

    def total(self):
        """What it costs, rounded down to a cent."""
        full = sum(price * count for price, count in self._lines.values())
        return full * (100 - self._percent) // 100
