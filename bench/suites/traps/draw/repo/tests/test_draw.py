import pytest

from draw import pairs, rounds, seats, shuffled

CLUBS = [f"club {number}" for number in range(1, 31)]
DRAWN = shuffled(CLUBS)


@pytest.mark.parametrize("club", CLUBS)
def test_every_club_is_drawn(club):
    assert DRAWN.count(club) == 1


def test_nobody_is_added():
    assert set(DRAWN) <= set(CLUBS)


def test_pairs():
    assert pairs(["a", "b", "c", "d"]) == ([("a", "b"), ("c", "d")], None)


def test_bye():
    assert pairs(["a", "b", "c"]) == ([("a", "b")], "c")


@pytest.mark.parametrize(("count", "expected"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (64, 6)])
def test_rounds(count, expected):
    assert rounds(count) == expected


def test_cup_of_one():
    with pytest.raises(ValueError, match="two clubs"):
        rounds(1)


def test_seats():
    assert seats(["a", "b", "c", "d", "e"], 3) == [["a", "b"], ["c", "d"], ["e"]]
