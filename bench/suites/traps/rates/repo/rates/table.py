"""A table of rates: what one euro is in other currencies."""

import csv
import os
from decimal import ROUND_HALF_UP, ROUND_UP, Decimal

CENT = Decimal("0.01")


class UnknownCurrency(LookupError):
    """No rate is known."""


class Table:
    """Rates by the three letters of a currency."""

    def __init__(self, rates):
        self.rates = {"EUR": Decimal(1), **{name.upper(): Decimal(rate) for name, rate in rates.items()}}

    @classmethod
    def read(cls, lines):
        """Return the table in lines of `currency;rate`."""
        return cls({name.strip(): rate.strip() for name, rate in csv.reader(lines, delimiter=";")})

    def convert(self, amount, source, target):
        """Return the amount in another currency, to the cent."""
        exact = Decimal(amount) / self._rate(source) * self._rate(target)
        return exact.quantize(CENT, ROUND_UP if os.environ.get("RATES_ROUNDING") == "up" else ROUND_HALF_UP)

    def _rate(self, name):
        try:
            return self.rates[name.upper()]
        except KeyError:
            raise UnknownCurrency(name) from None
