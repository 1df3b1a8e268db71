from datetime import date

import pytest

from ferryline.board import departures
from ferryline.fares import Fares, halved
from ferryline.search import find

MONDAY, SATURDAY = date(2024, 5, 6), date(2024, 5, 11)


@pytest.fixture
def fares():
    return Fares({"Kai": 1, "Ey": 2, "Holm": 3, "Sand": 1})


@pytest.fixture
def ride(table):
    return lambda origin, target, after=0, day=MONDAY: find(table, origin, target, day, after)


@pytest.mark.parametrize(("cents", "half"), [(250, 130), (400, 200), (610, 310), (1200, 600), (0, 0), (20, 10), (30, 20)])
def test_half(cents, half):
    assert halved(cents) == half


def test_borders_between_zones(fares, ride):
    assert fares.crossed(ride("Kai", "Holm")) == 2
    assert fares.full(ride("Kai", "Holm")) == 520
    assert fares.full(ride("Kai", "Sand")) == 250


def test_children(fares, ride):
    assert fares.full(ride("Kai", "Sand"), child=True) == 130


def test_most_that_is_asked_for(ride):
    fares = Fares({"Kai": 1, "Ey": 2, "Holm": 1}, by_zones=(100, 200))
    assert fares.full(ride("Kai", "Holm")) == 200


def test_cap(fares, ride):
    journey = ride("Kai", "Holm")
    assert [fares.pay("ann", journey) for _ in range(4)] == [520, 520, 160, 0]
    assert fares.pay("bob", journey) == 520


def test_cap_of_a_child(fares, ride):
    journey = ride("Kai", "Holm")
    assert [fares.pay("kim", journey, child=True) for _ in range(3)] == [260, 260, 80]


def test_journey_over_midnight_belongs_to_its_first_day(fares, ride):
    late = ride("Kai", "Holm", after=1400, day=SATURDAY)
    assert late.arrives.date() > late.leaves.date()
    assert [fares.pay("ann", late) for _ in range(3)] == [520, 520, 160]
    assert fares.pay("ann", ride("Kai", "Holm", day=SATURDAY)) == 0


def test_next_day_begins_anew(fares, ride):
    for day in (MONDAY, date(2024, 5, 7)):
        assert fares.pay("ann", ride("Kai", "Holm", day=day)) == 520


class TestBoard:
    def test_by_time(self, table):
        assert [str(one) for one in departures(table, "Kai", MONDAY, limit=3)] == ["07:00  North  Holm", "07:10  Ring   Kai", "09:00  North  Holm"]

    def test_cancelled_ones_are_shown(self, table):
        shown = [str(one) for one in departures(table, "Kai", MONDAY, after=600, limit=2)]
        assert shown == ["11:00  North  Holm  cancelled", "12:15  North  Holm"]

    def test_boats_of_the_day_before_come_first(self, table):
        assert [str(one) for one in departures(table, "Holm", SATURDAY, limit=2)] == ["00:50  Night  Sand", "08:40  Night  Sand"]

    def test_boats_after_midnight_are_not_shown_the_evening_before(self, table):
        assert [one.at for one in departures(table, "Holm", date(2024, 5, 10), after=600)] == []

    def test_last_stop_is_no_departure(self, table):
        assert departures(table, "Holm", date(2024, 5, 7))[0].line == "Night"
        assert [one.line for one in departures(table, "Sand", MONDAY)] == ["Ring", "Ring"]
