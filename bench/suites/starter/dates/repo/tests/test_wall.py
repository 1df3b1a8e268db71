from datetime import date

import pytest

from wall import age, is_leap, is_weekend, last_of_month, next_weekday, nights, quarter


@pytest.mark.parametrize(("year", "leap"), [(2024, True), (2023, False), (2000, True), (1900, False)])
def test_leap_years(year, leap):
    assert is_leap(year) is leap


def test_saturday_belongs_to_the_weekend():
    assert is_weekend(date(2024, 6, 8))


def test_monday_does_not():
    assert not is_weekend(date(2024, 6, 10))


def test_nights_over_new_year():
    assert nights(date(2023, 12, 30), date(2024, 1, 2)) == 3


def test_same_day():
    assert nights(date(2024, 1, 2), date(2024, 1, 2)) == 0


def test_the_wrong_way_round():
    with pytest.raises(ValueError, match="before arrival"):
        nights(date(2024, 1, 2), date(2024, 1, 1))


def test_age_the_day_before():
    assert age(date(1990, 9, 15), date(2024, 9, 14)) == 33


def test_age_on_the_birthday():
    assert age(date(1990, 9, 15), date(2024, 9, 15)) == 34


def test_next_monday():
    assert next_weekday(date(2024, 6, 8), 0) == date(2024, 6, 10)


def test_next_saturday_is_not_today():
    assert next_weekday(date(2024, 6, 8), 5) == date(2024, 6, 15)


@pytest.mark.parametrize(("month", "expected"), [(1, 1), (3, 1), (4, 2), (12, 4)])
def test_quarters(month, expected):
    assert quarter(date(2024, month, 5)) == expected


def test_last_of_february():
    assert last_of_month(date(2024, 2, 3)) == date(2024, 2, 29)


def test_last_of_the_year():
    assert last_of_month(date(2024, 12, 1)) == date(2024, 12, 31)
