import pytest

from rooms.plan import Plan, Taken
from rooms.slots import Slot


@pytest.fixture
def plan():
    return Plan({"Oak": 12, "Elm": 4})


def test_room_is_booked_once(plan):
    plan.book("Elm", Slot.parse("09:00-10:00"), "ada")
    plan.book("Elm", Slot.parse("10:00-11:00"), "bob")
    with pytest.raises(Taken) as caught:
        plan.book("Elm", Slot.parse("09:30-10:00"), "eve")
    assert caught.value.by == "ada"
    assert str(caught.value) == "Elm is taken at 09:30-10:00 by ada"


def test_rooms_are_independent(plan):
    plan.book("Elm", Slot.parse("09:00-10:00"), "ada")
    plan.book("Oak", Slot.parse("09:00-10:00"), "bob")
    assert plan.free("Oak")[0] == Slot.parse("08:00-09:00")


def test_cancel(plan):
    slot = Slot.parse("09:00-10:00")
    plan.book("Elm", slot, "ada")
    assert not plan.cancel("Elm", slot, "eve")
    assert plan.cancel("Elm", slot, "ada") is True
    assert plan.free("Elm") == [Plan.OPEN]


def test_smallest_room_first(plan):
    assert plan.find(60) == ("Elm", Slot.parse("08:00-09:00"))
    assert plan.find(60, seats=5) == ("Oak", Slot.parse("08:00-09:00"))
    assert plan.find(60, seats=13) is None


def test_earliest_gap_that_is_long_enough(plan):
    plan.book("Elm", Slot.parse("08:30-10:00"), "ada")
    assert plan.find(30) == ("Elm", Slot.parse("08:00-08:30"))
    assert plan.find(31, seats=4) == ("Oak", Slot.parse("08:00-08:31"))


def test_whole_day(plan):
    assert plan.find(600) == ("Elm", Plan.OPEN)
    assert plan.find(601) is None


def test_usage(plan):
    plan.book("Elm", Slot.parse("09:00-10:00"), "ada")
    plan.book("Elm", Slot.parse("11:00-11:20"), "ada")
    assert plan.usage() == {"Oak": 0.0, "Elm": 13.3}
