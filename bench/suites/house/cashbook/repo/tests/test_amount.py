from decimal import Decimal

import pytest

from cashbook import Amount, BookError, Sum


def amounts(*texts):
    return Sum(Amount.parse(text) for text in texts)


@pytest.mark.parametrize(
    ("text", "number", "currency"),
    [("12.40 EUR", "12.40", "EUR"), ("-1'250.00 CHF", "-1250", "CHF"), (" 7JPY ", "7", "JPY"), ("+0.005 EUR", "0.005", "EUR"), ("1'000'000 A1", "1000000", "A1")],
)
def test_parsing(text, number, currency):
    assert Amount.parse(text) == Amount(Decimal(number), currency)


@pytest.mark.parametrize("text", ["", "12", "EUR", "1,5 EUR", "12 eur", "1 EUR x", "'5 EUR", "1. EUR"])
def test_no_amounts(text):
    with pytest.raises(BookError, match="is no amount"):
        Amount.parse(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("1250 EUR", "1'250.00 EUR"), ("0.125 EUR", "0.12 EUR"), ("0.135 EUR", "0.14 EUR"), ("2.5 JPY", "2 JPY"), ("-1234.5 KWD", "-1'234.500 KWD")],
)
def test_display(text, shown):
    assert str(Amount.parse(text)) == shown


def test_sums_forget_what_comes_to_zero():
    total = amounts("1 EUR", "2 USD", "-1 EUR")
    assert [str(amount) for amount in total] == ["2.00 USD"]
    assert total
    assert not amounts("1 EUR", "-1 EUR")


def test_sums_are_equal_whatever_their_order():
    assert amounts("1 EUR", "2 USD") == amounts("2 USD", "3 EUR", "-2 EUR")


def test_addition_leaves_both_alone():
    one, two = amounts("1 EUR"), amounts("2 EUR")
    assert str(one + two) == "3.00 EUR"
    assert (str(one), str(two)) == ("1.00 EUR", "2.00 EUR")


def test_empty_sum():
    assert str(Sum()) == "0"
