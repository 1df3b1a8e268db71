"""What all shapes have in common."""

import math
from abc import ABC, abstractmethod


class Shape(ABC):
    """A shape at a place. Sizes are positive; ValueError otherwise."""

    sides = 0

    def __init__(self, x=0, y=0, label=None):
        self.x = x
        self.y = y
        self.label = label or type(self).__name__.lower()

    @abstractmethod
    def area(self):
        """Area."""

    @abstractmethod
    def box(self):
        """(left, bottom, right, top)"""

    def moved(self, dx, dy):
        """The same shape elsewhere."""
        other = self.copy()
        other.x += dx
        other.y += dy
        return other

    @abstractmethod
    def copy(self):
        """An equal shape."""

    def distance(self, other):
        """Between the places of two shapes."""
        return math.hypot(self.x - other.x, self.y - other.y)

    def __lt__(self, other):
        return self.area() < other.area()

    def __repr__(self):
        return f"<{self.label} at {self.x}, {self.y}>"


def positive(value, name):
    """The value, when it is positive."""
    if value <= 0:
        raise ValueError(f"{name} must be positive, not {value}")
    return value
