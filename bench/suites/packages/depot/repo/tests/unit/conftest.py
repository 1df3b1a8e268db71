import pytest

from depot.lots import Lot, Shelf


@pytest.fixture
def shelf(day):
    return Shelf(
        [
            Lot("never", "x", 3, 1),
            Lot("late", "x", 5, 2, day(9)),
            Lot("soon", "y", 2, 3, day(1)),
            Lot("same", "x", 4, 4, day(1)),
            Lot("gone", "x", 6, 5, day(-1)),
        ]
    )
