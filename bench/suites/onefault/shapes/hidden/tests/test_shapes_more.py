import math

import pytest

from shapes.base import Shape
from shapes.drawing import Drawing
from shapes.kinds import Circle, Rectangle, Square


def test_rectangle():
    one = Rectangle(3, 4, -1, -2, "wall")
    assert (one.width, one.height, one.area(), one.box()) == (3, 4, 12, (-1, -2, 2, 2))
    assert one.label == "wall"
    one.width = 1
    assert one.box() == (-1, -2, 0, 2)
    for value in (0, -1):
        with pytest.raises(ValueError, match="width must be positive"):
            one.width = value
    assert one.width == 1
    with pytest.raises(ValueError, match="height must be positive"):
        Rectangle(1, 0)
    assert Rectangle(0.1, 0.1).label == "rectangle"


def test_square():
    one = Square(3, 1, 2)
    assert isinstance(one, Rectangle)
    one.width = 7
    assert one.box() == (1, 2, 8, 9)
    assert (one.label, one.sides) == ("square", 4)
    assert Square(1, label="tile").copy().label == "tile"


def test_circle():
    one = Circle(1.5, x=2, y=-1)
    assert one.area() == pytest.approx(2.25 * math.pi)
    assert one.box() == (0.5, -2.5, 3.5, 0.5)
    assert (one.label, one.sides) == ("circle", 0)


@pytest.mark.parametrize("shape", [Rectangle(1, 2, 3, 4, "a"), Square(2, 3, 4, "b"), Circle(2, 3, 4, "c")])
def test_moved(shape):
    moved = shape.moved(-1, 2)
    assert type(moved) is type(shape)
    assert (moved.x, moved.y, moved.label, moved.area()) == (2, 6, shape.label, shape.area())
    assert (shape.x, shape.y) == (3, 4)
    assert shape.distance(moved) == pytest.approx(math.sqrt(5))
    assert repr(moved) == f"<{shape.label} at 2, 6>"


def test_shape_is_abstract():
    with pytest.raises(TypeError):
        Shape()


def test_drawing():
    shapes = [Square(1), Circle(1), Square(2, label="big")]
    drawing = Drawing(shapes)
    assert drawing.add(Rectangle(9, 1, y=-4)) is drawing
    assert len(shapes) == 3
    assert drawing.box() == (-1, -4, 9, 2)
    assert [shape.label for shape in drawing.biggest(4)] == ["rectangle", "big", "circle", "square"]
    assert [shape.label for shape in drawing.biggest()] == ["rectangle"]
    assert Drawing().biggest() == []
    assert drawing.at(1, 1).label == "big"
    assert drawing.at(-1, 0).label == "circle"
    assert drawing.at(9, -3).label == "rectangle"
    assert drawing.at(2.1, 1) is None
    assert drawing.labels() == {"square": 1, "circle": 1, "big": 1, "rectangle": 1}
    for thing in (None, 1, Square):
        with pytest.raises(TypeError):
            drawing.add(thing)
