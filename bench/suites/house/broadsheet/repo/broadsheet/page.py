"""Pages."""

from broadsheet.blocks import BLANK

TOGETHER = 4
"""A block of fewer lines is not divided."""


def pages(blocks, cells, height, head=None):
    """Return pages as lists of lines, each of exactly `height` lines. `head(number)` gives a block, or None."""
    filler = _Filler(cells, height, head)
    for block in blocks:
        lines = block.lines(cells)
        if len(lines) < TOGETHER:
            filler.whole(lines)
        else:
            for line in lines:
                filler.whole([line])
    return filler.done()


class _Filler:
    def __init__(self, cells, height, head):
        self.cells, self.height, self.head = cells, height, head
        self.pages = []

    def whole(self, lines):
        """Put lines on one page: on this one if they fit, else on the next."""
        if not self.pages or len(self.pages[-1]) + len(lines) > self.height:
            self._turn()
        self.pages[-1] += lines

    def done(self):
        if self.pages:
            self._fill(self.pages[-1])
        return self.pages

    def _turn(self):
        if self.pages:
            self._fill(self.pages[-1])
        block = self.head(len(self.pages) + 1) if self.head is not None else None
        self.pages.append(block.lines(self.cells) if block is not None else [])

    def _fill(self, page):
        page += [BLANK * self.cells] * (self.height - len(page))
