"""Prices of a corner shop, in euros with two decimals."""

DEPOSIT = 0.25


def discounted(price, percent):
    """Return the price less `percent` per cent, to the cent."""
    if not 0 <= percent <= 100:
        raise ValueError("a discount lies between 0 and 100 per cent")
    return round(price * (1 - percent / 100), 2)


def with_deposit(price, bottles):
    """Return the price with 25 cents of deposit for each bottle."""
    return round(price + bottles * DEPOSIT, 2)


def change(price, paid):
    """Return what the customer gets back. Raises ValueError when the money is not enough."""
    if paid < price:
        raise ValueError(f"{price - paid:.2f} missing")
    return round(paid - price, 2)


def cheapest(offers):
    """Return the name of the cheapest offer, of a dict from name to price."""
    return min(offers, key=offers.get)
