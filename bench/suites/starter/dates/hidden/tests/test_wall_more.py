from datetime import date, timedelta

import pytest

from wall import age, is_leap, is_weekend, last_of_month, next_weekday, nights, quarter


def test_leap_years_of_four_centuries():
    for year in range(1600, 2001):
        has_29th = (date(year, 3, 1) - timedelta(days=1)).day == 29
        assert is_leap(year) is has_29th, year


def test_a_week():
    days = [date(2024, 4, 1) + timedelta(days=number) for number in range(14)]
    assert [is_weekend(day) for day in days] == ([False] * 5 + [True] * 2) * 2


@pytest.mark.parametrize("count", [1, 2, 30, 366])
def test_nights_of_any_length(count):
    assert nights(date(2024, 2, 1), date(2024, 2, 1) + timedelta(days=count)) == count


@pytest.mark.parametrize(
    ("born", "day", "years"),
    [
        (date(2000, 1, 1), date(2000, 1, 1), 0), (date(2000, 5, 20), date(2010, 5, 19), 9),
        (date(2000, 5, 20), date(2010, 5, 20), 10), (date(2000, 5, 20), date(2010, 6, 1), 10),
        (date(2000, 5, 20), date(2010, 4, 25), 9), (date(1999, 12, 31), date(2000, 1, 1), 0),
    ],
)
def test_ages(born, day, years):
    assert age(born, day) == years


def test_every_next_weekday():
    day = date(2024, 2, 27)
    for weekday in range(7):
        found = next_weekday(day, weekday)
        assert found.weekday() == weekday
        assert 1 <= (found - day).days <= 7


def test_months():
    assert [quarter(date(2021, month, 28)) for month in range(1, 13)] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    ends = [last_of_month(date(2023, month, 15)).day for month in range(1, 13)]
    assert ends == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
