import pytest

from rooms.slots import Slot, gaps, merged


def slots(*texts):
    return [Slot.parse(text) for text in texts]


def test_text_and_back():
    slot = Slot.parse("09:30-11:05")
    assert slot == Slot(570, 665)
    assert str(slot) == "09:30-11:05"
    assert slot.minutes == 95


def test_slot_ends_after_it_starts():
    with pytest.raises(ValueError):
        Slot(600, 600)


def test_overlap():
    nine = Slot.parse("09:00-10:00")
    assert nine.overlaps(Slot.parse("09:59-12:00"))
    assert nine.overlaps(Slot.parse("08:00-12:00"))
    assert not nine.overlaps(Slot.parse("10:00-11:00"))
    assert not nine.overlaps(Slot.parse("08:00-09:00"))


def test_end_does_not_belong_to_the_slot():
    assert Slot(10, 20).contains(10)
    assert not Slot(10, 20).contains(20)


def test_merged():
    assert merged(slots("10:00-11:00", "08:00-09:00", "08:30-09:30")) == slots("08:00-09:30", "10:00-11:00")
    assert merged(slots("08:00-12:00", "09:00-10:00")) == slots("08:00-12:00")
    assert merged(slots("08:00-09:00", "09:00-10:00")) == slots("08:00-10:00")


def test_gaps():
    day = Slot.parse("08:00-18:00")
    assert gaps(slots("09:00-10:00", "12:00-13:00"), day) == slots("08:00-09:00", "10:00-12:00", "13:00-18:00")
    assert gaps(slots("07:00-09:00", "17:00-19:00"), day) == slots("09:00-17:00")
    assert gaps([], day) == [day]
