"""Reports of sales."""

from app.units import euros


def line(name, cents):
    """One line of a report."""
    return f"{name}: {euros(cents)}"
