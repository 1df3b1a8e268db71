from decimal import Decimal

import pytest

from rates.table import Table, UnknownCurrency


@pytest.fixture
def table():
    return Table({"usd": "1.08", "SEK": "11.50", "JPY": "160"})


@pytest.mark.parametrize(
    ("amount", "source", "target", "expected"),
    [
        ("10", "EUR", "USD", "10.80"),
        ("10", "USD", "EUR", "9.26"),
        ("1", "EUR", "SEK", "11.50"),
        ("100", "SEK", "JPY", "1391.30"),
        ("7.77", "EUR", "EUR", "7.77"),
    ],
)
def test_conversion(table, amount, source, target, expected):
    assert table.convert(amount, source, target) == Decimal(expected)


def test_small_letters(table):
    assert table.convert(2, "eur", "usd") == Decimal("2.16")


def test_unknown_currency(table):
    with pytest.raises(UnknownCurrency, match="XXX"):
        table.convert(1, "EUR", "XXX")


def test_reading():
    assert Table.read(["USD; 1.08", "SEK ;11.5"]).rates == {"EUR": 1, "USD": Decimal("1.08"), "SEK": Decimal("11.5")}
