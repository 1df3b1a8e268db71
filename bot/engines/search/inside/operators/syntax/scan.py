"""A lenient reading of Python text: which characters are code, which brackets and quotes are left open."""

from __future__ import annotations

import re
from typing import List, NamedTuple, Tuple

PAIRS = {"(": ")", "[": "]", "{": "}"}
OPENERS = {closer: opener for opener, closer in PAIRS.items()}
_QUOTE = re.compile(r"'''|\"\"\"|'|\"")
_TOKEN = re.compile(r"[^\W\d]\w*|\d[\w.]*|\*\*=?|//=?|[-+*/%&|^<>=!@]=|->|:=|\S")


class Token(NamedTuple):
    """A piece of code, or a string or comment as a whole."""

    text: str
    start: int
    end: int

    @property
    def value(self) -> bool:
        """True for what can end an operand."""
        return self.text[:1].isalnum() or self.text[:1] in "_'\")]}"


class Scan:
    """A text cut into tokens. Offsets are characters."""

    def __init__(self, text: str) -> None:
        self.tokens: List[Token] = []
        self.open: List[Tuple[str, int]] = []
        """Brackets that nothing closes, outermost first."""
        self.strays: List[Tuple[str, int]] = []
        """Closing brackets that close nothing, or something of another kind."""
        self.unclosed: List[Tuple[str, int]] = []
        """Quotes that begin a string without end."""
        self.deep: List[Tuple[int, int]] = []
        """Offset and depth of brackets from there on."""
        at = 0
        while at < len(text):
            at = self._step(text, at)

    def _step(self, text: str, at: int) -> int:
        if text[at].isspace():
            return at + 1
        if text[at] == "#":
            return self._ended(text, at, _line_end(text, at))
        prefixed = re.compile(r"[rRbBuUfF]{0,2}(?='|\")").match(text, at)
        if prefixed:
            return self._string(text, at, prefixed.end())
        found = _TOKEN.match(text, at)
        assert found is not None
        self._bracket(found.group(), at)
        return self._ended(text, at, found.end())

    def _ended(self, text: str, start: int, end: int) -> int:
        self.tokens.append(Token(text[start:end], start, end))
        return end

    def _bracket(self, word: str, at: int) -> None:
        if word in PAIRS:
            self.open.append((word, at))
        elif word in OPENERS:
            if self.open and self.open[-1][0] == OPENERS[word]:
                self.open.pop()
            else:
                self.strays.append((word, at))
        self.deep.append((at, len(self.open)))

    def _string(self, text: str, start: int, at: int) -> int:
        quote = _QUOTE.match(text, at)
        assert quote is not None
        mark = quote.group()
        end = quote.end()
        while end < len(text):
            if text[end] == "\\":
                end += 2
            elif text.startswith(mark, end):
                return self._ended(text, start, end + len(mark))
            elif text[end] in "\r\n" and len(mark) == 1:
                break
            else:
                end += 1
        self.unclosed.append((mark, at))
        return self._ended(text, start, min(end, len(text)))

    def depth_at(self, offset: int) -> int:
        """How many brackets are open there."""
        depth = 0
        for at, deep in self.deep:
            if at >= offset:
                break
            depth = deep
        return depth


def _line_end(text: str, at: int) -> int:
    found = re.compile(r"[\r\n]").search(text, at)
    return found.start() if found else len(text)
