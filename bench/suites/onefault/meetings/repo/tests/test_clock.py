from datetime import datetime, timezone

import pytest

from meetings import clock


def utc(*parts):
    return datetime(*parts, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("2024-05-01T10:30+02:00", utc(2024, 5, 1, 8, 30)),
        (" 2024-05-01T10:30Z\n", utc(2024, 5, 1, 10, 30)),
        ("2024-05-01T23:30-05:00", utc(2024, 5, 2, 4, 30)),
        ("2024-05-01T10:30", utc(2024, 5, 1, 10, 30)),
    ],
)
def test_parse(text, expected):
    assert clock.parse(text) == expected
    assert clock.parse(text).utcoffset().total_seconds() == 0


def test_default_zone():
    assert clock.parse("2024-05-01T10:30", default=clock.zone(2)) == utc(2024, 5, 1, 8, 30)


def test_show():
    moment = utc(2024, 12, 31, 22, 5)
    assert clock.show(moment) == "31.12.2024 22:05"
    assert clock.show(moment, clock.zone(3)) == "01.01.2025 01:05"


def test_from_seconds():
    assert clock.from_seconds(86400) == utc(1970, 1, 2)
    assert clock.from_seconds(0).tzinfo is timezone.utc


def test_same_day_depends_on_the_zone():
    late, early = utc(2024, 5, 1, 23), utc(2024, 5, 2, 1)
    assert not clock.same_day(late, early)
    assert clock.same_day(late, early, clock.zone(2))
    assert clock.same_day(utc(2024, 5, 1, 12), early, clock.zone(-3))


def test_minutes():
    assert clock.minutes_between(utc(2024, 5, 1, 10), utc(2024, 5, 2, 10, 1, 59)) == 1441
    assert clock.minutes_between(utc(2024, 5, 1, 10), utc(2024, 5, 1, 8, 30)) == -90
