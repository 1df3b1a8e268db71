from datetime import date, datetime

import pytest

from ferryline.search import find
from ferryline.timetable import parse

MONDAY, SATURDAY = date(2024, 5, 6), date(2024, 5, 11)


def told(journey):
    return [(leg.sailing.line, leg.origin, leg.target, leg.leaves, leg.arrives) for leg in journey.legs]


def test_direct(table):
    journey = find(table, "Kai", "Holm", MONDAY, 430)
    assert told(journey) == [("North", "Kai", "Holm", 540, 610)]
    assert (journey.leaves, journey.changes) == (datetime(2024, 5, 6, 9, 0), 0)


def test_boat_that_leaves_this_minute(table):
    assert find(table, "Kai", "Holm", MONDAY, 540).legs[0].leaves == 540


def test_cancelled_boat_is_not_taken(table):
    assert find(table, "Kai", "Holm", MONDAY, 600).legs[0].leaves == 735


def test_first_arrival_counts(table):
    assert told(find(table, "Kai", "Sand", MONDAY, 0)) == [("Ring", "Kai", "Sand", 430, 480)]


def test_change_in_a_large_harbour(table):
    journey = find(table, "Kai", "Sand", SATURDAY, 440)
    assert told(journey) == [("North", "Kai", "Ey", 480, 510), ("Night", "Ey", "Sand", 540, 580)]
    table.changes["Ey"] = 31
    assert told(find(table, "Kai", "Sand", SATURDAY, 440)) == [("Ring", "Kai", "Sand", 790, 840)]


def test_change():
    text = "change M {}\nline A\nstop X +0\nstop M +30\nruns mon-sun 8:00\nline B\nstop M +0\nstop Z +10\nruns mon-sun 8:30 8:40 9:00\n"
    for minutes_, leaves in ((0, 510), (10, 520), (11, 540)):
        assert find(parse(text.format(minutes_)), "X", "Z", MONDAY).legs[1].leaves == leaves


def test_who_stays_on_board_does_not_change():
    text = "line A\nstop X +0\nstop M +30\nstop Z +31\nruns mon-sun 8:00\n"
    assert find(parse(text), "X", "Z", MONDAY).arrives == datetime(2024, 5, 6, 8, 31)


def test_later_departure_is_better():
    text = (
        "change M 0\nline A\nstop X +0\nstop M +10\nruns mon-sun 8:00 8:20\n"
        "line B\nstop M +0\nstop Z +10\nruns mon-sun 8:30\n"
    )
    assert find(parse(text), "X", "Z", MONDAY).legs[0].leaves == 500


def test_fewer_changes_are_better():
    text = (
        "change M 0\nline A\nstop X +0\nstop M +10\nruns mon-sun 8:00\nline B\nstop M +0\nstop Z +10\nruns mon-sun 8:10\n"
        "line C\nstop X +0\nstop Z +20\nruns mon-sun 8:00\n"
    )
    assert [leg.sailing.line for leg in find(parse(text), "X", "Z", MONDAY).legs] == ["C"]


def test_boat_of_the_day_before(table):
    journey = find(table, "Holm", "Sand", SATURDAY, 30)
    assert told(journey) == [("Night", "Holm", "Sand", 50, 110)]
    assert journey.leaves == datetime(2024, 5, 11, 0, 50)


def test_on_into_the_next_day(table):
    journey = find(table, "Kai", "Sand", date(2024, 5, 12), 1300)
    assert journey.arrives.date() == date(2024, 5, 13)


def test_nothing_goes_there(table):
    assert find(parse("line A\nstop X +0\nstop Y +9\nruns mon 8:00\n"), "Y", "X", MONDAY) is None


def test_no_need_to_travel(table):
    with pytest.raises(ValueError, match="no need"):
        find(table, "Kai", "Kai", MONDAY)
