import pytest

from money import CurrencyMismatch, Money


def test_text_is_read():
    assert Money.of("12.50") == Money(1250)
    assert Money.of(" 1,234.5 ", "USD") == Money(123450, "USD")


def test_half_a_cent_is_rounded_up():
    assert Money.of("0.125") == Money(13)
    assert Money(1).times(0.5) == Money(1)


def test_amounts_are_added_and_taken_away():
    assert Money(150) + Money(275) == Money(425)
    assert Money(150) - Money(275) == Money(-125)
    assert -Money(5, "USD") == Money(-5, "USD")


def test_currencies_do_not_mix():
    with pytest.raises(CurrencyMismatch):
        Money(1, "EUR") + Money(1, "USD")


def test_no_cent_is_lost_in_a_split():
    assert Money(1000).split(3) == [Money(334), Money(333), Money(333)]
    assert Money(11, "USD").split(4) == [Money(3, "USD"), Money(3, "USD"), Money(3, "USD"), Money(2, "USD")]


def test_no_parts_are_refused():
    with pytest.raises(ValueError):
        Money(100).split(0)


@pytest.mark.parametrize(
    "money, text",
    [(Money(123456789), "€1,234,567.89"), (Money(5, "USD"), "$0.05"), (Money(-250, "GBP"), "-£2.50"), (Money(100, "CHF"), "CHF 1.00")],
)
def test_text(money, text):
    assert str(money) == text
