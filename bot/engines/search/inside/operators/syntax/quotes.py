"""Quotes: a string that never ends, ends with the other quote, or holds its own quote."""

from __future__ import annotations

import re
from typing import Iterator

from .mend import Broken, Mend

FARTHEST = 40
LOOKALIKES = {
    "\u201c": '"',
    "\u201d": '"',
    "\u201e": '"',
    "\u2018": "'",
    "\u2019": "'",
    "\u2013": "-",
    "\u2014": "-",
    "\u2212": "-",
    "\uff0c": ",",
    "\uff08": "(",
    "\uff09": ")",
    "\uff1a": ":",
    "\uff1b": ";",
    "\u00d7": "*",
    "\u00f7": "/",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
    "\u00a0": " ",
    "\u200b": "",
}
"""Letters of word processors and wide alphabets -> what Python reads."""


def unclosed(broken: Broken) -> Iterator[Mend]:
    """`"text` never ends: its quote goes to the end of the line, or in front of the brackets there."""
    for mark, at in broken.scan.unclosed[-2:]:
        line = broken.line_of(at)
        what, end = broken.quoted(line), broken.span(line)[1]
        if len(mark) == 3:
            yield from _long(broken, mark, at)
            continue
        fault = "has a string that never ends"
        rest = broken.text[at + 1 : end]
        spots = [found.end() for found in re.finditer(r"[\w.!?%}/\\>-]+(?=\W*$|[\s)\]},:;+=])", rest)] + [len(rest)]
        for rank, spot in enumerate(sorted(set(spots), reverse=True)):
            cost = 0.3 if re.search(r"[)\]},:;]\s*$", rest[:spot]) else 0.05 * rank
            yield Mend(at + 1 + spot, at + 1 + spot, mark, cost, what, fault)
        other = "'" if mark == '"' else '"'
        found = rest.rfind(other)
        if found >= 0:
            spot = at + 1 + found
            yield Mend(spot, spot + 1, mark, 0.0, what, "ends a string with another quote than it begins with")
        yield Mend(at, at + 1, "", 0.4, what, "has a quote too many")
        if rest[-1:] == mark and rest[-2:-1] == "\\":
            yield Mend(end - 1, end - 1, "\\", 0.0, what, "escapes its last quote with the backslash before it")
    yield from _other_start(broken)


def _other_start(broken: Broken) -> Iterator[Mend]:
    """`'text"`: the quote at the start is the wrong one."""
    for mark, at in broken.scan.unclosed[-1:]:
        other = "'" if mark == '"' else '"'
        line = broken.line_of(at)
        before = [token for token in broken.tokens(line) if token.start < at]
        if other in broken.text[at + 1 : broken.span(line)[1]]:
            fault = "begins a string with another quote than it ends with"
            yield Mend(at, at + 1, other, 0.1, broken.quoted(line), fault)
        for token in before[-1:]:
            if token.text.isidentifier():
                fault = "lacks the quote in front of `%s`" % token.text
                yield Mend(token.start, token.start, mark, 0.2, broken.quoted(line), fault)


def _long(broken: Broken, mark: str, at: int) -> Iterator[Mend]:
    """A text in three quotes: it ends on its line, or on a line of its own in front of the code."""
    first = broken.line_of(at)
    what, fault = broken.quoted(first), "begins a text in three quotes that never ends"
    end = broken.span(first)[1]
    if end > at + 3:
        yield Mend(end, end, mark, 0.0, what, fault)
        ended = re.search(re.escape(mark[0]) + r"{1,2}\s*$", broken.text[at + 3 : end])
        if ended:
            yield Mend(at + 3 + ended.start(), end, mark, -0.1, what, fault)
    for distance in range(1, FARTHEST):
        line = first + distance
        if line > len(broken.starts):
            break
        words = broken.words(line).rstrip()
        start, stop = broken.starts[line - 1], broken.span(line)[1]
        if words.endswith((mark[0], mark[:2])):
            yield Mend(start + len(words.rstrip(mark[0])), stop, mark, 0.0, what, fault)
        if words.strip() == "" or broken.words(line).strip() == mark[:2]:
            text = broken.indent(first) + mark + (broken.newline if not words.strip() else "")
            yield Mend(start, start if not words.strip() else stop, text, 0.1 + 0.02 * distance, what, fault)
        yield Mend(stop, stop, mark, 0.3 + 0.02 * distance, what, fault)
        yield Mend(start, start, broken.indent(first) + mark + broken.newline, 0.2 + 0.02 * distance, what, fault)
    yield Mend(at, at + 3, "", 0.8, what, "has three quotes too many")


def inner(broken: Broken) -> Iterator[Mend]:
    """`'don't'` and `f"{d["k"]}"`: a quote inside ends the string too early."""
    for cost, line in broken.near(above=1):
        start, _end = broken.span(line)
        words, what = broken.words(line), broken.quoted(line)
        fault = "holds a quote that ends its string too early"
        for mark, other in (("'", '"'), ('"', "'")):
            spots = [found.start() for found in re.finditer(re.escape(mark), words)]
            if len(spots) < 3:
                continue
            for spot in spots[1:-1]:
                yield Mend(start + spot, start + spot, "\\", cost + 0.3, what, fault)
            for first, last in ((spots[0], spots[-1]), (spots[0], spots[2])):
                text = other + words[first + 1 : last] + other
                yield Mend(start + first, start + last + 1, text, cost, what, fault)
            inside = words[spots[0] + 1 : spots[-1]].replace(mark, other)
            yield Mend(start + spots[0] + 1, start + spots[-1], inside, cost + 0.1, what, fault)


def escapes(broken: Broken) -> Iterator[Mend]:
    """Backslashes read as escapes, or with something behind them; letters of a word processor."""
    for cost, line in broken.near(above=1):
        start, _end = broken.span(line)
        words, what = broken.words(line), broken.quoted(line)
        for token in broken.tokens(line):
            if "\\" in token.text and token.text[:1] in "'\"":
                fault = "has backslashes that are read as escapes: it must be a raw string"
                yield Mend(token.start, token.start, "r", cost, what, fault)
        found = re.search(r"\\[ \t]+$", words)
        if found:
            yield Mend(start + found.start(), start + len(words), "\\", cost, what, "has spaces behind its backslash")
        for found in re.finditer(r"[ \t]*\\(?=[^\\])", words):
            yield Mend(start + found.start(), start + found.end(), "", cost + 0.5, what, "has a backslash too many")
        plain = "".join(LOOKALIKES.get(letter, letter) for letter in words)
        if plain != words:
            fault = "has a character that only looks like one of Python's"
            yield Mend(start, start + len(words), plain, cost, what, fault)


def fields(broken: Broken) -> Iterator[Mend]:
    """Braces of an f-string: one that nothing closes, one that must be doubled, an empty field."""
    for cost, line in broken.near(above=1):
        what = broken.quoted(line)
        for token in broken.tokens(line):
            if not re.match(r"[rR]?[fF][rR]?['\"]", token.text):
                continue
            for found in re.finditer(r"\{[\w.\[\]]*(?=[^\w.\[\]}{:!])|\{[\w.]+(?=$)", token.text):
                spot = token.start + found.end()
                yield Mend(spot, spot, "}", cost, what, "has a field that nothing closes")
            for found in re.finditer(r"(?<![}\w\])'\"])\}(?!\})|(?<=\w)\}(?!\})", token.text):
                spot = token.start + found.start()
                yield Mend(spot, spot, "}", cost + 0.5, what, "has a brace that must be doubled")
                yield Mend(spot, spot + 1, "", cost + 0.4, what, "has a brace too many")
            for found in re.finditer(r"(?<=[\s'\"(])(\w+)\}", token.text):
                spot = token.start + found.start()
                yield Mend(spot, spot, "{", cost, what, "has a field that nothing opens")
            doubled = re.sub(r"\{(\s*)\}", r"{{\1}}", token.text)
            if doubled != token.text:
                yield Mend(token.start, token.end, doubled, cost + 0.1, what, "has braces that must be doubled")
            bare = re.sub(r"^([rR]?)[fF]", r"\1", token.text)
            yield Mend(token.start, token.end, bare, cost + 0.9, what, "is no f-string")
