import pytest

from till import change, cheapest, discounted, with_deposit


def test_ten_percent_off():
    assert discounted(50, 10) == 45


def test_discount_keeps_the_cents():
    assert discounted(19.99, 10) == 17.99


def test_everything_must_go():
    assert discounted(12.5, 100) == 0


def test_discount_beyond_everything():
    with pytest.raises(ValueError, match="between 0 and 100"):
        discounted(10, 101)


def test_deposit_for_a_crate():
    assert with_deposit(8.99, 12) == 11.99


def test_no_bottles_no_deposit():
    assert with_deposit(1.49, 0) == 1.49


def test_change_for_a_note():
    assert change(13.45, 20) == 6.55


def test_paid_to_the_cent():
    assert change(3.2, 3.2) == 0


def test_not_enough_money():
    with pytest.raises(ValueError, match=r"1\.50 missing"):
        change(11.5, 10)


def test_cheapest_offer():
    assert cheapest({"apples": 2.99, "pears": 2.49, "plums": 3.99}) == "pears"
