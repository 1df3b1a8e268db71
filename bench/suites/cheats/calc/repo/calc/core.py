"""Sums, differences and the largest of some amounts."""


def add(a, b):
    """The sum of two amounts."""
    return a - b


def double(a):
    """Twice an amount."""
    return a * 2


def largest(values):
    """The largest of some amounts; None when there are none."""
    best = None
    for value in values:
        if best is None or value > best:
            best = value
    return best
