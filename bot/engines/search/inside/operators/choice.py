"""Choices between two values: one that is missing, one that is needless; both sides of a comparison made alike."""

from __future__ import annotations

import ast
from typing import Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import walked
from .atoms import at_hand
from .conversions import STRING_METHODS, forms_of

MOST_OTHERS = 4
MOST_TESTS = 8


def needless(site: Site) -> Iterator[Change]:
    """`a if c else b` becomes `a`, or `b`."""
    for node in site.of(ast.IfExp):
        assert isinstance(node, ast.IfExp)
        for rank, kept in enumerate((node.orelse, node.body)):
            fault = "chooses where `%s` is meant always" % short(site.text(kept))
            edits = site.fit(node, site.operand(kept), atomic=True)
            yield Change(edits, 0.2 * rank, "`%s`" % short(site.text(node)), fault)


def missing(site: Site) -> Iterator[Change]:
    """`x = a` becomes `x = a if known else b`; `n - 1` becomes `n - 1 if n > 0 else n`."""
    for node in _chosen(site):
        text, what = site.text(node), "`%s`" % short(site.text(node))
        for cost, test, other in _alternatives(site, node):
            if other != text and "\n" not in text:
                fault = "is right only where `%s`; else it is `%s`" % (short(test), short(other))
                yield Change(site.fit(node, "%s if %s else %s" % (text, test, other)), cost, what, fault)


def _chosen(site: Site) -> Iterator[ast.expr]:
    """What a statement stores, gives back or uses as an index, and small sums of a variable."""
    value = getattr(site.stmt, "value", None)
    kinds = (ast.Name, ast.Attribute, ast.Call, ast.JoinedStr)
    if isinstance(site.stmt, (ast.Assign, ast.Return)) and isinstance(value, kinds):
        yield value
    for node in site.of(ast.BinOp):
        if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and isinstance(node.right, ast.Constant):
            yield node


def _alternatives(site: Site, node: ast.expr) -> Iterator[Tuple[float, str, str]]:
    if isinstance(node, ast.BinOp):
        left = site.text(node.left)
        for rank, test in enumerate((left + " > 0", left, left + " >= 0")):
            yield 0.2 * rank, test, left
        return
    live = sorted(site.live().items(), key=lambda pair: pair[1])
    others = [name for name, _cost in live][:MOST_OTHERS]
    tests = [("not " + name, cost) for name, cost in live[:6]] + [(name, cost) for name, cost in live[:6]]
    tests += [(text, cost + 0.2) for cost, text in at_hand(site)[:MOST_TESTS]]
    for test, cost in tests:
        for rank, other in enumerate([*others, "None"]):
            if other not in test.split():
                yield cost + 0.1 * rank, test, other


def alike(site: Site) -> Iterator[Change]:
    """`a == b` becomes `f(a) == f(b)`, in each comparison of the statement: what is compared is of one form."""
    found = [node for node in site.of(ast.Compare) if isinstance(node, ast.Compare) and _is_plain(node)]
    if not found:
        return
    sides = [side for node in found for side in (node.left, *node.comparators)]
    for rank, form in enumerate(_forms(site)):
        texts = [site.text(side) for side in sides]
        if any(form % text == text or "\n" in text for text in texts):
            continue
        edits = tuple(edit for side in sides for edit in site.swap(side, form % site.operand(side)))
        fault = "compares values as they come; both must go through `%s`" % (form % "…")
        yield Change(edits, 0.1 * rank, "`%s`" % short(site.text(found[0])), fault)


def _is_plain(node: ast.Compare) -> bool:
    sides = (node.left, *node.comparators)
    return all(isinstance(side, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) for side in sides)


def _forms(site: Site) -> List[str]:
    """Functions of one argument that the file calls or defines, and methods of texts."""
    own = [
        node.name + "(%s)"
        for node in site.source.tree.body
        if isinstance(node, ast.FunctionDef) and len(node.args.args) == 1 and node is not site.function
    ]
    called = [form for form in forms_of(site.source) if form.endswith("(%s)")]
    usual = ["%s." + name + "()" for name in STRING_METHODS[:3]] + ["str(%s)", "len(%s)", "set(%s)", "sorted(%s)"]
    return list(dict.fromkeys([*called, *own, *usual]))[:20]


def same_name(site: Site) -> Iterator[Change]:
    """`end` becomes `max(last.end, end)`: an older value of that name is held by an object of the statement."""
    owners = [node.value for node in walked(site.stmt) if isinstance(node, ast.Attribute)]
    texts = list(dict.fromkeys(site.text(owner) for owner in owners if isinstance(owner, (ast.Name, ast.Subscript))))
    for node in site.of(ast.Name, ast.Attribute):
        last = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        text = site.text(node)
        if not isinstance(getattr(node, "ctx", None), ast.Load) or text in texts or _is_called(site, node):
            continue
        others = [owner for owner in texts if "%s.%s" % (owner, last) != text]
        for place, owner in enumerate(others[:3]):
            for rank, name in enumerate(("max", "min")):
                new = "%s(%s.%s, %s)" % (name, owner, last, text)
                fault = "forgets what `%s.%s` was before" % (owner, last)
                yield Change(site.swap(node, new), 0.3 * place + 0.2 * rank, "`%s`" % text, fault)


def _is_called(site: Site, node: ast.AST) -> bool:
    outer = site.parent(node)
    return isinstance(outer, ast.Attribute) or (isinstance(outer, ast.Call) and outer.func is node)
