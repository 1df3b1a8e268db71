from decimal import Decimal

import pytest

from berth.boats import Boat
from berth.booking import Booking
from berth.clock import Span
from berth.fees import Cashier


@pytest.fixture
def bill(harbour, clock, when):
    """bill(start, end, slot, ...) -> total."""

    def total(start, end, slot="B2", boat=None, kwh=0, extras=()):
        booking = Booking(boat or Boat("Otter", 6, 0.8), slot, Span(when(*start), when(*end)), power_kwh=kwh)
        return Cashier(clock, extras=extras).total(booking, harbour.berths[slot])

    return total


def test_two_nights_in_spring(bill):
    assert bill((5, 1), (5, 3)) == Decimal("48.00")


def test_high_season(bill):
    assert bill((7, 1), (7, 3)) == Decimal("72.00")


def test_season_begins_with_the_night_of_the_first_of_june(bill):
    assert bill((5, 31), (6, 2)) == Decimal("60.00")


def test_day_visit(bill):
    assert bill((5, 1, 9), (5, 1, 17)) == Decimal("12.00")


def test_day_visit_in_summer(bill):
    assert bill((8, 31, 9), (8, 31, 17)) == Decimal("18.00")


def test_season_ticket_is_not_for_electricity(bill):
    boat = Boat("Otter", 6, 0.8, season_ticket=True)
    assert bill((5, 1), (5, 3), slot="A1", boat=boat, kwh=10) == Decimal("42.90")


def test_rounded_at_the_very_end(bill):
    boat = Boat("Otter", 6, 0.8, season_ticket=True)
    extras = [lambda booking, berth: ("tax", Decimal("0.004"))] * 2
    assert bill((7, 1), (7, 2), slot="C3", boat=boat, extras=extras) == Decimal("22.21")


def test_extra_that_does_not_apply(bill):
    assert bill((5, 1), (5, 2), extras=[lambda booking, berth: None]) == Decimal("24.00")


def test_lines(harbour, clock, when):
    booking = Booking(Boat("Otter", 6, 0.8), "A1", Span(when(5, 30), when(6, 1)), power_kwh=3)
    assert Cashier(clock).lines(booking, harbour.berths["A1"]) == [
        ("night 2024-05-30", Decimal("24.00")), ("night 2024-05-31", Decimal("24.00")), ("3 kWh", Decimal("1.35")),
    ]
