"""Dates in an office: months, quarters, working days and ages."""

import calendar
from datetime import date, timedelta

HOLIDAYS = {(1, 1): "New Year", (5, 1): "Labour Day", (12, 25): "Christmas Day", (12, 26): "Boxing Day"}
SATURDAY = 5


def add_months(day, months):
    """The same day `months` later; the last day of the month where that month is too short."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    last = calendar.monthrange(year, month)[1]
    return date(year, month, min(day.day, last))


def quarter(day):
    """1 to 4."""
    return (day.month - 1) // 3 + 1


def is_working_day(day):
    """Neither a weekend nor a holiday: New Year, Labour Day, Christmas Day or Boxing Day."""
    return day.weekday() < SATURDAY and (day.month, day.day) not in HOLIDAYS


def due_date(start, working_days):
    """The day on which `working_days` working days after `start` have passed."""
    day = start
    while working_days > 0:
        day += timedelta(days=1)
        if is_working_day(day):
            working_days -= 1
    return day


def age(born, today):
    """Whole years from birth to today."""
    before_birthday = (today.month, today.day) < (born.month, born.day)
    return today.year - born.year - before_birthday


def days_between(first, last):
    """All days from `first` to `last`, both included; none when they are in the wrong order."""
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def week_of(day):
    """Monday and Sunday of the week in which the day lies."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


def parse_day(text):
    """Read "31.12.2024" or "2024-12-31"; ValueError for anything else."""
    if "-" in text:
        year, month, day = text.split("-")
    else:
        day, month, year = text.split(".")
    return date(int(year), int(month), int(day))
