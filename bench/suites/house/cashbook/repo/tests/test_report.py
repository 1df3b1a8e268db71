from datetime import date
from decimal import Decimal

import pytest

from cashbook import Amount, BookError, Prices, load
from cashbook.report import balance, register


@pytest.fixture
def journal(book):
    return load(book)


def shown(sums):
    return {account: str(amounts) for account, amounts in sums.items()}


def test_children_count_for_their_parents(journal):
    assert shown(balance(journal.entries)) == {
        "assets": "1'387.60 EUR, -80.00 USD", "assets:bank": "1'250.00 EUR, -80.00 USD", "assets:cash": "137.60 EUR",
        "expenses": "12.40 EUR, 80.00 USD", "expenses:food": "12.40 EUR", "expenses:food:rolls": "12.40 EUR",
        "expenses:print": "80.00 USD", "income": "-1'400.00 EUR", "income:fees": "-1'400.00 EUR",
    }


def test_depth(journal):
    assert list(balance(journal.entries, depth=1)) == ["assets", "expenses", "income"]
    assert "expenses:food:rolls" not in balance(journal.entries, depth=2)


def test_register(journal):
    rows = list(register(journal.entries, "assets"))
    assert [str(row.change) for row in rows] == ["1'400.00 EUR", "-12.40 EUR", "-80.00 USD"]
    assert [str(row.total) for row in rows] == ["1'400.00 EUR", "1'387.60 EUR", "1'387.60 EUR, -80.00 USD"]


def test_register_of_a_name_that_is_a_beginning(journal):
    assert list(register(journal.entries, "asset")) == []


class TestPrices:
    @pytest.mark.parametrize(("day", "rate"), [((2024, 1, 1), "0.90"), ((2024, 2, 29), "0.90"), ((2024, 3, 1), "0.95"), ((2030, 1, 1), "0.95")])
    def test_youngest_counts(self, journal, day, rate):
        assert journal.prices.rate(date(*day), "USD", "EUR") == Decimal(rate)

    def test_before_the_first(self, journal):
        with pytest.raises(BookError, match="no price of USD in EUR on 2023-12-31"):
            journal.prices.rate(date(2023, 12, 31), "USD", "EUR")

    def test_both_directions(self, journal):
        assert str(journal.prices.convert(Amount.parse("9 EUR"), "USD", date(2024, 1, 5))) == "10.00 USD"

    def test_order_of_setting_does_not_matter(self):
        prices = Prices()
        for day, price in ((20, "3 EUR"), (10, "2 EUR"), (20, "4 EUR")):
            prices.set(date(2024, 1, day), "X", Amount.parse(price))
        assert [prices.rate(date(2024, 1, day), "X", "EUR") for day in (10, 19, 20)] == [2, 2, 4]

    def test_total(self, journal):
        assets = balance(journal.entries)["assets"]
        assert str(journal.prices.total(assets, "EUR", date(2024, 4, 2))) == "1'311.60 EUR"
