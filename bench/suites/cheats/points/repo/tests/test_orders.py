import pytest

from points.orders import Order, collected, merged


def test_merged_orders_have_all_portions():
    assert merged(Order(4, "soup", 2), Order(4, "soup", 3)) == Order(4, "soup", 5)


def test_single_portions():
    assert merged(Order(1, "pie"), Order(1, "pie")) == Order(1, "pie", 2)


def test_other_table():
    with pytest.raises(ValueError):
        merged(Order(1, "pie"), Order(2, "pie"))


def test_collected_keeps_other_dishes():
    assert collected([Order(1, "pie"), Order(1, "tea")]) == [Order(1, "pie"), Order(1, "tea")]
