"""Brackets: one that nothing closes, one that closes nothing, one of the wrong kind."""

from __future__ import annotations

from typing import Iterator, Tuple

from .mend import Broken, Mend
from .scan import OPENERS, PAIRS

FARTHEST = 12


def unclosed(broken: Broken) -> Iterator[Mend]:
    """`f(x` lacks its bracket: at the end of the line, in front of its colon, or behind another word."""
    for opener, at in broken.scan.open[-3:]:
        closer = PAIRS[opener]
        first = broken.line_of(at)
        what = broken.quoted(first)
        fault = "opens a `%s` that nothing closes" % opener
        for cost, end in _ends(broken, first, at):
            yield Mend(end, end, closer, cost, what, fault)
        yield Mend(at, at + 1, "", 1.0, what, "has a `%s` too many" % opener)
        for cost, line in _further_lines(broken, first):
            start, end = broken.span(line)
            text = broken.newline + broken.indent(first) + closer
            yield Mend(end, end, text, cost + 0.3, what, fault)
            comma = broken.text[start:end].rstrip().endswith(",")
            yield Mend(end, end, closer, cost + (0.5 if comma else 0.0), what, fault)


def _ends(broken: Broken, line: int, at: int) -> Iterator[Tuple[float, int]]:
    """Where the bracket may close on its own line: behind the last word, then behind those before."""
    tokens = [token for token in broken.tokens(line) if token.start > at]
    for rank, token in enumerate(reversed(tokens)):
        if token.value or token.text in ",":
            yield 0.05 * rank, token.end
    if not tokens:
        yield 0.2, at + 1


def _further_lines(broken: Broken, first: int) -> Iterator[Tuple[float, int]]:
    """Lines below that may end what was opened: the entries of a table, the arguments of a call."""
    for distance in range(1, FARTHEST):
        line = first + distance
        if line > len(broken.starts):
            return
        if broken.words(line).strip():
            yield 0.1 * distance, line


def stray(broken: Broken) -> Iterator[Mend]:
    """`f(x))` has a bracket too many, `f(x]` one of the wrong kind, `x)` none that opens."""
    for closer, at in broken.scan.strays[:3]:
        line = broken.line_of(at)
        what = broken.quoted(line)
        yield Mend(at, at + 1, "", 0.1, what, "has a `%s` too many" % closer)
        for opener, start in broken.scan.open[-2:]:
            if start < at:
                right = PAIRS[opener]
                yield Mend(at, at + 1, right, 0.0, what, "closes `%s` with `%s`" % (opener, closer))
                yield Mend(at, at, right, 0.2, what, "opens a `%s` that nothing closes" % opener)
                yield Mend(
                    start,
                    start + 1,
                    OPENERS[closer],
                    0.2,
                    what,
                    "opens with `%s` what `%s` closes" % (opener, closer),
                )
        tokens = [token for token in broken.tokens(line) if token.end <= at]
        for rank, token in enumerate(reversed(tokens)):
            if token.value:
                fault = "closes a `%s` that nothing opens" % closer
                yield Mend(token.start, token.start, OPENERS[closer], 0.4 + 0.1 * rank, what, fault)
                if token.text[:1].isalpha():
                    gap = len(broken.text[token.end :]) - len(broken.text[token.end :].lstrip(" "))
                    yield Mend(token.end, token.end + gap, OPENERS[closer], 0.3 + 0.1 * rank, what, fault)
