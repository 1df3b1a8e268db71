"""Calls: what is called and with what; a call that is missing, too many, or not awaited."""

from __future__ import annotations

import ast
from typing import Iterator, Optional, Tuple

from ..site import Change, Site, short

NEUTRAL = ("int", "float", "round", "abs", "str", "sorted", "list", "set", "tuple", "reversed", "len", "sum", "bool")


def calls_of(site: Site) -> Iterator[ast.Call]:
    for node in site.nodes:
        if isinstance(node, ast.Call):
            yield node


def callee(node: ast.Call) -> Tuple[str, Optional[ast.expr]]:
    """The called name, and the expression before its dot."""
    if isinstance(node.func, ast.Name):
        return node.func.id, None
    if isinstance(node.func, ast.Attribute):
        return node.func.attr, node.func.value
    return "", None


def dotted(site: Site, owner: Optional[ast.expr], name: str) -> str:
    return name if owner is None else "%s.%s" % (site.operand(owner), name)


def closing(site: Site, node: ast.Call) -> Tuple[int, str]:
    """Where a further argument can be put, and what must stand before it."""
    end = site.source.span(node)[1] - 1
    inside = site.source.data[site.source.span(node.func)[1] : end].rstrip()
    empty = inside.endswith(b"(") and not node.args and not node.keywords
    return end, "" if empty or inside.endswith(b",") else ", "


def unwrapped(site: Site) -> Iterator[Change]:
    """`f(x)` becomes `x`; `x.strip()` becomes `x`."""
    for node in calls_of(site):
        name, owner = callee(node)
        what = "`%s`" % short(site.text(node))
        if len(node.args) >= 1 and not isinstance(node.args[0], (ast.Starred, ast.GeneratorExp)):
            cost = 0.0 if name in NEUTRAL else 0.7
            edits = site.fit(node, site.operand(node.args[0]), atomic=True)
            yield Change(edits, cost, what, "should be plain `%s`" % short(site.text(node.args[0])))
        if owner is not None and not isinstance(site.parent(node), ast.Expr):
            fault = "should not call `%s`" % name
            yield Change(site.fit(node, site.operand(owner), atomic=True), 0.5, what, fault)


def called(site: Site) -> Iterator[Change]:
    """`x.method` without the call, or a property called by mistake."""
    for node in site.of(ast.Attribute, ast.Name):
        parent = site.parent(node)
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)) or isinstance(parent, ast.Attribute):
            continue
        if not (isinstance(parent, ast.Call) and parent.func is node):
            text = site.text(node)
            yield Change(
                site.swap(node, text + "()"), 0.4, "`%s`" % short(text), "names a function without calling it"
            )
    for call in calls_of(site):
        if not call.args and not call.keywords:
            edits = site.fit(call, site.text(call.func), atomic=True)
            yield Change(edits, 0.2, "`%s`" % short(site.text(call)), "should not be called")


def awaited(site: Site) -> Iterator[Change]:
    """`await` missing inside an `async def`, or standing where nothing is awaited."""
    if isinstance(site.function, ast.AsyncFunctionDef):
        for call in calls_of(site):
            if not isinstance(site.parent(call), ast.Await):
                edits = site.fit(call, "await " + site.text(call))
                yield Change(edits, 0.0, "`%s`" % short(site.text(call)), "is not awaited")
    for node in site.of(ast.Await):
        assert isinstance(node, ast.Await)
        edits = site.fit(node, site.operand(node.value), atomic=True)
        yield Change(edits, 0.3, "`%s`" % short(site.text(node)), "awaits what is no awaitable")
