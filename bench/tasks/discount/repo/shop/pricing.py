"""What things cost, in euros and cents."""


def discounted(price: float, percent: float) -> float:
    """Return the price less `percent` per cent."""
    if not 0 <= percent <= 100:
        raise ValueError(f"a discount is between 0 and 100 per cent, not {percent}")
    return round(price * (1 - percent / 100))


def with_tax(price: float, rate: float = 19) -> float:
    """Return the price plus `rate` per cent of tax."""
    return round(price * (1 + rate / 100), 2)
