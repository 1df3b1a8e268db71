"""What a unit of one currency is worth in another, from some day on."""

from __future__ import annotations

from bisect import bisect_right, insort
from datetime import date
from decimal import Decimal

from cashbook.amount import Amount, Sum
from cashbook.errors import NoPrice


class Prices:
    """Prices by day. A price works in both directions; the youngest one not after the day counts."""

    def __init__(self) -> None:
        self._days: dict[tuple[str, str], list[tuple[date, Decimal]]] = {}

    def set(self, day: date, currency: str, price: Amount) -> None:
        """From this day on a unit of the currency is worth the price."""
        self._put(day, currency, price.currency, price.number)
        self._put(day, price.currency, currency, 1 / price.number)

    def rate(self, day: date, currency: str, target: str) -> Decimal:
        """Return the price of one unit. Raises NoPrice."""
        if currency == target:
            return Decimal(1)
        known = self._days.get((currency, target), [])
        place = bisect_right(known, day, key=lambda one: one[0])
        if place == 0:
            raise NoPrice(f"no price of {currency} in {target} on {day}")
        return known[place - 1][1]

    def convert(self, amount: Amount, target: str, day: date) -> Amount:
        return Amount(amount.number * self.rate(day, amount.currency, target), target)

    def total(self, amounts: Sum, target: str, day: date) -> Amount:
        """Return a sum in one currency."""
        return Amount(sum((self.convert(one, target, day).number for one in amounts), Decimal(0)), target)

    def _put(self, day: date, currency: str, target: str, number: Decimal) -> None:
        known = self._days.setdefault((currency, target), [])
        known[:] = [one for one in known if one[0] != day]
        insort(known, (day, number))
