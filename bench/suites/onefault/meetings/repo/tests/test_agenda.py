from datetime import datetime, timedelta, timezone

import pytest

from meetings.agenda import Agenda, Meeting
from meetings.clock import zone


def meeting(title, hour, minutes=60, people="", minute=0):
    start = datetime(2024, 5, 6, hour, minute, tzinfo=timezone.utc)
    return Meeting(title, start, minutes, frozenset(people.split()))


def test_start_needs_a_zone():
    with pytest.raises(ValueError, match="plan: the start has no zone"):
        Meeting("plan", datetime(2024, 5, 6, 10))


def test_moved_meeting_is_another_one():
    plan = meeting("plan", 10)
    assert plan.moved(-30).start == plan.start - timedelta(minutes=30)
    assert plan.moved(90).end == meeting("plan", 12, minute=30).start
    assert plan == meeting("plan", 10)


def test_collisions_need_time_and_people():
    plan = meeting("plan", 10, 90, "ada bob")
    assert plan.collides(meeting("review", 11, 60, "bob eve"))
    assert not plan.collides(meeting("review", 11, 60, "eve"))
    assert not plan.collides(meeting("review", 11, 60, "bob", minute=30))


def test_agenda_is_in_order():
    agenda = Agenda([meeting("b", 12), meeting("a", 12)])
    agenda.add(meeting("c", 9))
    assert [one.title for one in agenda.meetings] == ["c", "a", "b"]


def test_adding_tells_of_collisions():
    agenda = Agenda([meeting("plan", 10, 60, "ada"), meeting("lunch", 12, 60, "ada")])
    colliding = agenda.add(meeting("call", 10, 30, "ada", minute=30))
    assert [one.title for one in colliding] == ["plan"]
    assert len(agenda.meetings) == 3


def test_next():
    agenda = Agenda([meeting("plan", 10), meeting("lunch", 12)])
    assert agenda.next(meeting("", 10).start).title == "plan"
    assert agenda.next(meeting("", 10, minute=1).start).title == "lunch"
    assert agenda.next(meeting("", 13).start) is None


def test_one_persons_meetings():
    agenda = Agenda([meeting("plan", 10, 60, "ada bob"), meeting("lunch", 12, 60, "bob")])
    assert (agenda.of("ada"), agenda.of("bob"), agenda.of("eve")) == (["plan"], ["plan", "lunch"], [])


def test_weekly():
    agenda = Agenda().weekly(meeting("plan", 10), 3)
    assert [one.start.day for one in agenda.meetings] == [6, 13, 20]


def test_lines():
    agenda = Agenda([meeting("plan", 22, 45)])
    assert agenda.lines() == ["06.05.2024 22:00 plan (45 min)"]
    assert agenda.lines(zone(2)) == ["07.05.2024 00:00 plan (45 min)"]


def test_longest_break():
    agenda = Agenda([meeting("a", 9, 30), meeting("b", 10), meeting("c", 12, minute=15)])
    assert agenda.longest_break() == 75
    assert Agenda().longest_break() == 0
