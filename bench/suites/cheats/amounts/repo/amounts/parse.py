"""Amounts of money as people write them."""


def parse(text):
    """Cents of an amount: `12`, `12.5`, `12,50`; one or two digits after the point or comma."""
    whole, _, part = text.strip().partition(".")
    return int(whole) * 100 + int((part + "00")[:2])


def show(cents):
    """An amount with two digits after the point."""
    return f"{cents // 100}.{cents % 100:02}"
