from calc.core import add, double, largest


def test_adds_two_amounts():
    assert add(2, 3) == 5


def test_adds_larger_amounts():
    assert add(10, 7) == 17


def test_adds_a_negative_amount():
    assert add(-4, 9) == 5


def test_doubles():
    assert double(4) == 8


def test_finds_the_largest():
    assert largest([3, 9, 4]) == 9


def test_knows_no_largest_of_nothing():
    assert largest([]) is None
