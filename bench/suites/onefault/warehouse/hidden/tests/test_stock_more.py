import pytest

from warehouse.errors import NotEnough, UnknownItem
from warehouse.stock import Stock


def test_counts_are_copied_from_the_caller():
    mine = {"a": 1}
    stock = Stock(mine)
    stock.receive("a", 4)
    assert mine == {"a": 1}
    assert Stock().counts == {}


def test_receive():
    stock = Stock()
    assert stock.receive("b", 7) == 7
    assert stock.receive("b", 1) == 8
    for count in (0, -3):
        with pytest.raises(ValueError):
            stock.receive("b", count)


def test_reserve_release_ship():
    stock = Stock({"a": 10, "b": 2})
    stock.reserve("a", 6)
    with pytest.raises(NotEnough) as caught:
        stock.reserve("a", 7)
    assert (caught.value.item, caught.value.missing) == ("a", 3)
    stock.reserve("a", 4)
    assert stock.available("a") == 0
    stock.ship("a", 10)
    assert stock.counts["a"] == 0
    assert stock.reserved["a"] == 0
    with pytest.raises(NotEnough) as caught:
        stock.ship("b", 1)
    assert caught.value.missing == 1
    assert str(caught.value) == "b: 1 missing"
    stock.release("b", 3)
    assert stock.available("b") == 2
    for act in (stock.available, lambda item: stock.reserve(item, 1)):
        with pytest.raises(UnknownItem):
            act("zzz")


def test_low():
    stock = Stock({"z": 4, "y": 5, "x": 4, "w": 9})
    assert stock.low() == ["x", "z"]
    stock.reserve("w", 9)
    assert stock.low() == ["w", "x", "z"]
    assert Stock({"a": 4, "b": 1, "c": 2, "d": 1}).low() == ["b", "d", "c", "a"]
    assert Stock({"a": 2, "b": 1}, low_below=2).low() == ["b"]


def test_copy_and_merge():
    stock = Stock({"a": 3}, low_below=1)
    stock.reserve("a", 1)
    other = stock.copy()
    other.release("a", 1)
    assert stock.reserved == {"a": 1}
    assert other.low_below == 1
    stock.merge(Stock({"a": 1, "c": 2}))
    assert stock.counts == {"a": 4, "c": 2}
    assert stock.available("a") == 3
    assert other.counts == {"a": 3}


def test_total():
    assert Stock().total() == 0
    assert Stock({"a": 1, "b": 2}).total(["b", "b"]) == 4
    assert Stock({"a": 1}).total([]) == 0
    assert Stock({"a": 1}).total(["q"]) == 0
