"""Small questions that one asks a calendar on the wall."""

from datetime import date, timedelta


def is_leap(year):
    """Whether the year has a 29th of February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def is_weekend(day):
    """Whether the day is a Saturday or a Sunday."""
    return day.weekday() >= 5


def nights(arrival, departure):
    """Return the number of nights between two days. Raises ValueError when they are the wrong way round."""
    if departure < arrival:
        raise ValueError("departure before arrival")
    return (departure - arrival).days


def age(born, day):
    """Return how many birthdays somebody has had on that day; a birthday counts from its morning on."""
    years = day.year - born.year
    if (day.month, day.day) < (born.month, born.day):
        years -= 1
    return years


def next_weekday(day, weekday):
    """Return the first day after this one that has the weekday, 0 for Monday."""
    found = day + timedelta(days=1)
    while found.weekday() != weekday:
        found += timedelta(days=1)
    return found


def quarter(day):
    """Return the quarter of the year, 1 to 4."""
    return (day.month - 1) // 3 + 1


def last_of_month(day):
    """Return the last day of the month."""
    if day.month == 12:
        return date(day.year, 12, 31)
    return date(day.year, day.month + 1, 1) - timedelta(days=1)
