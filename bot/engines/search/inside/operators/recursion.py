"""Recursion that is missing: one step is taken where the whole way is meant."""

from __future__ import annotations

import ast
from typing import Iterator, List, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import walked
from .statements import what_of


def recursive(site: Site) -> Iterator[Change]:
    """`x` becomes `f(x)`, or `x.m()` in a method `m`: what is handed on should have gone the same way itself."""
    function, stmt = site.function, site.stmt
    if function is None or isinstance(stmt, ast.Raise) or function.name.startswith("__"):
        return
    for node, weight in _handed_on(site):
        for rank, call in enumerate(_calls(site, node)):
            fault = "takes one step only: `%s` is meant" % short(call)
            yield Change(site.swap(node, call), weight + 0.2 * rank, what_of(site), fault)
    if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Yield) and stmt.value.value is not None:
        for rank, call in enumerate(_calls(site, stmt.value.value)):
            fault = "yields one item where all of `%s` are meant" % short(call)
            yield Change(site.swap(stmt.value, "yield from " + call), 0.0 + 0.2 * rank, what_of(site), fault)


def _handed_on(site: Site) -> Iterator[Tuple[ast.expr, float]]:
    """Values that leave the function or are collected, those in loops and comprehensions first."""
    for node in site.of(ast.Name, ast.Attribute, ast.Subscript):
        parent = site.parent(node)
        assert isinstance(node, ast.expr)
        if not isinstance(getattr(node, "ctx", None), ast.Load):
            continue
        if isinstance(parent, (ast.Return, ast.ListComp, ast.GeneratorExp, ast.BinOp)):
            yield node, 0.2
        elif isinstance(parent, ast.Call) and node in parent.args:
            yield node, 0.3
        elif isinstance(parent, (ast.Assign, ast.AugAssign, ast.DictComp)):
            yield node, 0.5


def _calls(site: Site, node: ast.expr) -> List[str]:
    """The function itself on a value, its other arguments as they are; nothing for a call of it."""
    function = site.function
    assert function is not None
    text, given = site.operand(node), arguments_of(function)
    if any(isinstance(inner, ast.Call) for inner in walked(node)) or text in ("self", "cls"):
        return []
    if site.klass is not None:
        calls = ["%s.%s(%s)" % (text, function.name, ", ".join(given))] if text not in given else []
        return calls + (["self.%s(%s)" % (function.name, ", ".join([text, *given[1:]]))] if given else [])
    return ["%s(%s)" % (function.name, ", ".join([text, *given[1:]]))] if given and text != given[0] else []
