from datetime import date, datetime

import pytest

from ferryline.clock import Season, minutes, moment, shown, weekdays

WINTER = Season("winter", (11, 1), (3, 31))
SUMMER = Season("summer", (4, 1), (10, 31))


@pytest.mark.parametrize(("text", "count"), [("0:00", 0), ("7:05", 425), ("25:10", 1510), ("23:59", 1439)])
def test_minutes(text, count):
    assert minutes(text) == count


@pytest.mark.parametrize("text", ["7", "7:5", "7:60", "a:00", "123:00", "-1:00"])
def test_no_times(text):
    with pytest.raises(ValueError, match="is no time"):
        minutes(text)


def test_shown():
    assert [shown(count) for count in (0, 425, 1510, 1440)] == ["00:00", "07:05", "01:10", "00:00"]


def test_moment_after_midnight():
    assert moment(date(2024, 2, 28), 1510) == datetime(2024, 2, 29, 1, 10)


@pytest.mark.parametrize(("month", "day", "inside"), [(11, 1, True), (12, 31, True), (1, 1, True), (3, 31, True), (4, 1, False), (10, 31, False)])
def test_season_over_new_year(month, day, inside):
    assert (date(2024, month, day) in WINTER) is inside
    assert (date(2024, month, day) in SUMMER) is not inside


def test_leap_day():
    assert date(2024, 2, 29) in WINTER


@pytest.mark.parametrize(("text", "days"), [("mon", {0}), ("mon-fri", {0, 1, 2, 3, 4}), ("fri-mon", {4, 5, 6, 0}), ("tue,sat-sun", {1, 5, 6}), ("mon-sun", set(range(7)))])
def test_weekdays(text, days):
    assert weekdays(text) == days


def test_no_weekday():
    with pytest.raises(ValueError):
        weekdays("funday")
