"""Cuts the source of a template into text, prints and tags."""

import re
from dataclasses import dataclass

from stencil.errors import TemplateSyntaxError

TEXT, PRINT, TAG = "text", "print", "tag"

_OPENERS = {"{{": (PRINT, "}}"), "{%": (TAG, "%}"), "{#": (None, "#}")}
_OPEN = re.compile(r"\{[{%#]")


@dataclass(frozen=True)
class Piece:
    """One piece of a template. `line` is where it begins, counted from 1."""

    kind: str
    text: str
    line: int


class Lexer:
    """Iterates over the pieces of one source.

    With `trim_blocks`, one line end directly after a tag or a comment is dropped.
    """

    def __init__(self, source, trim_blocks=False):
        self.source = source
        self.trim_blocks = trim_blocks
        self.line = 1

    def __iter__(self):
        position = 0
        strip_next = False
        while True:
            match = _OPEN.search(self.source, position)
            end = match.start() if match else len(self.source)
            text = self.source[position:end]
            started = self.line
            self.line += text.count("\n")
            if strip_next:
                text = text.lstrip()
            if match and self.source.startswith("-", match.end()):
                text = text.rstrip()
            if text:
                yield Piece(TEXT, text, started)
            if match is None:
                return
            kind, inner, line, position, strip_next = self._delimited(match)
            if kind is not None:
                yield Piece(kind, inner, line)
            if self.trim_blocks and kind != PRINT and self.source.startswith("\n", position):
                position += 1
                self.line += 1

    def _delimited(self, match):
        kind, closer = _OPENERS[match.group()]
        line = self.line
        end = self._closing(match.end(), closer, quoted=kind is not None)
        if end < 0:
            raise TemplateSyntaxError(f"{match.group()} is never closed", line)
        inner = self.source[match.end() : end]
        self.line += inner.count("\n")
        strip = inner.endswith("-") and len(inner) > 1
        inner = inner[1:] if inner.startswith("-") else inner
        inner = inner[:-1] if strip else inner
        return kind, inner.strip(), line, end + len(closer), strip

    def _closing(self, position, closer, quoted):
        """Where the delimiter is closed; a closer inside of quotes does not count. -1 when nowhere."""
        quote = None
        while position < len(self.source):
            letter = self.source[position]
            if quote is not None:
                if letter == "\\":
                    position += 1
                elif letter == quote:
                    quote = None
            elif quoted and letter in "'\"":
                quote = letter
            elif self.source.startswith(closer, position):
                return position
            position += 1
        return -1
