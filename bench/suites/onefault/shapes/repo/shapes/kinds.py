"""Rectangles, squares and circles."""

import math

from shapes.base import Shape, positive


class Rectangle(Shape):
    """Its place is the lower left corner."""

    sides = 4

    def __init__(self, width, height, x=0, y=0, label=None):
        super().__init__(x, y, label)
        self._width = positive(width, "width")
        self._height = positive(height, "height")

    @property
    def width(self):
        return self._width

    @width.setter
    def width(self, value):
        self._width = positive(value, "width")

    @property
    def height(self):
        return self._height

    def area(self):
        return self.width * self.height

    def box(self):
        return self.x, self.y, self.x + self.width, self.y + self.height

    def copy(self):
        return Rectangle(self.width, self.height, self.x, self.y, self.label)


class Square(Rectangle):
    """All sides stay equal."""

    def __init__(self, side, x=0, y=0, label=None):
        super().__init__(side, side, x, y, label)

    @Rectangle.width.setter
    def width(self, value):
        self._width = self._height = positive(value, "width")

    def copy(self):
        return Square(self.width, self.x, self.y, self.label)


class Circle(Shape):
    """Its place is the centre."""

    def __init__(self, radius, x=0, y=0, label=None):
        super().__init__(x, y, label)
        self.radius = positive(radius, "radius")

    def area(self):
        return math.pi * self.radius**2

    def box(self):
        return self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius

    def copy(self):
        return Circle(self.radius, self.x, self.y, self.label)
