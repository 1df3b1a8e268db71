"""Marks between words: a comma that is missing, `=` for `==`, an operator that Python spells otherwise."""

from __future__ import annotations

import keyword
import re
from typing import Dict, Iterator, Tuple

from ...source import neighbours
from .mend import Broken, Mend
from .scan import Token

SPELLED: Dict[str, Tuple[str, ...]] = {
    "&&": (" and ",),
    "||": (" or ",),
    "===": ("==",),
    "!==": ("!=",),
    "=<": ("<=",),
    "=>": (">=", ":"),
    "=!": ("!=",),
    "<>": ("!=",),
    "= =": ("==",),
    "> =": (">=",),
    "< =": ("<=",),
    "! =": ("!=",),
    "::": (":",),
    "->": (".", ":"),
    ";": ("", ","),
    ",,": (",",),
    "..": (".",),
    ":=": ("=",),
}
_BETWEEN = (".", " ==", " =", " +", " in", " and", " or", " not in", " if", " for", " as", " import")


def _gaps(broken: Broken, line: int) -> Iterator[Tuple[Token, Token]]:
    """Neighbours that cannot stand side by side."""
    tokens = broken.tokens(line)
    if line < len(broken.starts):
        tokens += broken.tokens(line + 1)[:1]
    for before, after in neighbours(tokens):
        words = keyword.iskeyword(before.text) or keyword.iskeyword(after.text)
        plain = ("None", "True", "False")
        if words and before.text not in plain and after.text not in (*plain, "lambda", "not"):
            continue
        if before.value and (after.text[:1].isalnum() or after.text[:1] in "_'\"([{*"):
            yield before, after


def comma(broken: Broken) -> Iterator[Mend]:
    """Two entries, arguments or parameters with nothing between them."""
    for cost, line in broken.near(above=2):
        for before, after in _gaps(broken, line):
            inside = broken.scan.depth_at(after.start) > 0
            fault = "lacks a comma before `%s`" % after.text.split("\n")[0]
            yield Mend(before.end, before.end, ",", cost + (0.0 if inside else 0.6), broken.quoted(line), fault)
        for token in broken.tokens(line):
            if token.text in ".;:" and broken.scan.depth_at(token.start) > 0:
                fault = "has `%s` where a comma belongs" % token.text
                yield Mend(token.start, token.end, ",", cost + 0.7, broken.quoted(line), fault)
            if token.text == ",":
                yield Mend(token.start, token.end, "", cost + 0.8, broken.quoted(line), "has a comma too many")


def operator(broken: Broken) -> Iterator[Mend]:
    """Two operands with nothing between them, or an operator with nothing behind it."""
    for cost, line in broken.near(above=1):
        for before, after in _gaps(broken, line):
            for rank, mark in enumerate(_BETWEEN):
                fault = "lacks `%s` before `%s`" % (mark.strip(), after.text)
                end = after.start if mark == "." else before.end
                yield Mend(before.end, end, mark, cost + 0.6 + 0.1 * rank, broken.quoted(line), fault)
        for token in broken.tokens(line):
            if not token.value:
                fault = "has a `%s` too many" % token.text
                yield Mend(token.start, token.end, "", cost + 0.9, broken.quoted(line), fault)


def equals(broken: Broken) -> Iterator[Mend]:
    """`=` in a condition, where `==` is meant; the two sides of an assignment exchanged."""
    for cost, line in broken.near(above=1):
        for token in broken.tokens(line):
            if token.text == "=":
                fault = "assigns with `=` where `==` is meant"
                yield Mend(token.start, token.end, "==", cost, broken.quoted(line), fault)
                yield Mend(
                    token.start, token.end, ":=", cost + 0.7, broken.quoted(line), "assigns inside an expression"
                )
        start, end = broken.span(line)
        found = re.match(r"(\s*)(\S[^=]*?) = ([\w.\[\]]+)$", broken.words(line))
        if found:
            text = "%s%s = %s" % (found.group(1), found.group(3), found.group(2))
            yield Mend(start, end, text, cost + 0.3, broken.quoted(line), "assigns to what is no variable")


def spelled(broken: Broken) -> Iterator[Mend]:
    """`&&`, `||`, `!x`, `=>`, `<>`, `x++` and the like."""
    for cost, line in broken.near(above=1):
        start, _end = broken.span(line)
        words, what = broken.words(line), broken.quoted(line)
        for old, news in SPELLED.items():
            for rank, new in enumerate(news):
                spots = list(re.finditer(r"\s*%s\s*" % re.escape(old) if new[:1] == " " else re.escape(old), words))
                fault = (
                    "uses `%s`, which Python spells `%s`" % (old, new.strip()) if new else "has a `%s` too many" % old
                )
                text = re.sub(r"\s*%s\s*" % re.escape(old) if new[:1] == " " else re.escape(old), new, words)
                if spots:
                    yield Mend(start, start + len(words), text, cost + 0.2 * rank, what, fault)
        for pattern, new, fault in _OTHERWISE:
            text = re.sub(pattern, new, words)
            if text != words:
                yield Mend(start, start + len(words), text, cost, what, fault)


_OTHERWISE = (
    (r"!(?=[\w(])", "not ", "uses `!`, which Python spells `not`"),
    (r"(\w[\w.\[\]]*)\s*\+\+", r"\1 += 1", "uses `++`, which Python does not have"),
    (r"(\w[\w.\[\]]*)\s*--", r"\1 -= 1", "uses `--`, which Python does not have"),
    (r"\+\+\s*(\w[\w.\[\]]*)", r"\1 += 1", "uses `++`, which Python does not have"),
    (
        r"(?<![=!<>])\b(\S.*?)\s*\?\s*(.+?)\s*:\s*(.+?)$",
        r"\2 if \1 else \3",
        "uses `? :`, which Python writes with `if` and `else`",
    ),
    (
        r"(= |return )(\S.*?)\s*\?\s*(.+?)\s*:\s*(.+?)$",
        r"\1\3 if \2 else \4",
        "uses `? :`, which Python writes with `if` and `else`",
    ),
    (r"\b0(\d+)\b", r"0o\1", "writes an octal number without `0o`"),
    (r"\b0+(\d)", r"\1", "has zeros in front of a number"),
    (r"\b(\d+)[lL]\b", r"\1", "has an `L` behind a number"),
    (r"(?<=[\d_])\s+(?=\d{3}\b)", "_", "has a space inside a number"),
    (r"(\S)//(?!=)\s*(?=[A-Z ])(.*)$", r"\1  # \2", "begins a comment with `//`"),
    (r"^(\s*)//+", r"\1#", "begins a comment with `//`"),
    (r"/\*+\s*(.*?)\s*\*+/", r"# \1", "writes a comment between `/*` and `*/`"),
    (r"`([^`]+)`", r"repr(\1)", "uses backquotes"),
)
