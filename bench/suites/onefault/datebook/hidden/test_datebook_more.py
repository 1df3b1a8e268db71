from datetime import date

import pytest

from datebook import add_months, age, days_between, due_date, is_working_day, parse_day, quarter, week_of


def test_add_months():
    assert add_months(date(2024, 12, 31), 2) == date(2025, 2, 28)
    assert add_months(date(2024, 3, 31), -1) == date(2024, 2, 29)
    assert add_months(date(2024, 1, 1), -1) == date(2023, 12, 1)
    assert add_months(date(2024, 5, 31), 25) == date(2026, 6, 30)
    assert add_months(date(2024, 5, 7), 0) == date(2024, 5, 7)
    assert [add_months(date(2023, 12, 30), n).month for n in range(13)] == [12, *range(1, 13)]


def test_quarter():
    assert [quarter(date(2023, month, 28)) for month in (3, 4, 6, 7, 9, 10, 12)] == [1, 2, 2, 3, 3, 4, 4]


def test_working_days():
    week = [is_working_day(date(2024, 6, day)) for day in range(3, 10)]
    assert week == [True] * 5 + [False] * 2
    for month, day in ((1, 1), (5, 1), (12, 25), (12, 26)):
        assert not is_working_day(date(2025, month, day))
    assert is_working_day(date(2024, 1, 26))
    assert is_working_day(date(2024, 12, 24))


def test_due_date():
    assert due_date(date(2024, 6, 7), 1) == date(2024, 6, 10)
    assert due_date(date(2024, 12, 24), 2) == date(2024, 12, 30)
    assert due_date(date(2024, 6, 3), 5) == date(2024, 6, 10)


def test_age():
    assert age(date(2004, 2, 29), date(2005, 2, 28)) == 0
    assert age(date(2004, 2, 29), date(2005, 3, 1)) == 1
    assert age(date(1990, 12, 1), date(2020, 1, 31)) == 29
    assert age(date(1990, 1, 31), date(2020, 12, 1)) == 30


def test_days_between():
    assert days_between(date(2024, 1, 2), date(2024, 1, 1)) == []
    assert days_between(date(2024, 1, 2), date(2024, 1, 2)) == [date(2024, 1, 2)]
    assert len(days_between(date(2024, 1, 1), date(2024, 12, 31))) == 366


def test_week_of():
    assert week_of(date(2024, 6, 3)) == (date(2024, 6, 3), date(2024, 6, 9))
    assert week_of(date(2024, 6, 9)) == (date(2024, 6, 3), date(2024, 6, 9))
    assert week_of(date(2024, 6, 10))[0] == date(2024, 6, 10)


def test_parse_day():
    assert parse_day("1.2.2023") == date(2023, 2, 1)
    assert parse_day("2023-2-1") == date(2023, 2, 1)
    for text in ("", "1.2", "2023-1", "a.b.c"):
        with pytest.raises(ValueError):
            parse_day(text)
