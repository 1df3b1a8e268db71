"""Conditions and guards made of tests that the file asks elsewhere, or of the kinds that it tells apart."""

from __future__ import annotations

import ast
import functools
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import Source, walked
from .atoms import at_hand
from .boolean import conditions
from .flow import in_loop
from .guards import step
from .statements import holds_docstring

KINDS = ("str", "dict", "list", "int", "tuple", "bytes")
MOST_EXITS = 5


def decisions(site: Site) -> Iterator[ast.expr]:
    """Conditions of the statement, and what it gives back or stores that can only be true or false."""
    yield from conditions(site)
    value = site.stmt.value if isinstance(site.stmt, (ast.Return, ast.Assign)) else None
    negated = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)
    if negated or isinstance(value, (ast.Compare, ast.BoolOp)):
        assert value is not None
        yield value


def known(site: Site) -> Iterator[Change]:
    """`if a` becomes `if a and b`, `if b or a` and so on, with a test `b` that the file asks elsewhere."""
    tests = at_hand(site)
    for condition in decisions(site):
        old, own = site.side(condition), site.text(condition)
        if own in ("True", "1"):
            continue
        for cost, text in tests:
            if text not in own:
                yield from _joined(site, condition, old, text, cost)


def _joined(site: Site, condition: ast.expr, old: str, text: str, cost: float) -> Iterator[Change]:
    """Both ways to join, and both answers; a test in front protects what stands behind it."""
    what = "`%s`" % short(site.text(condition))
    asked = text if _is_tight(text) else "(%s)" % text
    for rank, one in enumerate((asked, "not " + asked)):
        for more, word in enumerate(("and", "or")):
            fault = "does not ask for `%s` as well" % short(one)
            price = cost + 0.2 * rank + 0.1 * more
            yield Change(site.swap(condition, "%s %s %s" % (one, word, old)), price, what, fault)


def _is_tight(text: str) -> bool:
    return " if " not in text and " or " not in text and "lambda" not in text and ":=" not in text


@functools.lru_cache(maxsize=100)
def kinds_told_apart(source: Source) -> Tuple[str, ...]:
    """What the file asks `isinstance` for, the most frequent first; then the usual ones."""
    counts: Dict[str, int] = {}
    for node in walked(source.tree):
        if isinstance(node, ast.Call) and source.text(node.func) == "isinstance" and len(node.args) == 2:
            text = source.text(node.args[1])
            if "\n" not in text:
                counts[text] = counts.get(text, 0) + 1
    ranked = sorted(counts, key=lambda text: -counts[text])[:6]
    return (*ranked, *(kind for kind in KINDS if kind not in ranked))


def of_kind(site: Site) -> Iterator[Change]:
    """`if x.y` becomes `if isinstance(x, K) and x.y`; `if x` covers more kinds, or asks for one beside."""
    for condition in decisions(site):
        old, what = site.side(condition), "`%s`" % short(site.text(condition))
        for place, subject in enumerate(_subjects(site, condition)):
            for rank, kind in enumerate(kinds_told_apart(site.source)):
                asked = "isinstance(%s, %s)" % (subject, kind)
                if asked in site.text(condition):
                    continue
                cost = 0.3 * place + 0.1 * rank
                fault = "is asked of what is no `%s`" % kind
                # An entry can be looked at only behind the question whether it is there.
                new = "%s and %s" % ((old, asked) if "[" in subject else (asked, old))
                yield Change(site.swap(condition, new), cost, what, fault)
                fault = "must not be asked of a `%s`" % kind
                yield Change(site.swap(condition, "not %s and %s" % (asked, old)), cost + 0.2, what, fault)
                fault = "does not cover a `%s`" % kind
                yield Change(site.swap(condition, "%s or %s" % (old, asked)), cost + 0.2, what, fault)


def _subjects(site: Site, condition: ast.expr) -> List[str]:
    """Variables and dotted names that the condition reads."""
    found: Dict[str, None] = {}
    for node in walked(condition):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            text = site.text(node)
            callee = isinstance(site.parent(node), ast.Call) and site.parent(node).func is node  # type: ignore[union-attr]
            if not callee and text.split(".")[0] in {*site.scope, "self"} and len(text) < 40:
                found[text] = None
    entries = dict.fromkeys(_entry(site, node) for node in walked(condition) if isinstance(node, ast.Compare))
    return [*list(found)[:3], *[text for text in entries if text][:1]]


def _entry(site: Site, node: ast.Compare) -> str:
    """`d[k]`, where a condition asks whether `k in d`."""
    if not isinstance(node.ops[0], ast.In) or not isinstance(node.comparators[0], (ast.Name, ast.Attribute)):
        return ""
    text = "%s[%s]" % (site.text(node.comparators[0]), site.text(node.left))
    return text if len(text) < 40 and "\n" not in text else ""


def false_too(site: Site) -> Iterator[Change]:
    """`x is None` covers other values that stand for nothing: `False`, an empty text."""
    for condition in decisions(site):
        for node in walked(condition):
            if not isinstance(node, ast.Compare) or len(node.ops) != 1 or site.text(node.comparators[0]) != "None":
                continue
            left, word = site.text(node.left), "or" if isinstance(node.ops[0], ast.Is) else "and"
            forms = ("is False", '== ""', "== []") if word == "or" else ("is not False", '!= ""', "!= []")
            for rank, form in enumerate(forms):
                new = "(%s %s %s %s)" % (site.text(node), word, left, form)
                new = new[1:-1] if node is condition else new
                fault = "takes `None` alone for nothing"
                yield Change(site.swap(node, new), 0.3 * rank, "`%s`" % short(site.text(node)), fault)


def left_early(site: Site) -> Iterator[Change]:
    """A way out in front, for a test that the file asks elsewhere: `if self.closed: return`."""
    function = site.function
    if function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    exits = _exits(site)
    for cost, text in [*_of_attributes(site), *at_hand(site)]:
        asked = text if _is_tight(text) else "(%s)" % text
        for rank, test in enumerate((text, "not " + asked)):
            for more, leave in exits:
                lines = "if %s:\n%s%s" % (test, step(site), leave)
                fault = "goes on where `%s`; it needs `%s`" % (short(test), short(leave))
                yield Change(site.insert_before(lines), cost + 0.2 * rank + more, "`%s`" % function.name, fault)


def _of_attributes(site: Site) -> Iterator[Tuple[float, str]]:
    """`x.y is None`, `not x.y` for what the statement reads of its objects."""
    seen: Dict[str, None] = {}
    for node in site.of(ast.Attribute):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
            parent = site.parent(node)
            if not (isinstance(parent, ast.Call) and parent.func is node):
                seen[site.text(node)] = None
    for rank, text in enumerate(list(seen)[:4]):
        yield 0.1 * rank, text + " is None"
        yield 0.1 * rank, text


def _exits(site: Site) -> List[Tuple[float, str]]:
    """How the function leaves elsewhere, and the plain ways."""
    found: Dict[str, float] = {}
    known = {*site.scope, "self", "cls"}
    for node in walked(site.function) if site.function is not None else ():
        if isinstance(node, (ast.Return, ast.Raise)) and node.lineno == node.end_lineno and node is not site.stmt:
            text = site.text(node)
            if len(text) < 80 and all(name in known or name[:1].isupper() for name in _names(node)):
                found.setdefault(text, 0.1)
    if in_loop(site):
        found.update({"continue": 0.0, "break": 0.4})
    if not any(text.startswith("return ") for text in found):
        found.setdefault("return", 0.2)
    for rank, text in enumerate(("return None", "return False", "return True")):
        found.setdefault(text, 0.4 + 0.1 * rank)
    return sorted(((cost, text) for text, cost in found.items()))[:MOST_EXITS]


def _names(node: ast.AST) -> Iterator[str]:
    return (inner.id for inner in walked(node) if isinstance(inner, ast.Name))
