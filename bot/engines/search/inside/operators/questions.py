"""What a condition asks: another test of the file, a kind and not an exact type, another relation of texts."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Optional, Tuple

from ..site import Change, Site, short
from ..source import walked
from .asked import decisions, kinds_told_apart
from .atoms import at_hand, parts_of
from .boolean import conditions
from .calls import callee, calls_of
from .guards import step
from .statements import UNTOUCHED, holds_docstring, what_of

MOST_SUBJECTS = 4


def replaced(site: Site) -> Iterator[Change]:
    """`if a` becomes `if b`, a test that the file asks elsewhere; of `a and c`, each part alone."""
    tests = at_hand(site)
    for condition in decisions(site):
        own, parts = site.text(condition), list(parts_of(condition))
        for part in parts:
            old = site.text(part)
            for cost, text in tests:
                if text in own or (len(parts) > 1 and not _share(text, old)):
                    continue
                fault = "asks for the wrong thing: `%s` is meant" % short(text)
                yield Change(site.fit(part, text), cost, "`%s`" % short(old), fault)
                new = "not %s" % (text if text.isidentifier() else "(%s)" % text)
                yield Change(site.fit(part, new), cost + 0.3, "`%s`" % short(old), fault)


def _share(one: str, two: str) -> bool:
    """Whether two tests speak of one variable."""
    return bool({node.id for node in _names(one)} & {node.id for node in _names(two)})


def _names(text: str) -> List[ast.Name]:
    try:
        return [node for node in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(node, ast.Name)]
    except SyntaxError:  # it went over several lines
        return []


def exact_kind(site: Site) -> Iterator[Change]:
    """`type(x) == T` becomes `isinstance(x, T)`: what is derived counts too; and the other way round."""
    for node in site.of(ast.Compare):
        assert isinstance(node, ast.Compare)
        subject = _typed(site, node.left)
        if subject is None or len(node.ops) != 1:
            continue
        negated = isinstance(node.ops[0], (ast.NotEq, ast.IsNot, ast.NotIn))
        kinds = node.comparators[0]
        named = site.text(kinds)
        if isinstance(kinds, (ast.List, ast.Set)):
            named = "(%s)" % named[1:-1]
        new = "%sisinstance(%s, %s)" % ("not " if negated else "", subject, _typed(site, kinds, "type(%s)") or named)
        fault = "leaves out what is derived from `%s`" % short(named)
        yield Change(site.fit(node, new, atomic=not negated), -0.5, "`%s`" % short(site.text(node)), fault)
    for call in calls_of(site):
        if callee(call)[0] == "isinstance" and len(call.args) == 2 and isinstance(call.args[1], ast.Name):
            new = "type(%s) is %s" % (site.text(call.args[0]), site.text(call.args[1]))
            fault = "takes in what is derived from `%s`" % site.text(call.args[1])
            yield Change(site.fit(call, new), 1.2, "`%s`" % short(site.text(call)), fault)


def _typed(site: Site, node: ast.expr, form: str = "%s") -> Optional[str]:
    """`x` of `type(x)` and `x.__class__`."""
    if isinstance(node, ast.Call) and site.text(node.func) == "type" and len(node.args) == 1:
        return form % site.text(node.args[0])
    if isinstance(node, ast.Attribute) and node.attr == "__class__":
        return form % site.text(node.value)
    return None


def of_texts(site: Site) -> Iterator[Change]:
    """`a == b` becomes `a.startswith(b)`, `b in a` and the like, and back."""
    for node in site.of(ast.Compare):
        assert isinstance(node, ast.Compare)
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
            continue
        inside = isinstance(node.ops[0], (ast.In, ast.NotIn))
        one, two = node.left, node.comparators[0]
        if (inside and not _is_text(one)) or (not inside and not (_is_text(one) or _is_text(two))):
            continue
        whole, part = (two, one) if inside or _is_text(one) else (one, two)
        negated = isinstance(node.ops[0], (ast.NotEq, ast.NotIn))
        yield from _relations(site, node, whole, part, negated)
    for call in calls_of(site):
        name, owner = callee(call)
        if name in ("startswith", "endswith") and owner is not None and len(call.args) == 1:
            yield from _relations(site, call, owner, call.args[0], False)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)) and bool(node.value)


def _relations(site: Site, node: ast.expr, whole: ast.expr, part: ast.expr, negated: bool) -> Iterator[Change]:
    outer, inner = site.operand(whole), site.text(part)
    forms = ["%s.startswith(%s)" % (outer, inner), "%s.endswith(%s)" % (outer, inner)]
    if isinstance(part, (ast.Constant, ast.Name)):
        forms += ["%s in %s" % (inner, outer), "%s == %s" % (outer, inner), "%s.lower() == %s" % (outer, inner)]
    old = site.text(node)
    for rank, form in enumerate(forms):
        new = form
        if negated:
            new = form.replace(" in ", " not in ").replace(" == ", " != ") if form[-1] != ")" else "not " + form
        if new != old:
            fault = "asks for another relation than `%s`" % short(new)
            atomic = form is new and form[-1] == ")"
            yield Change(site.fit(node, new, atomic=atomic), 0.2 * rank, "`%s`" % short(old), fault)


def able(site: Site) -> Iterator[Change]:
    """`if x.y()` becomes `if hasattr(x, "y") and x.y()`; `if x` becomes `if callable(x) and x`."""
    for condition in conditions(site):
        old, what = site.side(condition), "`%s`" % short(site.text(condition))
        for rank, asked in enumerate(_abilities(site, walked(site.stmt))):
            if asked not in old:
                fault = "is asked of what may not have it: `%s`" % asked
                yield Change(site.swap(condition, "%s and %s" % (asked, old)), 0.2 * rank, what, fault)


def _abilities(site: Site, nodes: Tuple[ast.AST, ...]) -> List[str]:
    """What a statement takes for granted of its variables."""
    found: Dict[str, None] = {}
    live = site.live()
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in live:
            found['hasattr(%s, "%s")' % (node.value.id, node.attr)] = None
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in live:
            found["callable(%s)" % node.func.id] = None
    return list(found)[:MOST_SUBJECTS]


def under_known(site: Site) -> Iterator[Change]:
    """A statement that is done always goes under a test that the file asks, or about what it reads."""
    stmt = site.stmt
    text = site.text(stmt)
    if site.function is None or not site.source.alone(stmt) or holds_docstring(site) or isinstance(stmt, UNTOUCHED):
        return
    if '"""' in text or "'''" in text or text.startswith("elif") or text.count("\n") > 12:
        return
    flat, deep = site.source.indent(stmt), step(site)
    start, end = site.source.lines_of(stmt)
    lines = site.source.data[start:end].decode("utf-8").splitlines(keepends=True)
    body = "".join(deep + line if line.startswith(flat) and line.strip() else line for line in lines)
    for cost, test in _tests(site):
        head = "%sif %s:%s" % (flat, test, site.source.newline)
        fault = "should be done only if `%s`" % short(test)
        yield Change(((start, end, head + body),), cost, what_of(site), fault)


def _tests(site: Site) -> Iterator[Tuple[float, str]]:
    for rank, subject in enumerate(_subjects(site)):
        for more, form in enumerate(("%s is not None", "%s", "not %s", "%s is None")):
            yield 0.1 * rank + 0.08 * more, form % subject
        if "." not in subject:
            yield 0.5 + 0.1 * rank, "len(%s) > 1" % subject
            for more, kind in enumerate(kinds_told_apart(site.source)[:3]):
                yield 0.3 + 0.1 * rank + 0.1 * more, "isinstance(%s, %s)" % (subject, kind)
                yield 0.4 + 0.1 * rank + 0.1 * more, "not isinstance(%s, %s)" % (subject, kind)
    for rank, asked in enumerate(_abilities(site, walked(site.stmt))):
        yield 0.2 + 0.1 * rank, asked
    for cost, text in at_hand(site)[:12]:
        yield 0.1 + cost, text
        yield 0.25 + cost, "not %s" % (text if text.isidentifier() else "(%s)" % text)


def _subjects(site: Site) -> List[str]:
    """What the statement reads: of objects first, then variables."""
    live = site.live()
    found: Dict[str, int] = {}
    for node in walked(site.stmt):
        if not isinstance(node, (ast.Attribute, ast.Name)) or not isinstance(node.ctx, ast.Load):
            continue
        parent, text = site.parent(node), site.text(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if not called and ((own and node.value.id in {*live, "self"}) or text in live):  # type: ignore[union-attr]
            found.setdefault(text, 0 if own else 1)
    return sorted(found, key=lambda text: found[text])[:MOST_SUBJECTS]
