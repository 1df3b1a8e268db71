"""Breaks paragraphs into lines."""

import re
from dataclasses import dataclass

from broadsheet.cells import SOFT_HYPHEN, cut, width

# A no-break blank is no place to break, though Python takes it for white space.
_WORD = re.compile(r"[^ \t\n]+")


@dataclass(frozen=True)
class Piece:
    """A part of a word that must stay together. `glued` belongs to the piece before it; `hyphen` if it ends at a soft one."""

    text: str
    start: int
    glued: bool = False
    hyphen: bool = False

    @property
    def end(self):
        return self.start + len(self.text)


def pieces(text, cells):
    """Return the pieces of a text, none wider than a line."""
    found = []
    for match in _WORD.finditer(text):
        place, parts = match.start(), match[0].split(SOFT_HYPHEN)
        for number, part in enumerate(parts):
            rest, glued = part, number > 0
            room = cells - 1 if number < len(parts) - 1 else cells
            while width(rest) > room:
                taken, rest = cut(rest, cells)
                if not taken:
                    taken, rest = rest[:1], rest[1:]
                found.append(Piece(taken, place, glued))
                place, glued = place + len(taken), True
            if rest or not found:
                found.append(Piece(rest, place, glued, number < len(parts) - 1))
            place += len(rest) + 1
    return found


def greedy(found, cells):
    """Return lines of pieces, each as full as it can be."""
    lines = []
    for piece in found:
        if lines and _length([*lines[-1], piece]) <= cells:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return lines


def even(found, cells):
    """Return lines of pieces with the least sum of squared blanks; the last line may be as short as it likes."""
    count = len(found)
    costs, ends = [0.0] * (count + 1), [count] * (count + 1)
    for first in range(count - 1, -1, -1):
        costs[first] = float("inf")
        for last in range(first + 1, count + 1):
            length = _length(found[first:last])
            if length > cells and last > first + 1:
                break
            cost = 0.0 if last == count else (cells - length) ** 2 + costs[last]
            if cost < costs[first]:
                costs[first], ends[first] = cost, last
    lines, first = [], 0
    while first < count:
        lines.append(found[first : ends[first]])
        first = ends[first]
    return lines


def _length(line):
    """Return the cells of a line of pieces, with the hyphen at its end."""
    blanks = sum(not piece.glued for piece in line[1:])
    return sum(width(piece.text) for piece in line) + blanks + line[-1].hyphen


def text_of(line, text):
    """Return (text with its hyphen, start, end) of a line: soft hyphens are left out by whoever shows it."""
    start, end = line[0].start, line[-1].end
    return text[start:end] + ("-" if line[-1].hyphen else ""), start, end


def broken(text, cells, way=greedy):
    """Return the lines of a paragraph as (text, start, end)."""
    return [text_of(line, text) for line in way(pieces(text, cells), cells)]
