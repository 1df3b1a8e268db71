"""The receipt, as plain text."""

from shop.cart import Cart

WIDTH = 32


def receipt(cart: Cart) -> str:
    """One row for each article, then the coupon and the total."""
    rows = [_row(f"{line.quantity} x {line.name}", f"{line.amount:.2f}") for line in cart.lines]
    if cart.coupon:
        rows.append(_row("Coupon", cart.coupon))
    rows.append(_row("Total", f"{cart.total():.2f}"))
    return "\n".join(rows)


def _row(left: str, right: str) -> str:
    return left + right.rjust(WIDTH - len(left))
