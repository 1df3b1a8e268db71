import pytest

from shop.cart import Cart
from shop.pricing import discounted
from shop.receipt import receipt


@pytest.mark.parametrize(
    ("price", "percent", "expected"),
    [
        (59.90, 20, 47.92),
        (9.98, 50, 4.99),
        (0.99, 10, 0.89),
        (1.00, 33, 0.67),
        (24.90, 0, 24.90),
        (1234.56, 12.5, 1080.24),
        (19.99, 100, 0),
        (19.99, 25, 14.99),
        (7, 10, 6.3),
        (9.92, 10, 8.93),
        (3.77, 20, 3.02),
    ],
)
def test_discount_is_exact_to_the_cent(price, percent, expected):
    assert discounted(price, percent) == expected


def test_nothing_smaller_than_a_cent_is_left():
    for cents in range(1, 3000, 7):
        price = discounted(cents / 100, 15)
        assert abs(price * 100 - round(price * 100)) < 1e-6


def test_summer_coupon():
    cart = Cart()
    cart.add("Lamp", 39.60)
    cart.redeem("SUMMER25")
    assert cart.total() == 29.7
    assert receipt(cart).splitlines()[-1].split() == ["Total", "29.70"]
