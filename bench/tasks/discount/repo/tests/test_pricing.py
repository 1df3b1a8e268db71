import pytest

from shop.pricing import discounted, with_tax


def test_discount_of_a_round_price():
    assert discounted(80, 25) == 60


def test_discount_keeps_the_cents():
    assert discounted(19.99, 10) == 17.99


def test_no_discount_leaves_the_price_alone():
    assert discounted(45, 0) == 45


@pytest.mark.parametrize("percent", [-1, 101])
def test_impossible_discount_is_refused(percent):
    with pytest.raises(ValueError, match="between 0 and 100"):
        discounted(10, percent)


def test_tax_is_added():
    assert with_tax(9.99) == 11.89
