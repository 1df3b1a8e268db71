"""Rules: which days come again."""

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Optional

from almanac.dates import WEEKDAYS, add_months, month_day, nth_weekday, week_start
from almanac.errors import RuleError

DAILY, WEEKLY, MONTHLY, YEARLY = FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")

# A rule that finds nothing for so many periods finds nothing at all: leap days are eight years apart at most.
_BARREN = 500


@dataclass(frozen=True)
class WeekdayOf:
    """A weekday, or with `nth` one of a month (-1: the last)."""

    weekday: int
    nth: int = 0

    def __str__(self):
        return f"{self.nth or ''}{WEEKDAYS[self.weekday]}"

    @classmethod
    def read(cls, text):
        nth, name = text[:-2], text[-2:].upper()
        try:
            return cls(WEEKDAYS.index(name), int(nth) if nth else 0)
        except ValueError:
            raise RuleError(f"not a weekday: {text!r}") from None


@dataclass(frozen=True)
class Rule:
    """Every `interval` days, weeks, months or years.

    by_day      only these weekdays; with a number only in months and years
    by_month_day    only these days of the month; negative ones count from its end
    by_month    only these months
    positions   of what a period gives only these, from 1, or from the end with -1
    week_start  where weeks begin: matters with an interval of weeks
    """

    frequency: str
    interval: int = 1
    count: Optional[int] = None
    until: Optional[date] = None
    by_day: tuple = ()
    by_month_day: tuple = ()
    by_month: tuple = ()
    positions: tuple = ()
    week_start: int = 0

    def __post_init__(self):
        if self.frequency not in FREQUENCIES:
            raise RuleError(f"unknown frequency {self.frequency!r}")
        if self.interval < 1:
            raise RuleError("the interval must be 1 or more")
        if self.count is not None and self.until is not None:
            raise RuleError("count and until exclude each other")
        if self.count is not None and self.count < 1:
            raise RuleError("the count must be 1 or more")
        if self.frequency in (DAILY, WEEKLY) and any(day.nth for day in self.by_day):
            raise RuleError("numbered weekdays need months or years")
        if any(not 1 <= month <= 12 for month in self.by_month):
            raise RuleError("months go from 1 to 12")
        if any(not 1 <= abs(day) <= 31 for day in self.by_month_day):
            raise RuleError("days of the month go from 1 to 31, or from -31 to -1")
        if 0 in self.positions:
            raise RuleError("positions begin at 1 or -1")

    def days(self, start):
        """The days from `start` on, in order. Without a limit there is no end of them."""
        given = 0
        for day in self._all(start):
            if self.until is not None and day > self.until:
                return
            yield day
            given += 1
            if given == self.count:
                return

    def first(self, start, count):
        return list(islice(self.days(start), count))

    def within(self, start, first, last):
        """The days of the rule from the first to the last, both included."""
        found = []
        for day in self.days(start):
            if day > last:
                break
            if day >= first:
                found.append(day)
        return found

    def _all(self, start):
        barren = 0
        for period in self._periods(start):
            found = [day for day in self._in(period, start) if day >= start]
            barren = 0 if found else barren + 1
            if barren > _BARREN:
                return
            yield from found

    def _periods(self, start):
        """The first day of each period that the interval leaves."""
        number = 0
        while True:
            step = number * self.interval
            try:
                if self.frequency == DAILY:
                    yield start + timedelta(days=step)
                elif self.frequency == WEEKLY:
                    yield week_start(start, self.week_start) + timedelta(weeks=step)
                elif self.frequency == MONTHLY:
                    yield add_months(start.replace(day=1), step)
                else:
                    yield date(start.year + step, 1, 1)
            except (OverflowError, ValueError):
                return
            number += 1

    def _in(self, period, start):
        """The days that one period gives, in order."""
        makers = {DAILY: self._of_day, WEEKLY: self._of_week, MONTHLY: self._of_month, YEARLY: self._of_year}
        days = sorted(set(makers[self.frequency](period, start)))
        if not self.positions:
            return days
        chosen = {days[at - 1 if at > 0 else at] for at in self.positions if abs(at) <= len(days)}
        return sorted(chosen)

    def _of_day(self, period, start):
        return [period] if self._allowed(period) else []

    def _of_week(self, period, start):
        weekdays = {day.weekday for day in self.by_day} or {start.weekday()}
        days = (period + timedelta(days=offset) for offset in range(7))
        return [day for day in days if day.weekday() in weekdays and self._month_allowed(day)]

    def _of_month(self, period, start):
        if not self._month_allowed(period):
            return []
        return self._month(period.year, period.month, start)

    def _of_year(self, period, start):
        months = self.by_month
        if not months:
            months = range(1, 13) if self.by_day or self.by_month_day else (start.month,)
        return [day for month in months for day in self._month(period.year, month, start)]

    def _month(self, year, month, start):
        """Days of one month: by number, by weekday, where both are given by both; else the day of the start."""
        if not self.by_day and not self.by_month_day:
            day = month_day(year, month, start.day)
            return [] if day is None else [day]
        numbered = {month_day(year, month, number) for number in self.by_month_day} - {None}
        named = {day for each in self.by_day for day in self._weekdays(year, month, each)}
        if self.by_day and self.by_month_day:
            return numbered & named
        return numbered | named

    @staticmethod
    def _weekdays(year, month, each):
        numbers = (each.nth,) if each.nth else range(1, 6)
        found = (nth_weekday(year, month, each.weekday, number) for number in numbers)
        return [day for day in found if day is not None]

    def _allowed(self, day):
        if self.by_day and day.weekday() not in {each.weekday for each in self.by_day}:
            return False
        if self.by_month_day and day not in {month_day(day.year, day.month, one) for one in self.by_month_day}:
            return False
        return self._month_allowed(day)

    def _month_allowed(self, day):
        return not self.by_month or day.month in self.by_month


def parse(text):
    """A rule from the text form of RFC 5545: `FREQ=MONTHLY;BYDAY=-1FR;COUNT=3`."""
    parts = {}
    for part in filter(None, text.strip().split(";")):
        name, separator, value = part.partition("=")
        name = name.strip().upper()
        if not separator:
            raise RuleError(f"no value in {part!r}")
        if name in parts:
            raise RuleError(f"{name} stands there twice")
        parts[name] = value.strip()
    if "FREQ" not in parts:
        raise RuleError("FREQ is missing")
    values = {}
    for name, value in parts.items():
        if name not in _READERS:
            raise RuleError(f"unknown part {name!r}")
        field_name, reader = _READERS[name]
        try:
            values[field_name] = reader(value)
        except RuleError:
            raise
        except ValueError:
            raise RuleError(f"cannot read {name}={value}") from None
    return Rule(**values)


def render(rule):
    """The text form; parts that say nothing new are left out."""
    parts = [f"FREQ={rule.frequency}"]
    if rule.interval != 1:
        parts.append(f"INTERVAL={rule.interval}")
    if rule.count is not None:
        parts.append(f"COUNT={rule.count}")
    if rule.until is not None:
        parts.append(f"UNTIL={rule.until:%Y%m%d}")
    for name, values in (
        ("BYMONTH", rule.by_month),
        ("BYMONTHDAY", rule.by_month_day),
        ("BYDAY", rule.by_day),
        ("BYSETPOS", rule.positions),
    ):
        if values:
            parts.append(f"{name}={','.join(str(value) for value in values)}")
    if rule.week_start:
        parts.append(f"WKST={WEEKDAYS[rule.week_start]}")
    return ";".join(parts)


def _numbers(text):
    return tuple(int(part) for part in text.split(","))


def _day(text):
    if len(text) < 8 or not text[:8].isdigit():
        raise ValueError(text)
    return date(int(text[:4]), int(text[4:6]), int(text[6:8]))


_READERS = {
    "FREQ": ("frequency", str.upper),
    "INTERVAL": ("interval", int),
    "COUNT": ("count", int),
    "UNTIL": ("until", _day),
    "BYDAY": ("by_day", lambda text: tuple(WeekdayOf.read(part.strip()) for part in text.split(","))),
    "BYMONTHDAY": ("by_month_day", _numbers),
    "BYMONTH": ("by_month", _numbers),
    "BYSETPOS": ("positions", _numbers),
    "WKST": ("week_start", lambda text: WeekdayOf.read(text).weekday),
}
