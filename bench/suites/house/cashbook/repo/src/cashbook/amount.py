"""Amounts of one currency, and sums of several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation

from cashbook.errors import BookError

DECIMALS = {"JPY": 0, "KWD": 3}
_AMOUNT = re.compile(r"(?P<number>[+-]?\d[\d']*(?:\.\d+)?)\s*(?P<currency>[A-Z][A-Z0-9]*)")


@dataclass(frozen=True)
class Amount:
    """An exact number of units of a currency."""

    number: Decimal
    currency: str

    @classmethod
    def parse(cls, text: str) -> Amount:
        """Return the amount in a text like `-1'250.00 CHF`. Raises BookError."""
        match = _AMOUNT.fullmatch(text.strip())
        if match is None:
            raise BookError(f"{text.strip()!r} is no amount")
        try:
            return cls(Decimal(match["number"].replace("'", "")), match["currency"])
        except InvalidOperation as error:
            raise BookError(f"{text.strip()!r} is no amount") from error

    def __neg__(self) -> Amount:
        return Amount(-self.number, self.currency)

    def __str__(self) -> str:
        unit = Decimal(1).scaleb(-DECIMALS.get(self.currency, 2))
        return f"{self.number.quantize(unit, ROUND_HALF_EVEN):,} {self.currency}".replace(",", "'")


class Sum:
    """Amounts of several currencies; those that come to zero are gone."""

    def __init__(self, amounts: Iterable[Amount] = ()) -> None:
        self._numbers: dict[str, Decimal] = {}
        for amount in amounts:
            self.add(amount)

    def add(self, amount: Amount) -> None:
        number = self._numbers.get(amount.currency, Decimal(0)) + amount.number
        if number:
            self._numbers[amount.currency] = number
        else:
            self._numbers.pop(amount.currency, None)

    def __iter__(self) -> Iterator[Amount]:
        return (Amount(number, currency) for currency, number in sorted(self._numbers.items()))

    def __bool__(self) -> bool:
        return bool(self._numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sum) and self._numbers == other._numbers

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Sum) -> Sum:
        return Sum([*self, *other])

    def __str__(self) -> str:
        return ", ".join(map(str, self)) or "0"

    def copy(self) -> Sum:
        return Sum(self)
