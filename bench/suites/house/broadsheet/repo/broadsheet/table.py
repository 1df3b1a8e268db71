"""Tables."""

import re

from broadsheet.blocks import BLANK, Block
from broadsheet.cells import fitted, width
from broadsheet.paragraph import broken

_NUMBER = re.compile(r"[+-]?\d[\d.,]*\s*%?")


class Table(Block):
    """Rows of text under heads. `divider` stands between columns."""

    def __init__(self, heads, rows=(), divider="  "):
        super().__init__()
        self.heads, self.divider = list(heads), divider
        self.rows = []
        for row in rows:
            self.add(*row)

    def add(self, *row):
        """Add a row; cells that are missing are empty. Raises ValueError for too many."""
        if len(row) > len(self.heads):
            raise ValueError(f"{len(row)} cells for {len(self.heads)} columns")
        self.rows.append([str(cell) for cell in row] + [""] * (len(self.heads) - len(row)))
        self.changed()

    def make(self, cells):
        widths = self.widths(cells)
        aligns = [self._align(column) for column in range(len(self.heads))]
        lines = self._row(self.heads, widths, aligns, cells)
        lines.append(fitted(self.divider.join("-" * width_ for width_ in widths), cells))
        for row in self.rows:
            lines += self._row(row, widths, aligns, cells)
        return lines

    def widths(self, cells):
        """Return the width of each column, at least 1."""
        columns = list(zip(self.heads, *self.rows))
        widths = [max(1, *map(width, column)) for column in columns]
        room = max(cells - width(self.divider) * (len(widths) - 1), len(widths))
        while sum(widths) > room:
            widths[widths.index(max(widths))] -= 1
        return widths

    def _align(self, column):
        filled = [row[column] for row in self.rows if row[column]]
        return "right" if filled and all(_NUMBER.fullmatch(cell) for cell in filled) else "left"

    def _row(self, row, widths, aligns, cells):
        wrapped = [[text for text, _, _ in broken(cell, width_)] or [""] for cell, width_ in zip(row, widths)]
        height = max(map(len, wrapped))
        lines = []
        for number in range(height):
            parts = [
                fitted(lines_[number], width_, align) if number < len(lines_) else BLANK * width_
                for lines_, width_, align in zip(wrapped, widths, aligns)
            ]
            lines.append(fitted(self.divider.join(parts), cells))
        return lines
