import pytest

from rooms.plan import Plan, Taken
from rooms.slots import Slot, gaps, merged

DAY = Slot(480, 1080)


def test_slot():
    assert Slot.parse(" 00:00 - 23:59 ") == Slot(0, 1439)
    assert str(Slot(5, 61)) == "00:05-01:01"
    for start, end in ((5, 5), (6, 5)):
        with pytest.raises(ValueError):
            Slot(start, end)
    slot = Slot(100, 200)
    assert [slot.contains(at) for at in (99, 100, 199, 200)] == [False, True, True, False]
    cases = {(0, 100): False, (0, 101): True, (199, 300): True, (200, 300): False, (120, 130): True, (0, 300): True}
    for (start, end), expected in cases.items():
        assert slot.overlaps(Slot(start, end)) is expected
        assert Slot(start, end).overlaps(slot) is expected


def test_merged():
    assert merged([]) == []
    assert merged([Slot(5, 6), Slot(1, 2), Slot(2, 3), Slot(0, 1)]) == [Slot(0, 3), Slot(5, 6)]
    assert merged([Slot(0, 9), Slot(1, 2), Slot(3, 4), Slot(8, 12)]) == [Slot(0, 12)]
    assert merged([Slot(0, 3), Slot(4, 6)]) == [Slot(0, 3), Slot(4, 6)]


def test_gaps():
    assert gaps([DAY], DAY) == []
    assert gaps([Slot(0, 1440)], DAY) == []
    assert gaps([Slot(480, 500), Slot(1000, 1080)], DAY) == [Slot(500, 1000)]
    assert gaps([Slot(500, 900), Slot(600, 700)], DAY) == [Slot(480, 500), Slot(900, 1080)]
    assert gaps([Slot(1200, 1300)], DAY) == [DAY]


def test_book_and_cancel():
    plan = Plan({"A": 1})
    plan.book("A", Slot(600, 660), "x")
    plan.book("A", Slot(540, 600), "y")
    for slot, by in ((Slot(500, 541), "y"), (Slot(659, 700), "x"), (Slot(600, 660), "x")):
        with pytest.raises(Taken) as caught:
            plan.book("A", slot, "z")
        assert caught.value.by == by
    assert plan.cancel("A", Slot(540, 600), "x") is False
    assert plan.cancel("A", Slot(540, 601), "y") is False
    assert plan.cancel("A", Slot(540, 600), "y") is True
    assert plan.cancel("A", Slot(540, 600), "y") is False
    assert plan.free("A") == [Slot(480, 600), Slot(660, 1080)]
    with pytest.raises(KeyError):
        plan.book("B", Slot(1, 2), "x")


def test_find():
    plan = Plan({"B": 4, "A": 4, "C": 2})
    assert plan.find(30) == ("C", Slot(480, 510))
    assert plan.find(30, seats=2) == ("C", Slot(480, 510))
    assert plan.find(30, seats=3) == ("A", Slot(480, 510))
    plan.book("A", Slot(480, 1070), "x")
    plan.book("B", Slot(500, 1000), "x")
    plan.book("C", Slot(480, 1080), "x")
    assert plan.find(20) == ("B", Slot(480, 500))
    assert plan.find(25) == ("B", Slot(1000, 1025))
    assert plan.find(80) == ("B", Slot(1000, 1080))
    assert plan.find(81) is None


def test_usage():
    plan = Plan({"A": 1, "B": 1})
    plan.book("A", Slot(480, 1080), "x")
    plan.book("B", Slot(480, 481), "x")
    assert plan.usage() == {"A": 100.0, "B": 0.2}
