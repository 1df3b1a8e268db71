import pytest

from grades import best_student, letter, passed, term_mark


def test_just_enough_is_enough():
    assert passed(50)


def test_far_above_and_far_below():
    assert passed(88)
    assert not passed(20)


@pytest.mark.parametrize(("points", "expected"), [(95, "A"), (90, "A"), (72, "C"), (50, "D"), (12, "F")])
def test_letters(points, expected):
    assert letter(points) == expected


def test_worst_test_does_not_count():
    assert term_mark([40, 80, 90]) == 85


def test_a_single_test():
    assert term_mark([77]) == 77


def test_order_of_tests_does_not_matter():
    assert term_mark([80, 90, 40]) == term_mark([40, 80, 90])


def test_best_student():
    assert best_student({"Ida": 71, "Noor": 93, "Tom": 90}) == "Noor"
