"""A drawing: shapes one above the other."""

from shapes.base import Shape


class Drawing:
    """Shapes from the lowest to the topmost."""

    def __init__(self, shapes=()):
        self.shapes = list(shapes)

    def add(self, shape):
        """Lay a shape on top; TypeError for anything else. Returns the drawing."""
        if not isinstance(shape, Shape):
            raise TypeError(f"{shape!r} is no shape")
        self.shapes.append(shape)
        return self

    def box(self):
        """The box around all shapes; None for an empty drawing."""
        if not self.shapes:
            return None
        lefts, bottoms, rights, tops = zip(*(shape.box() for shape in self.shapes))
        return min(lefts), min(bottoms), max(rights), max(tops)

    def at(self, x, y):
        """The topmost shape whose box holds the point, edges included; None where there is none."""
        for shape in reversed(self.shapes):
            left, bottom, right, top = shape.box()
            if left <= x <= right and bottom <= y <= top:
                return shape
        return None

    def biggest(self, count=1):
        """The biggest shapes, the biggest first."""
        return sorted(self.shapes, reverse=True)[:count]

    def labels(self):
        """Label -> how many shapes have it."""
        found = {}
        for shape in self.shapes:
            found.setdefault(shape.label, []).append(shape)
        return {label: len(shapes) for label, shapes in found.items()}
