"""Heads of blocks: the colon that is missing, the body that is missing."""

from __future__ import annotations

import re
from typing import Iterator

from ...source import neighbours
from .mend import Broken, Mend

HEAD = re.compile(r"(if|elif|else|for|while|def|class|try|except|finally|with|async|match|case)\b")
_STATEMENT = re.compile(r"\b(return|raise|continue|break|pass|yield)\b")


def colon(broken: Broken) -> Iterator[Mend]:
    """`if x` lacks its `:`; a comma, a semicolon or a brace stands in its place."""
    for cost, line in broken.near():
        tokens = broken.tokens(line)
        head = broken.words(broken.head(line)).strip()
        if not tokens or not HEAD.match(head):
            continue
        last, what = tokens[-1], "`%s`" % head
        if last.text != ":":
            yield Mend(last.end, last.end, ":", cost, what, "lacks its colon")
        if last.text in ";,{=." or last.text == "then":
            yield Mend(last.start, last.end, ":", cost + 0.1, what, "ends with `%s` instead of a colon" % last.text)
        for token in tokens[1:]:
            if _STATEMENT.match(token.text) or token.text == "else":
                yield Mend(token.start, token.start, ": ", cost + 0.3, what, "lacks its colon")
        if tokens[-1].text == ":" and len(tokens) > 1 and tokens[-2].text == ":":
            yield Mend(tokens[-2].start, last.end, ":", cost, what, "has two colons")


def pair_colon(broken: Broken) -> Iterator[Mend]:
    """A colon inside a line: `{"a" 1}`, `lambda x x + 1`, or `=` where it belongs."""
    for cost, line in broken.near(above=1):
        tokens = broken.tokens(line)
        for before, after in neighbours(tokens):
            what = broken.quoted(line)
            inside = broken.scan.depth_at(after.start) > 0
            if before.value and after.value and (inside or "lambda" in broken.words(line)):
                fault = "lacks a colon before `%s`" % after.text
                yield Mend(before.end, before.end, ":", cost + 0.5, what, fault)
            if inside and after.text == "=":
                yield Mend(after.start, after.end, ":", cost + 0.6, what, "has `=` where a colon belongs")


def body(broken: Broken) -> Iterator[Mend]:
    """A head without a body: the lines behind it belong into it, or there must be a `pass`."""
    for cost, line in broken.near(above=2):
        tokens = broken.tokens(line)
        if not tokens or tokens[-1].text != ":":
            continue
        head, what = broken.head(line), broken.quoted(broken.head(line))
        deeper = broken.indent(head) + step(broken)
        end = broken.span(line)[1]
        text = "%s%spass" % (broken.newline, deeper)
        yield Mend(end, end, text, cost + 1.2, what, "has no body")
        yield from _taken_in(broken, line, cost, what, deeper)


def _taken_in(broken: Broken, line: int, cost: float, what: str, deeper: str) -> Iterator[Mend]:
    """The next lines, one to eight, go one step deeper."""
    flat = broken.indent(broken.head(line))
    start, pieces = None, ""
    for count, below in enumerate(range(line + 1, min(line + 9, len(broken.starts) + 1))):
        words = broken.words(below)
        if words.strip() and (not words.startswith(flat) or (broken.indent(below) != flat and start is None)):
            return
        start = broken.starts[below - 1] if start is None else start
        pieces += (broken.newline if count else "") + (deeper + words[len(flat) :] if words.strip() else words)
        fault = "has its body not indented"
        if words.strip():
            yield Mend(start, broken.span(below)[1], pieces, cost + 0.1 * count, what, fault)


def step(broken: Broken) -> str:
    """One level of indentation as the file writes it."""
    found = re.search(r"^( {2,8}|\t)\S", broken.text, re.MULTILINE)
    return found.group(1) if found else "    "
