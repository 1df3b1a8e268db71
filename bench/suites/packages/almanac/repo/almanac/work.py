"""Working days."""

from datetime import date, timedelta
from functools import lru_cache

from almanac.dates import easter, nth_weekday
from almanac.errors import AlmanacError


class Holiday:
    """A day of every year; with `since` and `until`, only of those years."""

    def __init__(self, name, since=None, until=None):
        self.name = name
        self.since = since
        self.until = until

    def day(self, year):
        """The day in a year, or None."""
        if self.since is not None and year < self.since:
            return None
        if self.until is not None and year > self.until:
            return None
        return self._day(year)

    def _day(self, year):
        raise NotImplementedError


class Fixed(Holiday):
    """The same date every year. With `observed`, one at a weekend is kept on the nearest working day."""

    def __init__(self, name, month, day, observed=False, **years):
        super().__init__(name, **years)
        self.month, self.number, self.observed = month, day, observed

    def _day(self, year):
        try:
            day = date(year, self.month, self.number)
        except ValueError:
            return None
        if self.observed and day.weekday() == 5:
            return day - timedelta(days=1)
        if self.observed and day.weekday() == 6:
            return day + timedelta(days=1)
        return day


class FromEaster(Holiday):
    """So many days from Easter Sunday."""

    def __init__(self, name, days, **years):
        super().__init__(name, **years)
        self.days = days

    def _day(self, year):
        return easter(year) + timedelta(days=self.days)


class Nth(Holiday):
    """The nth weekday of a month."""

    def __init__(self, name, month, weekday, nth, **years):
        super().__init__(name, **years)
        self.month, self.weekday, self.nth = month, weekday, nth

    def _day(self, year):
        return nth_weekday(year, self.month, self.weekday, self.nth)


class WorkCalendar:
    """Knows working days: neither at the weekend nor holidays."""

    def __init__(self, holidays=(), weekend=(5, 6)):
        if set(weekend) >= set(range(7)):
            raise AlmanacError("there must be a working day in the week")
        self.weekend = frozenset(weekend)
        self._holidays = list(holidays)
        self._of_year = lru_cache(maxsize=None)(self._find)

    def add(self, holiday):
        self._holidays.append(holiday)
        self._of_year.cache_clear()

    def holidays(self, year):
        """Day -> name, in order. An observed day may have come over from a neighbouring year."""
        return dict(self._of_year(year))

    def _find(self, year):
        found = {}
        for holiday in self._holidays:
            for around in (year - 1, year, year + 1):
                day = holiday.day(around)
                if day is not None and day.year == year:
                    found.setdefault(day, holiday.name)
        return tuple(sorted(found.items()))

    def is_working(self, day):
        return day.weekday() not in self.weekend and day not in self.holidays(day.year)

    def roll(self, day, backwards=False):
        """The day itself when it is a working day, else the next one, or the one before."""
        step = timedelta(days=-1 if backwards else 1)
        while not self.is_working(day):
            day += step
        return day

    def roll_in_month(self, day):
        """The next working day, unless that is in another month: then the one before."""
        rolled = self.roll(day)
        return rolled if rolled.month == day.month else self.roll(day, backwards=True)

    def add_days(self, day, count):
        """So many working days later, or earlier. Zero gives the next working day, if it is not one."""
        if count == 0:
            return self.roll(day)
        step = timedelta(days=1 if count > 0 else -1)
        left = abs(count)
        while left:
            day += step
            if self.is_working(day):
                left -= 1
        return day

    def count(self, first, last):
        """Working days from the first to the last, both included; negative when they stand the other way round."""
        if last < first:
            return -self.count(last, first)
        days = (last - first).days + 1
        return sum(self.is_working(first + timedelta(days=offset)) for offset in range(days))


GERMANY = (
    Fixed("Neujahr", 1, 1),
    FromEaster("Karfreitag", -2),
    FromEaster("Ostermontag", 1),
    Fixed("Tag der Arbeit", 5, 1),
    FromEaster("Christi Himmelfahrt", 39),
    FromEaster("Pfingstmontag", 50),
    Fixed("Tag der Deutschen Einheit", 10, 3, since=1990),
    Fixed("Erster Weihnachtstag", 12, 25),
    Fixed("Zweiter Weihnachtstag", 12, 26),
)

USA = (
    Fixed("New Year's Day", 1, 1, observed=True),
    Nth("Martin Luther King Day", 1, 0, 3, since=1986),
    Nth("Memorial Day", 5, 0, -1),
    Fixed("Juneteenth", 6, 19, observed=True, since=2021),
    Fixed("Independence Day", 7, 4, observed=True),
    Nth("Labor Day", 9, 0, 1),
    Nth("Thanksgiving", 11, 3, 4),
    Fixed("Christmas Day", 12, 25, observed=True),
)
