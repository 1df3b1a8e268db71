import pytest

from cells.cell import left, number, sums
from cells.lock import Refused, holder


@pytest.mark.parametrize(("text", "value"), [("12", 12), ("7", 7), ("305", 305)])
def test_number(text, value):
    assert number(text) == value


def test_sums():
    assert sums([("tea", "3"), ("jam", "4"), ("tea", "5")]) == {"tea": 8, "jam": 4}


def test_groups():
    assert sums([("tea", "1 000"), ("jam", "4"), ("jam", "8")])["jam"] == 12


@pytest.mark.parametrize(("text", "value"), [("5", 5), ("8-3", 5), ("9-2-3", 4), ("60-15-20", 25)])
def test_left(text, value):
    assert left(text) == value


def test_holder():
    assert holder("ann:oak", "oak") == "ann"


def test_other_word():
    with pytest.raises(Refused):
        holder("ann:elm", "oak")


def test_name_with_a_blank():
    assert holder("bob lee:oak", "oak") == "bob lee"
