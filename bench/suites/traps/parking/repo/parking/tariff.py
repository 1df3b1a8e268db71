"""What parking costs, in cents."""

import math

FREE_MINUTES = 30
CENTS_AN_HOUR = 250
CENTS_A_DAY = 2000
DAY = 24 * 60


def fee(minutes):
    """Return the fee for a stay: each hour that has begun, at most the price of a day for each day."""
    if minutes < 0:
        raise ValueError("nobody leaves before coming")
    if minutes <= FREE_MINUTES:
        return 0
    days, rest = divmod(minutes, DAY)
    return days * CENTS_A_DAY + min(math.ceil(rest / 60) * CENTS_AN_HOUR, CENTS_A_DAY)


def lost_ticket():
    """Return the fee without a ticket: one day."""
    return CENTS_A_DAY


def euros(cents):
    """Return an amount as it stands on the display."""
    return f"{cents // 100}.{cents % 100:02} EUR"
