"""The bytes of one file as text that can be edited and put back: every byte outside of an edit survives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.engines.agent.align import opcodes

MAX_BYTES = 2 * 1024 * 1024
_SNIFFED = 8192
_BOM = b"\xef\xbb\xbf"


class Unreadable(Exception):
    """The bytes are not text that can be edited: `kind` is "binary" or "too-large"."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class Unencodable(Exception):
    """New text holds a character that the file's encoding does not have."""


@dataclass(frozen=True)
class Line:
    """One line and the end that it has in the file: "\\n", "\\r\\n", or "" for a last line without one."""

    text: str
    end: str


@dataclass(frozen=True)
class Document:
    """A text file. `view` is what a model sees and edits: every line end in it is "\\n"."""

    lines: tuple[Line, ...]
    encoding: str
    bom: bool = False

    @property
    def view(self) -> str:
        return "".join(line.text + ("\n" if line.end else "") for line in self.lines)

    def encode(self) -> bytes:
        """The bytes of the file. Raises Unencodable."""
        text = "".join(line.text + line.end for line in self.lines)
        try:
            data = text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise Unencodable(
                f"the character {text[error.start]!r} cannot be written in this file's encoding ({self.encoding})"
            ) from error
        return (_BOM if self.bom else b"") + data

    def replaced(self, start: int, end: int, new: str) -> Document:
        """The document with view[start:end] replaced by `new`; lines that stay the same keep their own end."""
        first, column = self._locate(start)
        last, end_column = self._locate(end)
        block = self.lines[first : last + 1]
        head = block[0].text[:column] if block else ""
        tail = _view(block[-1])[end_column:] if block else ""
        fresh = _split(head + new + tail)
        # The end of the last line is outside of the edit unless the edit reaches over it.
        kept = [Line(fresh.pop().text, block[-1].end)] if tail else []
        lines = [*_with_ends(fresh, block[:-1] if tail else block, self._neighbour(first)), *kept]
        return replace(self, lines=(*self.lines[:first], *lines, *self.lines[last + 1 :]))

    def _locate(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset in the view; the end of the view belongs to the last line."""
        number = 0
        for number, line in enumerate(self.lines):
            size = len(_view(line))
            if offset < size:
                return number, offset
            if number == len(self.lines) - 1 and offset == size:
                return number, offset
            offset -= size
        return number, offset

    def _neighbour(self, number: int) -> str:
        """The end that a new line takes: of the line before, else of the line after, else the usual one."""
        near = (number - 1, number, number + 1)
        for other in near:
            if 0 <= other < len(self.lines) and self.lines[other].end:
                return self.lines[other].end
        return self.usual_end()

    def usual_end(self) -> str:
        """The most frequent line end, counted over lines that have one."""
        counted = Counter(line.end for line in self.lines if line.end)
        return counted.most_common(1)[0][0] if counted else "\n"


def decode(data: bytes) -> Document:
    """Read a file. UTF-8 where it is that, else Latin-1, which keeps every byte. Raises Unreadable."""
    text, encoding = _decoded(data)
    return Document(_lines(text), encoding, encoding == "utf-8" and data.startswith(_BOM))


def view(data: bytes) -> str:
    """What `decode(data).view` is, for whoever only looks. Raises Unreadable."""
    return _decoded(data)[0].replace("\r\n", "\n")


def _decoded(data: bytes) -> tuple[str, str]:
    """Text without byte order mark, and its encoding."""
    if len(data) > MAX_BYTES:
        raise Unreadable("too-large", f"the file has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    if b"\0" in data[:_SNIFFED]:
        raise Unreadable("binary", "the file is binary: it holds NUL bytes")
    try:
        return data.removeprefix(_BOM).decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def fresh(text: str) -> Document:
    """A new file with this text, in UTF-8, with the line ends that the text has."""
    return Document(_lines(text), "utf-8")


def _lines(text: str) -> tuple[Line, ...]:
    # Only \n ends a line: a lone \r, \f or U+2028 belongs to it, which rules `splitlines` out.
    parts = text.split("\n")
    lines = [Line(part[:-1], "\r\n") if part.endswith("\r") else Line(part, "\n") for part in parts[:-1]]
    if parts[-1]:
        lines.append(Line(parts[-1], ""))
    return tuple(lines)


def _view(line: Line) -> str:
    return line.text + ("\n" if line.end else "")


def _split(view: str) -> list[Line]:
    """Lines of a piece of view; their ends are still those of the view."""
    parts = view.split("\n")
    found = [Line(part, "\n") for part in parts[:-1]]
    return [*found, Line(parts[-1], "")] if parts[-1] else found


def _with_ends(new: Sequence[Line], old: Sequence[Line], inserted: str) -> list[Line]:
    """Give each new line its end: that of the line which it is or replaces, else that of its neighbour."""
    ends: list[str] = []
    for tag, old_from, old_to, new_from, new_to in opcodes([line.text for line in old], [line.text for line in new]):
        for number in range(new_from, new_to):
            twin = old_from + number - new_from
            known = old[twin].end if tag != "insert" and twin < old_to else ""
            ends.append(known or (ends[-1] if ends and ends[-1] else inserted))
    return [Line(line.text, end if line.end else "") for line, end in zip(new, ends, strict=True)]
