from datetime import date, timedelta

import pytest

from almanac.calendar import Calendar
from almanac.errors import AlmanacError


@pytest.fixture
def calendar(series):
    return Calendar(
        [
            series("FREQ=DAILY;COUNT=5", title="stand-up", id="a"),
            series(hour=9, hours=4, title="workshop", id="b"),
            series(hour=10, hours=1, title="call", id="c"),
            series(hour=13, hours=1, title="lunch", id="d"),
            series(day=5, hour=22, hours=4, title="night", id="e"),
        ]
    )


def titles(found):
    return [one.title for one in found]


def spans(slots):
    return [f"{slot.start:%H:%M}-{slot.end:%H:%M}" for slot in slots]


def test_series_by_id(calendar, series):
    assert len(calendar) == 5
    assert calendar["b"].title == "workshop"
    calendar.remove("b")
    with pytest.raises(AlmanacError, match="no series 'b'"):
        calendar.remove("b")
    with pytest.raises(AlmanacError, match="series 'a' already"):
        calendar.add(series(id="a"))


def test_occurrences(calendar, at):
    assert titles(calendar.occurrences(at(3, 4), at(3, 5))) == ["stand-up", "workshop", "call", "lunch"]


def test_agenda(calendar, zone):
    shown = calendar.agenda(date(2024, 3, 5), 6, zone)
    assert [day.day for day in shown] == [5, 6, 7, 8]
    assert titles(shown[date(2024, 3, 5)]) == ["stand-up", "night"]
    assert titles(shown[date(2024, 3, 6)]) == ["night", "stand-up"]


def test_collisions(calendar, at):
    pairs = calendar.collisions(at(3, 4), at(3, 5))
    assert [(one.title, other.title) for one, other in pairs] == [("stand-up", "workshop"), ("workshop", "call")]


class TestBusy:
    def test_merged(self, calendar, at):
        assert spans(calendar.busy(at(3, 4), at(3, 5))) == ["09:00-14:00"]

    def test_short_one_inside_a_long_one(self, calendar, at):
        calendar.remove("d")
        assert spans(calendar.busy(at(3, 4), at(3, 5))) == ["09:00-13:00"]

    def test_cut_to_the_interval(self, calendar, at):
        assert spans(calendar.busy(at(3, 4, 11), at(3, 4, 12))) == ["11:00-12:00"]
        assert spans(calendar.busy(at(3, 5, 12), at(3, 6, 0))) == ["22:00-00:00"]

    def test_nothing(self, calendar, at):
        assert calendar.busy(at(3, 20), at(3, 21)) == []


class TestFree:
    def test_between(self, calendar, at):
        assert spans(calendar.free(at(3, 4, 8), at(3, 4, 18))) == ["08:00-09:00", "14:00-18:00"]

    def test_long_enough(self, calendar, at):
        assert spans(calendar.free(at(3, 4, 8), at(3, 4, 18), timedelta(hours=1))) == ["08:00-09:00", "14:00-18:00"]
        assert spans(calendar.free(at(3, 4, 8), at(3, 4, 18), timedelta(minutes=61))) == ["14:00-18:00"]

    def test_whole_interval(self, calendar, at):
        assert spans(calendar.free(at(3, 20, 1), at(3, 20, 2))) == ["01:00-02:00"]

    def test_none(self, calendar, at):
        assert calendar.free(at(3, 4, 10), at(3, 4, 12)) == []
