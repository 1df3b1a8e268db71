"""What the draw promises."""

import pytest

from draw import pairs, rounds, seats, shuffled


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_all_are_drawn(count):
    clubs = [str(number) for number in range(count)]
    for _ in range(20):
        assert sorted(shuffled(clubs)) == sorted(clubs)


def test_order_changes():
    clubs = [str(number) for number in range(40)]
    assert len({tuple(shuffled(clubs)) for _ in range(5)}) > 1


@pytest.mark.parametrize(("count", "number"), [(2, 1), (6, 3), (7, 3), (16, 4), (17, 5), (33, 6), (100, 7)])
def test_rounds_of_a_cup(count, number):
    assert rounds(count) == number


def test_pairs_of_five_and_of_none():
    assert pairs(list("abcde")) == ([("a", "b"), ("c", "d")], "e")
    assert pairs([]) == ([], None)


def test_rows():
    assert seats(list("abcd"), 2) == [["a", "b"], ["c", "d"]]
    assert seats(list("ab"), 3) == [["a"], ["b"], []]
