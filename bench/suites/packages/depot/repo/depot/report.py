"""Tables of stock for people."""

from depot.projections import StockByLocation


def stock_table(store):
    """One line for each item and location, aligned, with a sum at the end."""
    view = StockByLocation()
    for stored in store.read_all():
        view.feed(stored)
    rows = [
        (location, sku, quantity)
        for location, items in view.as_dict().items()
        for sku, quantity in sorted(items.items())
    ]
    if not rows:
        return "nothing in stock"
    widths = [max(len(str(row[column])) for row in rows) for column in range(3)]
    total = sum(quantity for *_, quantity in rows)
    widths[2] = max(widths[2], len(str(total)))
    lines = [f"{location:<{widths[0]}}  {sku:<{widths[1]}}  {quantity:>{widths[2]}}" for location, sku, quantity in rows]
    lines.append("-" * (sum(widths) + 4))
    lines.append(f"{'total':<{widths[0] + widths[1] + 2}}  {total:>{widths[2]}}")
    return "\n".join(lines)


def value(item):
    """What the stock of an item has cost, in cents, and the average cost of a piece, rounded half up."""
    total = sum(lot.quantity * lot.cost for lot in item.shelf.at())
    pieces = item.on_hand
    average = (2 * total + pieces) // (2 * pieces) if pieces else 0
    return total, average


def expiring(item, today, days):
    """(lot, location, quantity) of what expires within so many days, today and the last day included."""
    return [
        (lot.name, lot.location, lot.quantity)
        for lot in item.shelf.at()
        if lot.expires is not None and 0 <= (lot.expires - today).days <= days
    ]
