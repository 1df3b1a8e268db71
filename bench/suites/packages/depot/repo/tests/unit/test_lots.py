import pytest

from depot.lots import Lot


def names(lots):
    return [lot.name for lot in lots]


def test_what_expires_first_leaves_first(shelf):
    assert names(shelf.at()) == ["gone", "soon", "same", "late", "never"]
    assert names(shelf.at("x")) == ["gone", "same", "late", "never"]
    assert names(shelf.at("z")) == []


def test_totals(shelf):
    assert (shelf.total(), shelf.total("y"), shelf.total("z")) == (20, 2, 0)


@pytest.mark.parametrize(
    ("quantity", "location", "expected"),
    [
        (1, None, [("gone", 1)]),
        (7, None, [("gone", 6), ("soon", 1)]),
        (8, None, [("gone", 6), ("soon", 2)]),
        (9, "x", [("gone", 6), ("same", 3)]),
        (0, None, []),
        (99, "y", [("soon", 2)]),
    ],
)
def test_pick(shelf, quantity, location, expected):
    assert [(lot.name, part) for lot, part in shelf.pick(quantity, location)] == expected


def test_expired_lots_are_passed_over(shelf, today):
    assert [(lot.name, part) for lot, part in shelf.pick(3, today=today)] == [("soon", 2), ("same", 1)]


@pytest.mark.parametrize(("days", "expired"), [(-1, True), (0, False), (1, False)])
def test_lot_is_good_up_to_its_date(today, day, days, expired):
    assert Lot("a", "x", 1, 1, day(days)).expired(today) is expired


def test_lot_without_date_never_expires(today):
    assert not Lot("a", "x", 1, 1).expired(today)


def test_put_adds(shelf):
    shelf.put(Lot("late", "x", 2, 9))
    assert shelf.get("late", "x").quantity == 7
    assert shelf.get("late", "x").number == 2
    shelf.put(Lot("late", "y", 1, 9))
    assert (shelf.get("late", "x").quantity, shelf.get("late", "y").quantity) == (7, 1)


def test_take(shelf):
    taken = shelf.take("late", "x", 2)
    assert (taken.name, taken.quantity) == ("late", 2)
    assert shelf.get("late", "x").quantity == 3
    shelf.take("late", "x", 3)
    assert shelf.get("late", "x") is None
    assert len(shelf) == 4


def test_more_than_there_is_cannot_be_taken(shelf):
    with pytest.raises(ValueError, match="lot soon at y has 2, not 3"):
        shelf.take("soon", "y", 3)
    assert shelf.get("soon", "y").quantity == 2
