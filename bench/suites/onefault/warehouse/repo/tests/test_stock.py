import pytest

from warehouse.errors import NotEnough, UnknownItem, WarehouseError
from warehouse.stock import Stock


@pytest.fixture
def stock():
    return Stock({"nail": 100, "saw": 3, "axe": 3})


def test_reserved_pieces_are_not_available(stock):
    stock.reserve("nail", 30)
    assert stock.available("nail") == 70
    assert stock.counts["nail"] == 100


def test_all_that_is_there_can_be_reserved(stock):
    stock.reserve("saw", 3)
    assert stock.available("saw") == 0


def test_more_than_there_is_cannot(stock):
    with pytest.raises(NotEnough) as caught:
        stock.reserve("saw", 5)
    assert caught.value.missing == 2
    assert str(caught.value) == "saw: 2 missing"


def test_what_is_missing_is_told_of_any_item():
    house = Stock({"bolt": 40, "cord": 7, "drum": 12, "glue": 25, "lamp": 18, "rope": 9})
    with pytest.raises(NotEnough, match="drum: 19 missing"):
        house.reserve("drum", 31)


def test_unknown_item(stock):
    with pytest.raises(UnknownItem):
        stock.available("drill")
    assert issubclass(UnknownItem, WarehouseError)


def test_receiving_returns_the_new_count(stock):
    assert stock.receive("saw", 2) == 5
    assert stock.receive("drill", 1) == 1


def test_nothing_cannot_be_received(stock):
    with pytest.raises(ValueError):
        stock.receive("saw", 0)


def test_reservations_add_up_and_are_released(stock):
    stock.reserve("nail", 10)
    stock.reserve("nail", 5)
    stock.release("nail", 4)
    assert stock.available("nail") == 89
    stock.release("nail", 50)
    assert stock.available("nail") == 100


def test_shipping(stock):
    stock.reserve("nail", 10)
    stock.ship("nail", 4)
    assert (stock.counts["nail"], stock.reserved["nail"]) == (96, 6)
    with pytest.raises(NotEnough):
        stock.ship("nail", 7)


def test_low_items_scarcest_first():
    assert Stock({"nail": 5, "saw": 3, "axe": 3, "oil": 1}).low() == ["oil", "axe", "saw"]


def test_low_items_of_a_full_house():
    house = Stock({"bolt": 40, "cord": 7, "drum": 12, "file": 14, "glue": 25, "hook": 7, "lamp": 18, "rope": 9}, low_below=15)
    assert house.low() == ["cord", "hook", "rope", "drum", "file"]


def test_copy_is_independent(stock):
    stock.reserve("nail", 10)
    other = stock.copy()
    other.reserve("nail", 10)
    other.receive("saw", 1)
    assert (stock.available("nail"), other.available("nail")) == (90, 80)
    assert stock.counts["saw"] == 3


def test_copy_keeps_its_threshold():
    assert Stock({"saw": 3}, low_below=2).copy().low() == []


def test_merge(stock):
    other = Stock({"saw": 2, "oil": 1})
    other.reserve("saw", 1)
    assert stock.merge(other) is stock
    assert (stock.counts["saw"], stock.counts["oil"], stock.available("saw")) == (5, 1, 4)


def test_totals(stock):
    assert stock.total() == 106
    assert stock.total(["saw", "drill"]) == 3
    assert stock.total([]) == 0
