import pytest

from money import CurrencyMismatch, Invoice, Money


def test_of():
    assert Money.of("1.005") == Money(101)
    assert Money.of("0") == Money(0)
    assert Money.of("-3.1") == Money(-310)
    assert Money.of("12,345,678.90").cents == 1234567890
    assert Money.of("7", "GBP").currency == "GBP"


def test_arithmetic():
    assert Money(7, "USD") + Money(8, "USD") == Money(15, "USD")
    assert Money(7, "USD") - Money(8, "USD") == Money(-1, "USD")
    assert -Money(-9, "GBP") == Money(9, "GBP")
    assert Money(333).times(1.5) == Money(500)
    assert Money(10, "USD").times("0.25") == Money(3, "USD")
    for act in (Money.__add__, Money.__sub__):
        with pytest.raises(CurrencyMismatch):
            act(Money(1, "USD"), Money(1, "GBP"))
    with pytest.raises(TypeError):
        Money(1, "USD") + Money(1)


def test_split():
    for cents in (1, 99, 100, 101, 1234):
        for parts in (1, 2, 3, 7):
            shares = [share.cents for share in Money(cents).split(parts)]
            assert sum(shares) == cents
            assert len(shares) == parts
            assert max(shares) - min(shares) <= 1
            assert shares == sorted(shares, reverse=True)
    for parts in (0, -1):
        with pytest.raises(ValueError):
            Money(5).split(parts)


def test_str():
    assert str(Money(0)) == "€0.00"
    assert str(Money(-1, "USD")) == "-$0.01"
    assert str(Money(100000, "JPY")) == "JPY 1,000.00"
    assert str(Money(-123456)) == "-€1,234.56"


def test_invoice():
    invoice = Invoice(tax=7, discount=10, currency="GBP")
    assert invoice.gross() == Money(0, "GBP")
    invoice.add("tea", Money(350, "GBP"), 3)
    invoice.add("cup", Money(999, "GBP"))
    invoice.add("tea", Money(350, "GBP"))
    assert [line.count for line in invoice.lines] == [4, 1]
    assert invoice.net() == Money(2159, "GBP")
    assert invoice.gross() == Money(2310, "GBP")
    assert invoice.add("pot", Money(1, "GBP"), 2).total == Money(2, "GBP")
    invoice.add("tea", Money(349, "GBP"), 2)
    assert [(line.price.cents, line.count) for line in invoice.lines] == [(350, 4), (999, 1), (1, 2), (349, 2)]
    assert Invoice().lines == []
    assert Invoice().tax == 20
