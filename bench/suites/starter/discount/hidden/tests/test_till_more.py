import pytest

from till import change, cheapest, discounted, with_deposit


@pytest.mark.parametrize(
    ("price", "percent", "expected"),
    [(59.9, 20, 47.92), (9.98, 50, 4.99), (1.0, 33, 0.67), (24.9, 0, 24.9), (7, 10, 6.3), (1234.56, 12.5, 1080.24)],
)
def test_discounts(price, percent, expected):
    assert discounted(price, percent) == expected


@pytest.mark.parametrize("percent", [-0.5, -20, 100.5])
def test_impossible_discounts(percent):
    with pytest.raises(ValueError, match="between"):
        discounted(10, percent)


@pytest.mark.parametrize(("price", "bottles", "total"), [(0.99, 1, 1.24), (5, 6, 6.5), (2.2, 3, 2.95), (0, 20, 5)])
def test_deposits(price, bottles, total):
    assert with_deposit(price, bottles) == total


@pytest.mark.parametrize(("price", "paid", "back"), [(0.01, 0.01, 0), (4.99, 5, 0.01), (7, 50, 43), (12.34, 12.35, 0.01)])
def test_changes(price, paid, back):
    assert change(price, paid) == back


def test_one_cent_short():
    with pytest.raises(ValueError, match=r"0\.01 missing"):
        change(5, 4.99)


def test_cheapest_of_many():
    assert cheapest({"a": 5}) == "a"
    assert cheapest({"a": 5, "b": 7, "c": 1, "d": 9}) == "c"
    assert cheapest({"z": 1, "b": 2}) == "z"
