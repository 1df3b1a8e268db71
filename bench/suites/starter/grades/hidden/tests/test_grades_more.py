import pytest

from grades import best_student, letter, passed, term_mark


@pytest.mark.parametrize(("points", "enough"), [(0, False), (49, False), (49.5, False), (50, True), (51, True), (100, True)])
def test_pass_mark(points, enough):
    assert passed(points) is enough


@pytest.mark.parametrize(
    ("points", "expected"),
    [(100, "A"), (89, "B"), (80, "B"), (79, "C"), (65, "C"), (64, "D"), (49, "F"), (0, "F"), (89.5, "B")],
)
def test_every_border(points, expected):
    assert letter(points) == expected


@pytest.mark.parametrize(
    ("points", "mark"), [([1, 2], 2), ([60, 60, 60], 60), ([10, 20, 30, 40], 30), ([0, 100], 100), ([55, 45, 100, 0], 200 / 3)]
)
def test_term_marks(points, mark):
    assert term_mark(points) == pytest.approx(mark)


def test_points_are_left_as_they_were():
    points = [70, 50, 90]
    term_mark(points)
    assert points == [70, 50, 90]


def test_best_of_one_and_of_equals():
    assert best_student({"Ida": 0}) == "Ida"
    assert best_student({"Ida": 80, "Noor": 80}) == "Ida"
    assert best_student({"Ida": 30, "Noor": 20, "Tom": 90, "Uma": 89}) == "Tom"
