"""Regular expressions: anchors, escapes, repetition, classes, flags."""

from __future__ import annotations

import ast
import re
from typing import Iterator

from ..site import Change, Site, short
from .strings import quoted, strings_of, ticks

PATTERN_CALLS = ("compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "subn")


def pattern(site: Site) -> Iterator[Change]:
    """Regular expressions: anchors, an escaped dot, `+` for `*`, lazy for greedy."""
    for node, value in strings_of(site):
        if not _is_pattern(site, node, value):
            continue
        forms = [value + "$", "^" + value, value + r"\Z", value.replace("*", "+", 1), value.replace("+", "*", 1)]
        forms += [value + "+", value.replace("]", "]+", 1), value.replace("]+", "]", 1), value + "*"]
        forms += [
            re.sub(r"(?<!\\)\.(?![*+?])", r"\\.", value, count=1),
            re.sub(r"([*+])(?!\?)", r"\1?", value, count=1),
        ]
        forms += [
            value.replace("?", "", 1),
            value.lstrip("^"),
            value.rstrip("$"),
            value.replace(r"\d", r"\w"),
            value + "?",
        ]
        for rank, other in enumerate(dict.fromkeys(forms)):
            if other != value:
                new = _regex(site, node, other)
                fault = "matches the wrong text; it should read %s" % ticks(short(new))
                yield Change(site.swap(node, new), 0.15 * rank, "the pattern `%s`" % short(site.text(node)), fault)


def _is_pattern(site: Site, node: ast.AST, value: str) -> bool:
    call = site.parent(node)
    name = site.text(call.func).rpartition(".")[2] if isinstance(call, ast.Call) else ""
    return len(value) <= 120 and (name in PATTERN_CALLS or re.search(r"[\\\[\](){}^$*+?|]", value) is not None)


def _regex(site: Site, node: ast.AST, value: str) -> str:
    raw = site.text(node)[:1] in "rR"
    quote = '"' if '"' not in value else "'"
    return "r%s%s%s" % (quote, value, quote) if raw or "\\" in value else quoted(site, node, value)
