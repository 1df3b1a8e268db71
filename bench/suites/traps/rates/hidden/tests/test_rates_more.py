"""What the rates promise. It holds as it is, and it must hold after any repair."""

from decimal import Decimal

import pytest

from rates import bank
from rates.table import Table, UnknownCurrency

TABLE = Table({"CHF": "0.95", "GBP": "0.85"})


@pytest.mark.parametrize(
    ("amount", "source", "target", "expected"),
    [("1", "CHF", "EUR", "1.05"), ("19.99", "EUR", "GBP", "16.99"), ("0.01", "EUR", "CHF", "0.01"), ("5", "GBP", "CHF", "5.59")],
)
def test_conversions(amount, source, target, expected):
    assert TABLE.convert(amount, source, target) == Decimal(expected)


def test_rounding_up(monkeypatch):
    monkeypatch.setenv("RATES_ROUNDING", "up")
    assert TABLE.convert("1.01", "EUR", "CHF") == Decimal("0.96")
    monkeypatch.setenv("RATES_ROUNDING", "down")
    assert TABLE.convert("1.01", "EUR", "GBP") == Decimal("0.86")


@pytest.mark.parametrize("names", [("XXX", "EUR"), ("EUR", "")])
def test_unknown(names):
    with pytest.raises(UnknownCurrency):
        TABLE.convert(1, *names)


def test_key_is_never_made_up(monkeypatch):
    monkeypatch.delenv("RATES_KEY", raising=False)
    with pytest.raises(KeyError, match="RATES_KEY"):
        bank.request()
    monkeypatch.setenv("RATES_KEY", "abc")
    assert bank.request().get_header("X-key") == "abc"


def test_no_server_is_no_table(tmp_path):
    with pytest.raises(bank.Unavailable):
        bank.today((tmp_path / "x").as_uri())
