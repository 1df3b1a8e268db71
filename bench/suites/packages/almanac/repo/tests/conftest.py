from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from almanac.rule import parse
from almanac.series import Series

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def zone():
    return BERLIN


@pytest.fixture
def at():
    """A moment in Berlin, in 2024."""

    def moment(month, day, hour=0, minute=0):
        return datetime(2024, month, day, hour, minute, tzinfo=BERLIN)

    return moment


@pytest.fixture
def series(at):
    """Factory: an event at 9 o'clock of an hour."""

    def make(rule=None, month=3, day=4, hour=9, hours=1, id="s", title="stand-up"):
        return Series(id, title, at(month, day, hour), timedelta(hours=hours), parse(rule) if rule else None)

    return make


@pytest.fixture
def days():
    """The first days of a rule, as text."""

    def first(rule, start, count=5):
        return [f"{day:%m-%d}" for day in parse(rule).first(date.fromisoformat(start), count)]

    return first
