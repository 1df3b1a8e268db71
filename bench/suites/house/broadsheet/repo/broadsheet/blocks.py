"""Blocks: whatever has lines of a given width."""

from broadsheet import styles
from broadsheet.cells import SOFT_HYPHEN, fitted, width
from broadsheet.paragraph import broken, greedy

BLANK = " "


class Block:
    """Base of all blocks. Remembers its lines for each width until it changes; who holds a block is told of that."""

    def __init__(self):
        self._known = {}
        self._holders = []

    def lines(self, cells):
        """Return the lines, each of exactly so many cells."""
        if cells < 1:
            raise ValueError("a line has at least one cell")
        if cells not in self._known:
            self._known[cells] = self.make(cells)
        return list(self._known[cells])

    def changed(self):
        """Forget what was made, here and in all that hold this block."""
        self._known.clear()
        for holder in self._holders:
            holder.changed()

    def held_by(self, holder):
        self._holders.append(holder)

    def make(self, cells):
        raise NotImplementedError


class Text(Block):
    """One or more paragraphs of marked-up text, divided by blank lines."""

    def __init__(self, text, align="left", way=greedy):
        super().__init__()
        self._text, self.align, self.way = text, align, way

    @property
    def text(self):
        return self._text

    @text.setter
    def text(self, text):
        self._text = text
        self.changed()

    def make(self, cells):
        lines = []
        for number, paragraph in enumerate(self._text.split("\n\n")):
            if number:
                lines.append(BLANK * cells)
            runs = styles.parse(paragraph)
            found = broken(styles.plain(runs), cells, self.way)
            for line in styles.spread(runs, found) or [[]]:
                lines.append(self._line(line, cells))
        return lines

    def _line(self, line, cells):
        line = [styles.Run(run.text.replace(SOFT_HYPHEN, ""), run.styles) for run in line]
        text = styles.plain(line)
        padded = fitted(text, cells, self.align)
        left = len(padded) - len(padded.lstrip(BLANK)) if self.align != "left" else 0
        right = cells - width(text) - left
        return BLANK * left + styles.shown(line) + BLANK * right


class Rule(Block):
    """A line across."""

    def __init__(self, sign="-"):
        super().__init__()
        self.sign = sign

    def make(self, cells):
        return [fitted(self.sign * cells, cells)]


class Stack(Block):
    """Blocks one below the other."""

    def __init__(self, *blocks, gap=0):
        super().__init__()
        self.blocks, self.gap = [], gap
        for block in blocks:
            self.add(block)

    def add(self, block):
        self.blocks.append(block)
        block.held_by(self)
        self.changed()

    def make(self, cells):
        lines = []
        for number, block in enumerate(self.blocks):
            if number:
                lines += [BLANK * cells] * self.gap
            lines += block.lines(cells)
        return lines


class Beside(Block):
    """Blocks side by side, as wide as each other; the first ones get the cells that are left over."""

    def __init__(self, *blocks, gutter=1):
        super().__init__()
        self.blocks, self.gutter = list(blocks), gutter
        for block in blocks:
            block.held_by(self)

    def make(self, cells):
        count = len(self.blocks)
        size, more = divmod(cells - self.gutter * (count - 1), count)
        widths = [size + (number < more) for number in range(count)]
        made = [block.lines(width_) for block, width_ in zip(self.blocks, widths)]
        height = max(map(len, made))
        filled = [lines + [BLANK * width_] * (height - len(lines)) for lines, width_ in zip(made, widths)]
        return [(BLANK * self.gutter).join(row) for row in zip(*filled)]
