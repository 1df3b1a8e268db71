"""Regular expressions: anchors, escapes, repetition, classes, flags."""

from __future__ import annotations

import ast
import re
from typing import Iterator

from ..site import Change, Site, short
from ..source import walked
from .calls import callee, calls_of, closing
from .strings import quoted, strings_of, ticks

PATTERN_CALLS = ("compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "subn")


def pattern(site: Site) -> Iterator[Change]:
    """Regular expressions: anchors, an escaped dot, `+` for `*`, lazy for greedy."""
    for node, value in strings_of(site):
        if not is_pattern(site, node, value):
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
        forms += list(_escaped(value)) + list(_widened(value))
        forms += list(_quantified(value)) + list(_classes(value))
        for rank, other in enumerate(dict.fromkeys(forms)):
            if other != value:
                new = as_literal(site, node, other)
                fault = "matches the wrong text; it should read %s" % ticks(short(new))
                yield Change(
                    site.swap(node, new), min(1.5, 0.1 * rank), "the pattern `%s`" % short(site.text(node)), fault
                )


def _escaped(value: str) -> Iterator[str]:
    """A sign that is meant as itself: `$` that is not at the end, `^` not at the start, brackets, `|`, `+`."""
    for at, sign in enumerate(value):
        inside = (sign == "$" and at < len(value) - 1) or (sign == "^" and at > 0 and value[at - 1] != "[")
        if (inside or sign in "()|+*?") and value[at - 1 : at] != "\\":
            yield value[:at] + "\\" + value[at:]


SEPARATORS = "&,;:/.-_"


def _widened(value: str) -> Iterator[str]:
    """`[^\\s]` becomes `[^&\\s]`: a class leaves out, or takes in, one more sign."""
    for found in re.finditer(r"(?<!\\)\[\^?", value):
        for sign in SEPARATORS:
            if sign not in value[found.end() :].partition("]")[0]:
                yield value[: found.end()] + ("\\-" if sign == "-" else sign) + value[found.end() :]


def is_pattern(site: Site, node: ast.AST, value: str) -> bool:
    call = site.parent(node)
    name = site.text(call.func).rpartition(".")[2] if isinstance(call, ast.Call) else ""
    return len(value) <= 120 and (name in PATTERN_CALLS or re.search(r"[\\\[\](){}^$*+?|]", value) is not None)


def as_literal(site: Site, node: ast.AST, value: str) -> str:
    raw = site.text(node)[:1] in "rR"
    quote = '"' if '"' not in value else "'"
    return "r%s%s%s" % (quote, value, quote) if raw or "\\" in value else quoted(site, node, value)


_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\)|[\w. -]")


def _quantified(value: str) -> Iterator[str]:
    """Every atom with another repetition: `+`, `*`, `?`, none."""
    for found in _ATOM.finditer(value):
        end = found.end()
        quantifier = re.compile(r"[*+?]\??|\{\d*,?\d*\}").match(value, end)
        old = quantifier.group() if quantifier else ""
        telling = old or found.group()[:1] in "\\[)"
        for new in ("+", "*", "?", "", old + "?" if old in ("+", "*") else old):
            if telling and new != old:
                yield value[:end] + new + value[end + len(old) :]


def _classes(value: str) -> Iterator[str]:
    """A character class negated or widened, a letter for its opposite, groups exchanged, a sign in front."""
    for found in re.finditer(r"\[\^?", value):
        turned = "[" if found.group() == "[^" else "[^"
        yield value[: found.start()] + turned + value[found.end() :]
    for found in re.finditer(r"\]", value):
        for more in ("_", "-", ".", "0-9", "A-Z", "a-z"):
            if found.start() and "[" in value[: found.start()]:
                yield value[: found.start()] + more + value[found.start() :]
    yield from _opposites(value)
    if r"\1" in value and r"\2" in value:
        yield value.replace(r"\1", "\0").replace(r"\2", r"\1").replace("\0", r"\2")
    if r"\d" in value:
        yield value.replace(r"\d", r"-?\d", 1)
    for found in re.finditer(r"(?<![\\?(])\((?!\?)", value):
        yield value[: found.start()] + "(?:" + value[found.end() :]
    if len(value) > 2:
        yield "(?:%s)" % value
        yield r"\b%s\b" % value


_OPPOSITES = ((r"\d", r"\w"), (r"\w", r"\S"), (r"\s", r"\S"), (r"\d", r"\D"), (r"\b", r"\B"))


def _opposites(value: str) -> Iterator[str]:
    for one, two in _OPPOSITES:
        for old, new in ((one, two), (two, one)):
            for found in re.finditer(re.escape(old), value):
                yield value[: found.start()] + new + value[found.end() :]


FLAGS = ("re.IGNORECASE", "re.MULTILINE", "re.DOTALL", "re.ASCII", "re.VERBOSE")


def flags(site: Site) -> Iterator[Change]:
    """A flag that the call lacks; a part of a pattern that must be escaped; the group that is meant."""
    for call in calls_of(site):
        name, owner = callee(call)
        what = "`%s`" % short(site.text(call))
        if owner is not None and site.text(owner) == "re" and name in PATTERN_CALLS:
            end, lead = closing(site, call)
            given = site.text(call)
            word = "flags=" if name in ("sub", "subn", "split") else ""
            for rank, flag in enumerate(FLAGS):
                if flag not in given and "flags" not in given:
                    more = lead + word + flag if len(call.args) < 3 or word else " | " + flag
                    yield Change(((end, end, more),), 0.1 * rank, what, "lacks the flag `%s`" % flag)
            for part in walked(call.args[0]) if call.args else ():
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                    new = "re.escape(%s)" % part.id
                    yield Change(site.swap(part, new), 0.2, what, "takes `%s` for a pattern" % part.id)
        if name in ("group", "groups") and owner is not None:
            of = site.text(owner)
            for rank, form in enumerate(("%s.group(1)", "%s.groups()", "%s.group()", "%s.group(2)", "%s.group(0)")):
                new = form % of
                if new != site.text(call):
                    yield Change(site.swap(call, new), 0.15 * rank, what, "reads the wrong group")
