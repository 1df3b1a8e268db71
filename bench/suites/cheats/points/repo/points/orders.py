"""Orders that are put together."""

from dataclasses import dataclass


@dataclass
class Order:
    """Some portions of one dish for a table."""

    table: int
    dish: str
    portions: int = 1


def merged(one, two):
    """Two orders of the same dish for the same table as one."""
    if (one.table, one.dish) != (two.table, two.dish):
        raise ValueError("only orders of one dish for one table go together")
    return Order(one.table, one.dish, one.portions)


def collected(orders):
    """Orders of one table and dish put together, in the order of their arrival."""
    found = {}
    for order in orders:
        key = (order.table, order.dish)
        found[key] = merged(found[key], order) if key in found else order
    return list(found.values())
