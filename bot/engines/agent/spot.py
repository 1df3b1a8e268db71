"""Where the text that a model quotes stands in a file: exactly, or by tolerances that name themselves.

Each tolerance counts only when exactly one place fits; none takes the first of several.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engines.agent.align import opcodes

_MOST_FOLDED = 400_000
_NUMBERED = re.compile(r"^\s*\d+\t")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " "),
    }
)


@dataclass(frozen=True)
class Spot:
    """A place in the view, and the text that goes there."""

    start: int
    end: int
    new: str
    tolerance: str = ""
    """What was not taken literally; empty for an exact match."""


@dataclass(frozen=True)
class Several:
    """More than one place fits: their offsets in the view."""

    starts: tuple[int, ...]


Found = Spot | Several | None


def find(view: str, old: str, new: str) -> Found:
    """Where `old` stands in `view`. None: nowhere."""
    exact = _occurrences(view, old)
    if exact:
        return Spot(exact[0], exact[0] + len(old), new) if len(exact) == 1 else Several(tuple(exact))
    bare_old, bare_new = _without_numbers(old), _without_numbers(new)
    for numbered in dict.fromkeys(((old, new), (bare_old, bare_new))):
        label = "" if numbered == (old, new) else "line-number prefixes"
        if label and (at := _occurrences(view, numbered[0])):
            return Spot(at[0], at[0] + len(numbered[0]), numbered[1], label) if len(at) == 1 else Several(tuple(at))
        for tolerance, attempt in _TOLERANT:
            found = attempt(view, *numbered)
            if isinstance(found, Spot):
                return Spot(found.start, found.end, found.new, ", ".join(filter(None, (label, tolerance))))
            if found is not None:
                return found
    return None


def _occurrences(text: str, part: str) -> list[int]:
    """All places, overlapping ones too."""
    found, at = [], text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + 1)
    return found


def _without_numbers(text: str) -> str:
    """The text without the numbers that `read_file` puts before lines; as it is where a line has none."""
    lines = text.split("\n")
    if not all(_NUMBERED.match(line) or not line.strip() for line in lines):
        return text
    return "\n".join(_NUMBERED.sub("", line, count=1) for line in lines)


@dataclass(frozen=True)
class _Folded:
    """A text made simpler, with the place in the original for each of its characters."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, start: int, size: int) -> tuple[int, int]:
        return self.starts[start], self.ends[start + size - 1]


def _no_trailing(text: str) -> Iterator[tuple[str, int, int]]:
    """Every character but blanks at the end of a line."""
    offset = 0
    for line in text.split("\n"):
        body = line.rstrip(" \t")
        yield from ((char, offset + n, offset + n + 1) for n, char in enumerate(body))
        yield "\n", offset + len(body), offset + len(line) + 1
        offset += len(line) + 1


def _alike(text: str) -> Iterator[tuple[str, int, int]]:
    """NFC, with quotes, dashes and spaces folded, invisible characters and trailing blanks left out."""
    pending = list(_no_trailing(text))
    number = 0
    while number < len(pending):
        stop = number + 1
        while stop < len(pending) and unicodedata.combining(pending[stop][0]):
            stop += 1
        cluster = "".join(char for char, _, _ in pending[number:stop])
        start, end = pending[number][1], pending[stop - 1][2]
        simple = _INVISIBLE.sub("", unicodedata.normalize("NFC", cluster)).translate(_ALIKE)
        yield from ((char, start, end) for char in simple)
        number = stop


def _folded(text: str, fold: Callable[[str], Iterator[tuple[str, int, int]]]) -> _Folded:
    pieces = list(fold(text))[:-1]  # the last one is the end of a line that `text` does not have
    return _Folded(
        "".join(piece[0] for piece in pieces),
        tuple(piece[1] for piece in pieces),
        tuple(min(piece[2], len(text)) for piece in pieces),
    )


def _by_fold(fold: Callable[[str], Iterator[tuple[str, int, int]]]) -> Callable[[str, str, str], Found]:
    def attempt(view: str, old: str, new: str) -> Found:
        part = _folded(old, fold)
        if not part.text.strip() or len(view) > _MOST_FOLDED:
            return None
        whole = _folded(view, fold)
        at = _occurrences(whole.text, part.text)
        if not at:
            return None
        if len(at) > 1:
            return Several(tuple(whole.starts[start] for start in at))
        start, end = whole.span(at[0], len(part.text))
        return Spot(start, end, _Quoted(view, whole, at[0], old, part).merged(new))

    return attempt


class _Quoted:
    """A quotation and the place that it was found at: tells which characters of the file stand for its own."""

    def __init__(self, view: str, whole: _Folded, at: int, old: str, part: _Folded) -> None:
        self._view, self._whole, self._at = view, whole, at
        self._part = part
        self._lines = old.split("\n")
        folded = part.text.split("\n")
        self._sizes = [len(line) for line in folded]
        self._firsts = [sum(self._sizes[:n]) + n for n in range(len(folded))]
        self._offsets = [sum(len(line) + 1 for line in self._lines[:n]) for n in range(len(folded))]

    def merged(self, new: str) -> str:
        """`new`, but what it has in common with the quotation keeps the characters of the file."""
        result: list[str] = []
        after = new.split("\n")
        for tag, a1, a2, b1, b2 in opcodes(self._lines, after):
            if tag == "equal":
                result += [self._own(n, 0, None) for n in range(a1, a2)]
            elif tag == "replace" and a2 - a1 == b2 - b1:
                result += [self._changed(a1 + n, after[b1 + n]) for n in range(a2 - a1)]
            else:
                result += after[b1:b2]
        return "\n".join(result)

    def _own(self, line: int, start: int, stop: int | None) -> str:
        """The file's characters for columns of a quoted line; None: to its end, blanks there included."""
        first = self._piece(line, start)
        begin = self._whole.ends[first - 1] if first > self._at else self._whole.starts[first]
        if stop is not None:
            last = self._piece(line, stop)
            return self._view[begin : self._whole.ends[last - 1]] if last > first else ""
        if line < len(self._lines) - 1:
            return self._view[begin : self._whole.ends[self._piece(line, None)] - 1]
        last = self._piece(line, None)
        return self._view[begin : self._whole.ends[last - 1]] if last > first else ""

    def _piece(self, line: int, column: int | None) -> int:
        """Index of a column's piece in the folded file; None: that of the line's end."""
        inside = self._sizes[line]
        if column is not None:
            begin, size = self._firsts[line], self._sizes[line]
            until = self._offsets[line] + column
            inside = sum(place < until for place in self._part.starts[begin : begin + size])
        return self._at + self._firsts[line] + inside

    def _changed(self, number: int, new: str) -> str:
        """One changed line: its unchanged beginning and end stay as the file has them."""
        old = self._lines[number]
        most = min(len(old), len(new))
        head = next((n for n in range(most) if old[n] != new[n]), most)
        tail = next((n for n in range(most - head) if old[-1 - n] != new[-1 - n]), most - head)
        while head and unicodedata.combining(old[head : head + 1] or " "):
            head -= 1
        while tail and unicodedata.combining(old[-tail]):
            tail -= 1
        middle = new[head : len(new) - tail]
        end = self._own(number, len(old) - tail, None) if tail else ""
        return self._own(number, 0, head) + middle + end


def _final_newline(view: str, old: str, new: str) -> Found:
    """`old` ends with the line end that the last line of the file does not have."""
    body = old.removesuffix("\n")
    if body == old or not body or view.endswith("\n") or not view.endswith(body):
        return None
    return Spot(len(view) - len(body), len(view), new.removesuffix("\n"))


def _by_indentation(view: str, old: str, new: str) -> Found:
    """All lines of `old` are indented too much, or too little, by the same blanks."""
    wanted = old.removesuffix("\n").split("\n")
    lines = view.split("\n")
    bare = [line.strip() for line in wanted]
    if not any(bare):
        return None
    hits: list[tuple[int, str, str]] = []
    stripped = [line.strip() for line in lines]
    for number in range(len(lines) - len(wanted) + 1):
        if stripped[number : number + len(wanted)] == bare:
            shift = _shift(wanted, lines[number : number + len(wanted)])
            if shift is not None:
                hits.append((number, *shift))
    if len(hits) > 1:
        return Several(tuple(_offset(lines, number) for number, _, _ in hits))
    if not hits:
        return None
    number, remove, add = hits[0]
    start = _offset(lines, number)
    taken = lines[number : number + len(wanted)]
    end = start + len("\n".join(taken)) + old.endswith("\n")
    moved = _moved(wanted, new.removesuffix("\n").split("\n") if new else [], taken, remove, add)
    if moved is None:
        return None
    text = "\n".join(moved) + ("\n" if new.endswith("\n") else "")
    return Spot(start, min(end, len(view)), text if end <= len(view) else text.removesuffix("\n"))


def _offset(lines: list[str], number: int) -> int:
    return sum(len(line) + 1 for line in lines[:number])


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _shift(wanted: list[str], taken: list[str]) -> tuple[str, str] | None:
    """(blanks to remove, blanks to add) that turn every indentation of `wanted` into that of `taken`."""
    pairs = [(_indent(a), _indent(b)) for a, b in zip(wanted, taken, strict=True) if a.strip()]
    first_old, first_new = pairs[0]
    if first_new.endswith(first_old):
        shift = ("", first_new[: len(first_new) - len(first_old)])
    elif first_old.endswith(first_new):
        shift = (first_old[: len(first_old) - len(first_new)], "")
    else:
        return None
    remove, add = shift
    fits = all(old.startswith(remove) and add + old[len(remove) :] == new for old, new in pairs)
    return shift if fits else None


def _moved(wanted: list[str], new: list[str], taken: list[str], remove: str, add: str) -> list[str] | None:
    result: list[str] = []
    for tag, a1, a2, b1, b2 in opcodes(wanted, new):
        if tag == "equal":
            result += taken[a1:a2]
            continue
        for line in new[b1:b2]:
            if line.strip() and not line.startswith(remove):
                return None
            result.append(add + line[len(remove) :] if line.strip() else line)
    return result


_TOLERANT: tuple[tuple[str, Callable[[str, str, str], Found]], ...] = (
    ("final newline", _final_newline),
    ("trailing whitespace", _by_fold(_no_trailing)),
    ("look-alike characters", _by_fold(_alike)),
    ("indentation", _by_indentation),
)
