"""Long lists on short pages: which page has what, links, and tables of plain text."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """One page; `number` counts from 1."""

    number: int
    items: list
    last: int

    @property
    def has_next(self):
        return self.number < self.last

    @property
    def has_previous(self):
        return self.number > 1


class Pager:
    """Cuts a list into pages of at most `size` items. An empty list has one page, an empty one."""

    def __init__(self, items, size=10):
        self.items = list(items)
        self.size = size

    @property
    def last(self):
        return max(1, math.ceil(len(self.items) / self.size))

    def page(self, number):
        """The page; numbers that are too low or too high give the first or the last page."""
        number = min(max(number, 1), self.last)
        start = (number - 1) * self.size
        return Page(number, self.items[start : start + self.size], self.last)

    def page_of(self, item):
        """The number of the page with the item, None when it is on none."""
        for number in range(1, self.last + 1):
            if item in self.page(number).items:
                return number
        return None

    def __iter__(self):
        for number in range(1, self.last + 1):
            yield self.page(number)

    def links(self, current, around=1):
        """Page numbers to show: the first, the last, and those around the current one; None for a gap."""
        shown = []
        for number in range(1, self.last + 1):
            if number in (1, self.last) or abs(number - current) <= around:
                shown.append(number)
            elif shown[-1] is not None:
                shown.append(None)
        return shown

    def at(self, place, default=None):
        """The item at a place, counted from 0; the default where there is none."""
        if 0 <= place < len(self.items):
            return self.items[place]
        return default


def after(items, cursor, count, key):
    """At most `count` items whose key is greater than the cursor, and the cursor for the next call, None at the end."""
    rest = sorted((item for item in items if cursor is None or key(item) > cursor), key=key)
    batch = rest[:count]
    more = len(rest) > count
    return batch, key(batch[-1]) if more else None


def aligned(rows, gap=2):
    """Rows of cells as lines with straight columns: text to the left, numbers to the right."""
    if not rows:
        return []
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [
            str(cell).rjust(width) if isinstance(cell, (int, float)) else str(cell).ljust(width)
            for cell, width in zip(row, widths)
        ]
        lines.append((" " * gap).join(cells).rstrip())
    return lines


def summary(page, total, noun="item"):
    """ "3 of 12 items" """
    plural = noun if total == 1 else noun + "s"
    return f"{len(page.items)} of {total} {plural}"
