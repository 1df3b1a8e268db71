from datetime import date, datetime, timedelta, timezone

import pytest

from berth.clock import Span, aware
from berth.errors import NaiveMoment


def test_moment_without_zone_is_refused():
    with pytest.raises(NaiveMoment, match="has no zone"):
        aware(datetime(2024, 5, 1))


def test_moments_are_kept_in_utc(when):
    span = Span(when(7, 1, 14), when(7, 2, 10))
    assert span.start.tzinfo is timezone.utc
    assert span.start.hour == 12


def test_span_that_ends_where_it_begins(when):
    with pytest.raises(ValueError, match="ends after"):
        Span(when(7, 1), when(7, 1))


def test_next_boat_may_come_in_that_minute(when):
    first, second = Span(when(7, 1), when(7, 3)), Span(when(7, 3), when(7, 4))
    assert not first.overlaps(second)
    assert not second.overlaps(first)


def test_span_within_another(when):
    outer, inner = Span(when(7, 1), when(7, 9)), Span(when(7, 3), when(7, 4))
    assert outer.overlaps(inner)
    assert inner.overlaps(outer)


def test_departure_is_not_included(when):
    span = Span(when(7, 1), when(7, 3))
    assert when(7, 1) in span
    assert when(7, 3) not in span


def test_nights_are_midnights_in_the_harbour(clock, when):
    assert clock.nights(Span(when(7, 1, 23, 30), when(7, 3, 0, 15))) == [date(2024, 7, 1), date(2024, 7, 2)]


def test_evening_without_midnight(clock, when):
    assert clock.nights(Span(when(7, 1, 10), when(7, 1, 23, 59))) == []


@pytest.mark.parametrize(("month", "day", "hours"), [(3, 31, 23), (10, 27, 25), (6, 1, 24)])
def test_days_when_clocks_change(clock, month, day, hours):
    assert clock.day(date(2024, month, day)).length == timedelta(hours=hours)


def test_night_when_clocks_change_is_one_night(clock, when):
    assert clock.nights(Span(when(3, 30, 18), when(3, 31, 9))) == [date(2024, 3, 30)]
