"""One amount: whole cents and a currency."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£"}


class CurrencyMismatch(TypeError):
    """Two currencies cannot be added."""


@dataclass(frozen=True, order=True)
class Money:
    """An amount in cents. Adding another currency raises CurrencyMismatch."""

    cents: int
    currency: str = "EUR"

    @classmethod
    def of(cls, text, currency="EUR"):
        """Read "12.50" or "1,234.5"; anything smaller than a cent is rounded half up."""
        value = Decimal(text.replace(",", "").strip())
        cents = (value * 100).quantize(Decimal(1), rounding=ROUND_HALF_UP)
        return cls(int(cents), currency)

    def __add__(self, other):
        self._check(other)
        return Money(self.cents + other.cents, self.currency)

    def __sub__(self, other):
        self._check(other)
        return Money(self.cents - other.cents, self.currency)

    def __neg__(self):
        return Money(-self.cents, self.currency)

    def times(self, factor):
        """A multiple, rounded half up to the cent."""
        cents = (Decimal(self.cents) * Decimal(str(factor))).quantize(Decimal(1), rounding=ROUND_HALF_UP)
        return Money(int(cents), self.currency)

    def split(self, parts):
        """Share the amount as evenly as cents allow; the first shares get the cents that are left.

        ValueError for fewer than one part.
        """
        if parts < 1:
            raise ValueError("at least one part is needed")
        share, left = divmod(self.cents, parts)
        return [Money(share + (1 if number < left else 0), self.currency) for number in range(parts)]

    def __str__(self):
        sign = "-" if self.cents < 0 else ""
        whole, cents = divmod(abs(self.cents), 100)
        symbol = SYMBOLS.get(self.currency, self.currency + " ")
        return f"{sign}{symbol}{whole:,}.{cents:02d}"

    def _check(self, other):
        if other.currency != self.currency:
            raise CurrencyMismatch(f"{other.currency} is not {self.currency}")
