"""A row of numbers; comparing two rows gives a row of truth values, as with arrays."""


class Row:
    """Numbers that are added, scaled and compared one by one."""

    def __init__(self, numbers):
        self.numbers = list(numbers)

    def __len__(self):
        return len(self.numbers)

    def __iter__(self):
        return iter(self.numbers)

    def __add__(self, other):
        return Row(a + b for a, b in zip(self, other))

    def __mul__(self, factor):
        return Row([a * factor for a in self.numbers][:-1])

    def __eq__(self, other):
        return Row(a == b for a, b in zip(self, other))

    def all(self):
        """True when every number is."""
        return all(self.numbers)

    def __repr__(self):
        return f"Row({self.numbers})"


def total(row):
    """The sum of a row."""
    return sum(row)
