"""Indentation: a line too deep, not deep enough, between two levels, with tabs among spaces."""

from __future__ import annotations

import re
from typing import Dict, Iterator, List

from .heads import step
from .mend import Broken, Mend

LONGEST = 12


def line_depth(broken: Broken) -> Iterator[Mend]:
    """A line, or it and those that follow, goes to a depth that lines near by have."""
    for cost, line in broken.near(above=1):
        words = broken.words(line)
        for rank, indent in enumerate(_depths(broken, line)):
            if indent == broken.indent(line):
                continue
            word = "too deep" if len(indent) < len(broken.indent(line)) else "not deep enough"
            start, text = broken.starts[line - 1], indent + words.lstrip()
            what, fault = broken.quoted(line), "is indented %s" % word
            yield Mend(start, start + len(words), text, cost + 0.1 * rank, what, fault)
            yield from _block(broken, line, indent, cost + 0.1 * rank + 0.15, fault)


def _depths(broken: Broken, line: int) -> List[str]:
    """Depths of the lines round about, and one step more and less, nearest first."""
    found: Dict[str, None] = {}
    for other in [line - 1, line + 1, line - 2, line + 2, *range(line - 3, max(0, line - 25), -1)]:
        if 1 <= other <= len(broken.starts) and broken.words(other).strip():
            found.setdefault(broken.indent(other), None)
    found.setdefault(broken.indent(line) + step(broken), None)
    found.setdefault(broken.indent(line)[: -len(step(broken))], None)
    return list(found)[:8]


def _block(broken: Broken, line: int, indent: str, cost: float, fault: str) -> Iterator[Mend]:
    """The line and one to eleven behind it, kept in step."""
    old, start = broken.indent(line), broken.starts[line - 1]
    pieces = indent + broken.words(line).lstrip()
    for count, below in enumerate(range(line + 1, min(line + LONGEST, len(broken.starts) + 1))):
        words = broken.words(below)
        if words.strip() and not words.startswith(old):
            return
        pieces += broken.newline + (indent + words[len(old) :] if words.strip() else words)
        if words.strip():
            yield Mend(start, broken.span(below)[1], pieces, cost + 0.05 * count, broken.quoted(line), fault)


def tabs(broken: Broken) -> Iterator[Mend]:
    """Tabs among spaces, or spaces among tabs: all become what most lines have."""
    leads = re.findall(r"^[ \t]+(?=\S)", broken.text, re.MULTILINE)
    if not any("\t" in lead for lead in leads) or not any(" " in lead for lead in leads):
        return
    tabbed = len([lead for lead in leads if "\t" in lead]) * 2 > len(leads)
    for rank, width in enumerate((4, 8, 2)):
        text = "".join(_evened(line, width, tabbed) for line in broken.text.splitlines(keepends=True))
        if text != broken.text:
            fault = "mixes tabs and spaces in its indentation"
            yield Mend(0, len(broken.text), text, 0.2 * rank, broken.quoted(broken.line), fault)


def _evened(line: str, width: int, tabbed: bool) -> str:
    lead = re.match(r"[ \t]*", line)
    assert lead is not None
    wide = lead.group().expandtabs(width)
    return ("\t" * (len(wide) // width) if tabbed else wide) + line[lead.end() :]


def outside(broken: Broken) -> Iterator[Mend]:
    """`return`, `yield`, `break` or `continue` outside what they end: into the block above, or away."""
    if "outside" not in broken.message and "not properly in loop" not in broken.message:
        return
    line = broken.line
    words, start = broken.words(line), broken.starts[line - 1]
    what = broken.quoted(line)
    fault = "stands outside the block that it belongs into"
    for rank, indent in enumerate(_depths(broken, line)):
        if len(indent) > len(broken.indent(line)):
            yield Mend(start, start + len(words), indent + words.lstrip(), 0.1 * rank, what, fault)
    yield from _above_too(broken, line, fault)
    for rank, new in enumerate(("return", "pass")):
        if re.match(r"\s*(break|continue)\b", words):
            text = broken.indent(line) + new
            yield Mend(start, start + len(words), text, 0.8 + 0.1 * rank, what, "stands in no loop")


def _above_too(broken: Broken, line: int, fault: str) -> Iterator[Mend]:
    """The lines above that slipped out of the block with it go back too."""
    flat, pieces = broken.indent(line), ""
    deeper = flat + step(broken)
    for count, above in enumerate(range(line, max(0, line - LONGEST), -1)):
        words = broken.words(above)
        if words.strip() and (not words.startswith(flat) or re.match(r"\s*(def|class|async|@)", words)):
            return
        pieces = (
            (deeper + words[len(flat) :] if words.strip() else words) + (broken.newline if count else "") + pieces
        )
        start, end = broken.starts[above - 1], broken.span(line)[1]
        yield Mend(start, end, pieces, 0.3 + 0.05 * count, broken.quoted(line), fault)
