from fractions import Fraction

import pytest

from stats.figures import mean, shares, variance


def test_mean():
    assert mean([1, 2, 6]) == pytest.approx(3.0)


def test_variance_of_whole_numbers():
    assert variance([2, 4, 4, 4, 5, 5, 7, 9]) == pytest.approx(4.571428, abs=1e-5)


def test_variance_of_fractions():
    assert Fraction(variance([Fraction(1, 2), Fraction(3, 2)])) == Fraction(1, 2)


def test_shares():
    assert shares([1, 3]) == [0.25, 0.75]
