import pytest

from shop.cart import Cart
from shop.receipt import receipt


@pytest.fixture
def cart():
    cart = Cart()
    cart.add("Teapot", 24.90)
    cart.add("Cup", 6.35, quantity=4)
    return cart


def test_total_of_all_lines(cart):
    assert cart.total() == 50.30


def test_same_article_is_counted_together(cart):
    cart.add("Cup", 6.35)
    assert [line.quantity for line in cart.lines] == [1, 5]


def test_coupon_counts_for_the_whole_cart(cart):
    cart.redeem("WELCOME10")
    assert cart.total() == 45.27


def test_unknown_coupon_is_refused(cart):
    with pytest.raises(KeyError, match="FREE100"):
        cart.redeem("FREE100")


def test_receipt_ends_with_the_total(cart):
    assert receipt(cart).splitlines()[-1].split() == ["Total", "50.30"]
