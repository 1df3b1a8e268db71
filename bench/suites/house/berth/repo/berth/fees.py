"""What a visit costs."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from berth.clock import HarbourClock

CENT = Decimal("0.01")
HIGH_SEASON = (6, 7, 8)


@dataclass(frozen=True)
class Prices:
    """Factors and prices that change from year to year."""

    high: Decimal = Decimal("1.5")
    day_visit: Decimal = Decimal("0.5")
    season_ticket: Decimal = Decimal("0.8")
    kwh: Decimal = Decimal("0.45")


class Cashier:
    """Works out invoices. `extras` are functions from (booking, berth) to (text, amount) or None."""

    def __init__(self, clock=None, prices=None, extras=()):
        self.clock = clock or HarbourClock()
        self.prices = prices or Prices()
        self.extras = list(extras)

    def lines(self, booking, berth):
        """Return (text, exact amount) of everything on the invoice."""
        lines = [(text, amount * self._factor(booking)) for text, amount in self._stay(booking, berth)]
        if booking.power_kwh:
            lines.append((f"{booking.power_kwh} kWh", booking.power_kwh * self.prices.kwh))
        lines += [line for line in (extra(booking, berth) for extra in self.extras) if line is not None]
        return lines

    def total(self, booking, berth):
        """Return the amount to pay, to the cent."""
        return sum((amount for _, amount in self.lines(booking, berth)), Decimal(0)).quantize(CENT, ROUND_HALF_UP)

    def _stay(self, booking, berth):
        nights = self.clock.nights(booking.span)
        if not nights:
            day = self.clock.local(booking.span.start).date()
            return [(f"day visit {day}", self._night(day, berth) * self.prices.day_visit)]
        return [(f"night {night}", self._night(night, berth)) for night in nights]

    def _night(self, night, berth):
        return berth.rate * (self.prices.high if night.month in HIGH_SEASON else 1)

    def _factor(self, booking):
        return self.prices.season_ticket if booking.boat.season_ticket else Decimal(1)
