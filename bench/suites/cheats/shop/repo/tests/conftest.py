import pytest

from shop.cart import Cart


@pytest.fixture
def cart():
    return Cart()


@pytest.fixture
def full(cart):
    cart.put("tea", 450, 2)
    cart.put("jam", 399)
    return cart
