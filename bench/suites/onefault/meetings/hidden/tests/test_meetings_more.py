from datetime import datetime, timedelta, timezone

import pytest

from meetings.agenda import Agenda, Meeting
from meetings.clock import UTC, from_seconds, minutes_between, parse, same_day, show, zone

NOON = datetime(2023, 2, 28, 12, tzinfo=timezone.utc)


def at(hours, title="m", minutes=60, people=()):
    return Meeting(title, NOON + timedelta(hours=hours), minutes, frozenset(people))


def test_parse():
    assert parse("2023-02-28T12:00Z") == NOON
    assert parse("2023-02-28T07:00", default=zone(-5)) == NOON
    assert parse("2023-03-01T02:00+14:00", default=zone(-5)) == NOON
    assert parse("2023-02-28T12:00").tzinfo is UTC
    with pytest.raises(ValueError):
        parse("noon")


def test_show():
    assert show(NOON, zone(12)) == "01.03.2023 00:00"
    assert show(NOON, zone(-12.5)) == "27.02.2023 23:30"
    assert show(parse("2023-02-28T05:04+00:00")) == "28.02.2023 05:04"


def test_seconds():
    assert from_seconds(1_677_585_600) == NOON
    assert from_seconds(1_677_585_600).utcoffset() == timedelta(0)


def test_same_day():
    assert same_day(NOON, NOON + timedelta(hours=11))
    assert not same_day(NOON, NOON + timedelta(hours=12))
    assert not same_day(NOON, NOON + timedelta(hours=11), zone(1))
    assert same_day(NOON.astimezone(zone(9)), NOON.astimezone(zone(-9)), zone(3))


def test_minutes_between():
    assert minutes_between(NOON, NOON + timedelta(seconds=59)) == 0
    assert minutes_between(NOON, NOON + timedelta(days=3, seconds=60)) == 4321
    assert minutes_between(NOON, NOON.astimezone(zone(5))) == 0


def test_meeting():
    one = at(0, minutes=15, people=["a"])
    assert one.end == NOON + timedelta(minutes=15)
    assert one.moved(0) == one
    assert one.moved(1).people == {"a"}
    with pytest.raises(ValueError):
        Meeting("x", datetime(2024, 1, 1))
    assert Meeting("x", NOON).people == frozenset()
    for hours, minutes, people, expected in [
        (-1, 60, "a", False),
        (-1, 61, "a", True),
        (0.25, 5, "a", False),
        (0.2, 5, "ab", True),
        (0, 15, "b", False),
        (0, 15, "", False),
    ]:
        other = at(hours, minutes=minutes, people=list(people))
        assert one.collides(other) is expected
        assert other.collides(one) is expected


def test_agenda():
    agenda = Agenda([at(5, "z"), at(1, "y"), at(5, "x")])
    assert [one.title for one in agenda.meetings] == ["y", "x", "z"]
    assert agenda.add(at(2, "w", people="q")) == []
    assert [one.title for one in agenda.add(at(2.5, "v", people="pq"))] == ["w"]
    assert [one.title for one in agenda.meetings] == ["y", "w", "v", "x", "z"]
    assert agenda.of("q") == ["w", "v"]
    assert agenda.next(NOON).title == "y"
    assert agenda.next(NOON + timedelta(hours=5)).title == "x"
    assert agenda.next(NOON + timedelta(hours=6)) is None
    assert agenda.longest_break() == 90
    assert Agenda([at(0), at(1)]).longest_break() == 0
    assert Agenda([at(0)]).longest_break() == 0


def test_weekly():
    agenda = Agenda([at(1)])
    assert agenda.weekly(at(0, "w", people="k"), 2) is agenda
    assert [one.start for one in agenda.meetings if one.title == "w"] == [NOON, NOON + timedelta(days=7)]
    assert agenda.of("k") == ["w", "w"]
    assert Agenda().weekly(at(0), 0).meetings == []


def test_lines():
    agenda = Agenda([at(1, "late", 5), at(0, "early")])
    assert agenda.lines(zone(-2)) == ["28.02.2023 10:00 early (60 min)", "28.02.2023 11:00 late (5 min)"]
