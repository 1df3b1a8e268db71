"""Sequences that are turned round after sorting: what is equal then stands in the wrong order."""

from __future__ import annotations

import ast
from typing import Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import walked
from ..unit import Edit
from .calls import callee, calls_of, closing

_TURNED = ("%s[::-1]", "list(reversed(%s))", "reversed(%s)")


def after_sorting(site: Site) -> Iterator[Change]:
    """`sorted(x)[::-1]` becomes `sorted(x, reverse=True)`; so does `y = sorted(x)` where `y` is turned later on."""
    for call in calls_of(site):
        if callee(call)[0] not in ("sorted", "sort") or any(one.arg == "reverse" for one in call.keywords):
            continue
        end, lead = closing(site, call)
        for flag, edits in [*_at_once(site, call), *_later(site, call)]:
            fault = "is turned round afterwards, and what is equal with it; it must be sorted so"
            given: Edit = (end, end, "%sreverse=%s" % (lead, flag))
            yield Change((given, *edits), 0.0, "`%s`" % short(site.text(call)), fault)


def _at_once(site: Site, call: ast.Call) -> Iterator[Tuple[str, Tuple[Edit, ...]]]:
    """The call itself is turned: what stands round it goes."""
    text, outer = site.text(call), site.parent(call)
    while isinstance(outer, (ast.Subscript, ast.Call)) and "\n" not in site.text(outer):
        if site.text(outer) in [form % text for form in _TURNED]:
            (start, end), (first, last) = site.source.span(outer), site.source.span(call)
            yield "True", ((start, first, ""), (last, end, ""))
        outer = site.parent(outer)


def _later(site: Site, call: ast.Call) -> Iterator[Tuple[str, Tuple[Edit, ...]]]:
    """What holds the sorted items is turned by a later statement, always or under a condition."""
    name = _kept_as(site, call)
    if site.function is None or not name:
        return
    turned = [form % name for form in _TURNED]
    for node in walked(site.function):
        if getattr(node, "lineno", 0) <= (site.stmt.end_lineno or site.stmt.lineno):
            continue
        if isinstance(node, ast.IfExp):
            body, other, test = site.text(node.body), site.text(node.orelse), site.text(node.test)
            if body in turned and other == name:
                yield test, site.swap(node, name)
            elif other in turned and body == name:
                yield "not " + site.operand(node.test), site.swap(node, name)
        elif isinstance(node, ast.If) and not node.orelse and _turns([site.text(one) for one in node.body], name):
            yield site.text(node.test), _without(site, node)
        elif isinstance(node, ast.stmt) and node in site.function.body and _turns([site.text(node)], name):
            yield "True", _without(site, node)
        elif isinstance(node, ast.Return) and node.value is not None and site.text(node.value) in turned:
            yield "True", site.swap(node.value, name)


def _kept_as(site: Site, call: ast.Call) -> str:
    stmt = site.stmt
    if isinstance(stmt, ast.Assign) and stmt.value is call and isinstance(stmt.targets[0], ast.Name):
        return stmt.targets[0].id
    receiver = getattr(call.func, "value", None)
    return receiver.id if isinstance(stmt, ast.Expr) and isinstance(receiver, ast.Name) else ""


def _turns(lines: List[str], name: str) -> bool:
    """Whether these lines turn the sequence round, and do nothing else."""
    forms = [name + ".reverse()", *("%s = %s" % (name, form % name) for form in _TURNED)]
    return len(lines) == 1 and lines[0] in forms


def _without(site: Site, stmt: ast.stmt) -> Tuple[Edit, ...]:
    start, end = site.source.lines_of(stmt)
    return ((start, end, ""),)
