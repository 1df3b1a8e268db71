import pytest


def test_empty_cart_costs_nothing(cart):
    assert cart.total() == 0


def test_total(full):
    assert full.total() == 1299


def test_discount(full):
    full.discount(10)
    assert full.total() == 1169


def test_same_article_again(full):
    full.put("tea", 450, 3)
    assert full.count == 6
    assert full.total() == 2649


def test_one_more_piece(cart):
    cart.put("salt", 80)
    cart.put("salt", 80)
    assert cart.count == 2


def test_take(full):
    full.take("tea")
    assert full.total() == 399


def test_take_what_is_not_there(cart):
    with pytest.raises(KeyError):
        cart.take("tea")
