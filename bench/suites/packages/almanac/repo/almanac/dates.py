"""Arithmetic with days."""

import calendar
from datetime import date, timedelta

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def days_in(year, month):
    return calendar.monthrange(year, month)[1]


def add_months(day, months):
    """The same day so many months later, or the last one where that month is shorter."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    month += 1
    return day.replace(year=year, month=month, day=min(day.day, days_in(year, month)))


def week_start(day, first=0):
    """The first day of the week that a day is in; `first` is its weekday (0 is Monday)."""
    return day - timedelta(days=(day.weekday() - first) % 7)


def nth_weekday(year, month, weekday, nth):
    """The nth such weekday of a month, from 1, or from the end with -1. None when there is none."""
    if nth > 0:
        first = date(year, month, 1)
        day = 1 + (weekday - first.weekday()) % 7 + 7 * (nth - 1)
    else:
        last = date(year, month, days_in(year, month))
        day = last.day - (last.weekday() - weekday) % 7 + 7 * (nth + 1)
    if 1 <= day <= days_in(year, month):
        return date(year, month, day)
    return None


def month_day(year, month, number):
    """Day `number` of a month, counted from the end when negative. None when there is none."""
    length = days_in(year, month)
    day = number if number > 0 else length + 1 + number
    return date(year, month, day) if 1 <= day <= length else None


def easter(year):
    """Easter Sunday of the Gregorian calendar."""
    golden = year % 19
    century, rest = divmod(year, 100)
    leaps, left = divmod(century, 4)
    correction = (8 * century + 13) // 25
    moon = (19 * golden + century - leaps - correction + 15) % 30
    quarter, remainder = divmod(rest, 4)
    sunday = (32 + 2 * left + 2 * quarter - moon - remainder) % 7
    shift = (golden + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


def between(first, last):
    """Every day from the first to the last, both included."""
    for offset in range((last - first).days + 1):
        yield first + timedelta(days=offset)
