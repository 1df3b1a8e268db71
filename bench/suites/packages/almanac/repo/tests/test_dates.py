from datetime import date

import pytest

from almanac.dates import add_months, between, days_in, easter, month_day, nth_weekday, week_start


@pytest.mark.parametrize(
    ("day", "months", "expected"),
    [
        ("2024-01-15", 1, "2024-02-15"),
        ("2024-01-31", 1, "2024-02-29"),
        ("2023-01-31", 1, "2023-02-28"),
        ("2024-11-30", 1, "2024-12-30"),
        ("2024-12-31", 2, "2025-02-28"),
        ("2024-03-31", -1, "2024-02-29"),
        ("2024-01-10", -1, "2023-12-10"),
        ("2024-02-29", 12, "2025-02-28"),
        ("2024-05-05", 0, "2024-05-05"),
    ],
)
def test_add_months(day, months, expected):
    assert add_months(date.fromisoformat(day), months) == date.fromisoformat(expected)


@pytest.mark.parametrize(("first", "expected"), [(0, "2024-03-11"), (6, "2024-03-10"), (2, "2024-03-13"), (3, "2024-03-07")])
def test_week_start(first, expected):
    assert week_start(date(2024, 3, 13), first) == date.fromisoformat(expected)


@pytest.mark.parametrize(
    ("weekday", "nth", "expected"),
    [(4, 1, 1), (0, 1, 4), (4, 5, 29), (0, 5, None), (4, -1, 29), (6, -1, 31), (0, -4, 4), (0, -5, None), (4, -5, 1)],
)
def test_nth_weekday(weekday, nth, expected):
    found = nth_weekday(2024, 3, weekday, nth)
    assert (found and found.day) == expected


@pytest.mark.parametrize(("month", "number", "expected"), [(2, 29, 29), (2, 30, None), (2, -1, 29), (4, -30, 1), (4, -31, None)])
def test_month_day(month, number, expected):
    found = month_day(2024, month, number)
    assert (found and found.day) == expected


@pytest.mark.parametrize("day", ["2000-04-23", "2008-03-23", "2011-04-24", "2016-03-27", "2023-04-09", "2024-03-31", "2038-04-25"])
def test_easter(day):
    assert easter(int(day[:4])) == date.fromisoformat(day)


def test_days():
    assert (days_in(2024, 2), days_in(2023, 2), days_in(2024, 12)) == (29, 28, 31)
    assert [day.day for day in between(date(2024, 2, 28), date(2024, 3, 1))] == [28, 29, 1]
    assert list(between(date(2024, 2, 2), date(2024, 2, 1))) == []
