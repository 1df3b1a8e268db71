import math
import unittest

from shapes.drawing import Drawing
from shapes.kinds import Circle, Rectangle, Square


class KindsTest(unittest.TestCase):
    def test_areas(self):
        self.assertEqual(Rectangle(2, 3).area(), 6)
        self.assertEqual(Square(4).area(), 16)
        self.assertAlmostEqual(Circle(2).area(), 4 * math.pi)

    def test_boxes(self):
        self.assertEqual(Rectangle(2, 3, x=1, y=5).box(), (1, 5, 3, 8))
        self.assertEqual(Circle(2, x=1, y=5).box(), (-1, 3, 3, 7))

    def test_sizes_are_positive(self):
        for make in (lambda: Rectangle(0, 1), lambda: Rectangle(1, -1), lambda: Circle(0)):
            with self.assertRaises(ValueError):
                make()

    def test_label_is_the_kind_unless_given(self):
        self.assertEqual(Square(1).label, "square")
        self.assertEqual(repr(Circle(1, x=3, label="sun")), "<sun at 3, 0>")

    def test_square_stays_a_square(self):
        square = Square(2)
        square.width = 5
        self.assertEqual((square.width, square.height, square.area()), (5, 5, 25))
        with self.assertRaises(ValueError):
            square.width = 0

    def test_rectangle_changes_one_side(self):
        rectangle = Rectangle(2, 3)
        rectangle.width = 4
        self.assertEqual(rectangle.area(), 12)

    def test_moved_shape_is_another_one(self):
        square = Square(2, x=1, label="door")
        moved = square.moved(3, 4)
        self.assertEqual((moved.x, moved.y, moved.label), (4, 4, "door"))
        self.assertEqual((square.x, square.y), (1, 0))
        self.assertIsInstance(moved, Square)

    def test_distance(self):
        self.assertEqual(Square(1).distance(Circle(1, x=3, y=4)), 5)

    def test_sides(self):
        self.assertEqual((Rectangle(1, 1).sides, Square(1).sides, Circle(1).sides), (4, 4, 0))


class DrawingTest(unittest.TestCase):
    def setUp(self):
        self.drawing = Drawing([Rectangle(10, 2), Square(2, x=4)])

    def test_box(self):
        self.assertEqual(self.drawing.add(Circle(1, y=5)).box(), (-1, 0, 10, 6))
        self.assertIsNone(Drawing().box())

    def test_only_shapes(self):
        with self.assertRaises(TypeError):
            self.drawing.add("house")

    def test_topmost_shape(self):
        self.assertEqual(self.drawing.at(5, 1).label, "square")
        self.assertEqual(self.drawing.at(1, 1).label, "rectangle")
        self.assertIsNone(self.drawing.at(5, 3))

    def test_edges_belong_to_the_shape(self):
        self.assertEqual(self.drawing.at(4, 0).label, "square")
        self.assertEqual(self.drawing.at(10, 2).label, "rectangle")

    def test_biggest(self):
        circle = Circle(3)
        self.drawing.add(circle)
        self.assertEqual(self.drawing.biggest(), [circle])
        self.assertEqual([shape.label for shape in self.drawing.biggest(2)], ["circle", "rectangle"])

    def test_labels(self):
        self.drawing.add(Square(1))
        self.assertEqual(self.drawing.labels(), {"rectangle": 1, "square": 2})
