"""A branch more, made after its sibling: for another literal or kind, with what the messages show in its body."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, List, Optional, Tuple

from ..site import Change, Site, short
from .asked import kinds_told_apart
from .calls import callee
from .members import in_place_of, others, said_texts

MOST_LITERALS = 6
MOST_BODIES = 6


def branch(site: Site) -> Iterator[Change]:
    """`if x == "a": …` gets `elif x == "b": …` behind it, `isinstance` another kind; the body says so too."""
    stmt = site.stmt
    named = _named(site, stmt.test) if isinstance(stmt, ast.If) else None
    if named is None or not isinstance(stmt, ast.If) or not _is_plain(site, stmt):
        return
    node, texts = named
    last = site.source.lines_of(stmt.body[-1])[1]
    head, body = _head_and_body(site, stmt)
    old = site.text(node)
    for rank, new in enumerate(texts[:MOST_LITERALS]):
        for more, other in enumerate(_bodies(site, stmt, body, old, new)):
            text = "%selif %s%s" % (site.source.indent(stmt), head.replace(old, new, 1), other)
            fault = "has no branch for `%s`" % short(new)
            cost = 0.12 * rank + 0.15 * more
            yield Change(((last, last, text),), cost, "`%s`" % short(site.text(stmt.test)), fault)


def _named(site: Site, test: ast.expr) -> Optional[Tuple[ast.expr, List[str]]]:
    """The literal or kind that a test asks for, and which others it could ask for."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        one = test.comparators[0]
        if isinstance(one, ast.Constant) and isinstance(one.value, (str, int)):
            return one, others(site, [one])
    if isinstance(test, ast.Call) and len(test.args) == 1 and callee(test)[0] in ("startswith", "endswith"):
        if isinstance(test.args[0], ast.Constant):
            return test.args[0], others(site, test.args)
    if isinstance(test, ast.Call) and callee(test)[0] == "isinstance" and len(test.args) == 2:
        own = site.text(test.args[1])
        return test.args[1], [kind for kind in kinds_told_apart(site.source) if kind != own]
    return None


def _is_plain(site: Site, stmt: ast.If) -> bool:
    """A branch of few lines that stand alone, with its head on one line."""
    one_line = stmt.lineno == (stmt.test.end_lineno or stmt.lineno) and stmt.body[0].lineno > stmt.lineno
    few = (stmt.body[-1].end_lineno or 0) - stmt.lineno <= 5
    return one_line and few and site.source.alone(stmt.body[-1]) and not site.source.indent(stmt).strip()


def _head_and_body(site: Site, stmt: ast.If) -> Tuple[str, str]:
    start = site.source.span(stmt.test)[0]
    middle = site.source.line_end(stmt.test.end_lineno or stmt.lineno)
    end = site.source.lines_of(stmt.body[-1])[1]
    data = site.source.data
    return data[start:middle].decode("utf-8"), data[middle:end].decode("utf-8")


def _bodies(site: Site, stmt: ast.If, body: str, old: str, new: str) -> List[str]:
    """As it is; with the other literal; with another value in its last line."""
    word, other = old.strip("'\""), new.strip("'\"")
    found: Dict[str, None] = {}
    if word.isidentifier() and re.search(r"\b%s\b" % re.escape(word), body):
        found[re.sub(r"\b%s\b" % re.escape(word), lambda _found: other, body)] = None
    value = getattr(stmt.body[-1], "value", None)
    if isinstance(value, ast.Constant) and "\n" not in site.text(value):
        quote = site.text(value)[:1] if isinstance(value.value, str) else ""
        texts = [quote + text + quote for text in said_texts(site.hints) if quote and quote not in text]
        numbers = [n for red in site.hints.reds for n in re.findall(r"-?\b\d+\b", red.message)]
        texts += [number for number in numbers if not quote and isinstance(value.value, int)]
        for text in texts:
            head, _sep, tail = body.rpartition(site.text(value))
            found[head + text + tail] = None
    found[body] = None
    return list(found)[:MOST_BODIES]


def follows(site: Site) -> Iterator[Change]:
    """`if x.y: …` is copied for another attribute or argument: what a block does for one, it does for no other."""
    stmt = site.stmt
    if not isinstance(stmt, ast.If) or stmt.orelse or not _is_plain(site, stmt) or not site.source.alone(stmt):
        return
    start, end = site.source.lines_of(stmt)
    text = site.source.data[start:end].decode("utf-8")
    if text.lstrip().startswith("elif"):
        return
    whole = site.text(site.function) if site.function is not None else text
    words = [name for name in _words(site) if re.search(r"\b%s\b" % re.escape(name), text)]
    for old in words:
        unread = [name for name in _words(site) if not re.search(r"\b_*%s\b" % re.escape(name), _body_of(whole))]
        for rank, new in enumerate(unread[:4]):
            copied = in_place_of(text, old, new)
            fault = "does nothing of the kind for `%s`" % new
            yield Change(((end, end, copied),), 0.15 * rank, "`%s`" % short(site.text(stmt.test)), fault)


def _words(site: Site) -> List[str]:
    names = [name for name, cost in site.live().items() if cost <= 0.15]
    return list(dict.fromkeys([*names, *(name.strip("_") for name in site.fields())]))


def _body_of(text: str) -> str:
    """A function without its head, where its arguments are named."""
    return text.partition(":\n")[2]
