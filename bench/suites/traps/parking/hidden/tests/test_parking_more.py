"""What the car park promises. It holds as it is, and it must hold after any repair."""

import pytest

from parking.receipt import receipt, stay
from parking.tariff import CENTS_A_DAY, euros, fee, lost_ticket


def test_fee_never_falls():
    fees = [fee(minutes) for minutes in range(0, 4000, 7)]
    assert fees == sorted(fees)


@pytest.mark.parametrize(
    ("minutes", "cents"),
    [(10, 0), (30, 0), (45, 250), (90, 500), (130, 750), (200, 1000), (241, 1250), (480, 2000), (2000, 4000), (4321, 6250)],
)
def test_fees(minutes, cents):
    assert fee(minutes) == cents


def test_whole_days():
    assert [fee(days * 1440) for days in range(1, 6)] == [2000, 4000, 6000, 8000, 10000]
    assert lost_ticket() == CENTS_A_DAY == 2000


@pytest.mark.parametrize(("minutes", "words"), [(1, "1 min"), (59, "59 min"), (61, "1 h 1 min"), (1500, "1 d 1 h")])
def test_words(minutes, words):
    assert stay(minutes) == words


def test_amounts():
    assert [euros(cents) for cents in (1, 99, 100, 101, 2000)] == [
        "0.01 EUR", "0.99 EUR", "1.00 EUR", "1.01 EUR", "20.00 EUR",
    ]


def test_receipt():
    assert receipt("k-a 7", 61) == ["Car K-A 7", "Stay 1 h 1 min", "Fee 5.00 EUR"]
    assert receipt("k-a 7", 130) == ["Car K-A 7", "Stay 2 h 10 min", "Fee 7.50 EUR"]


@pytest.mark.parametrize("minutes", [-1, -60])
def test_nobody_leaves_first(minutes):
    with pytest.raises(ValueError, match="before"):
        fee(minutes)
