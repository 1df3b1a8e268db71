"""Keys that may be missing: a default, an entry made on the way, a dictionary that makes them."""

from __future__ import annotations

import ast
from typing import Iterator

from ..site import Change, Site, short
from .calls import callee, calls_of
from .imports import at_top


def lookup(site: Site) -> Iterator[Change]:
    """`d[k]` becomes `d.get(k)`, with a default; `.get(k)` gets its default or another one."""
    failed = any(True for _red in site.hints.of("KeyError"))
    for node in site.of(ast.Subscript):
        assert isinstance(node, ast.Subscript)
        literal = isinstance(node.slice, (ast.Constant, ast.UnaryOp)) and not failed
        if isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice) and not literal:
            yield from _subscript(site, node, failed)
    for call in calls_of(site):
        name, owner = callee(call)
        if owner is not None and name in ("get", "pop") and len(call.args) in (1, 2):
            key = site.text(call.args[0])
            variables = [one for one in site.live() if one == "default"]
            for rank, default in enumerate((*variables, "0", "[]", '""', "None", "False", "{}", "1", "()", key)):
                new = "%s(%s, %s)" % (site.text(call.func), key, default)
                if new != site.text(call):
                    fault = "has the wrong default for a key that is missing"
                    yield Change(site.swap(call, new), 0.2 * rank, "`%s`" % short(site.text(call)), fault)


def _subscript(site: Site, node: ast.Subscript, failed: bool) -> Iterator[Change]:
    base, key = site.text(node.value), site.text(node.slice)
    what = "`%s`" % short(site.text(node))
    variables = [", " + one for one in site.live() if one == "default"]
    for rank, default in enumerate((*variables, "", ", 0", ", []", ', ""', ", ()", ", {}", ", " + key)):
        new = "%s.get(%s%s)" % (base, key, default)
        fault = "fails for a key that is missing; it should be `%s`" % short(new)
        yield Change(site.swap(node, new), 0.2 * rank - (0.8 if failed else 0.0), what, fault)
    if not isinstance(node.slice, ast.Constant):
        fault = "leaves the entry where it was; it must be taken out"
        yield Change(site.swap(node, "%s.pop(%s)" % (base, key)), 0.7, what, fault)


def entries(site: Site) -> Iterator[Change]:
    """`d[k].append(v)`, `d[k] = [v]`, `d[k] = v`: the list of a key is made when its first value comes."""
    stmt = site.stmt
    for call in calls_of(site):
        name, owner = callee(call)
        if name in ("append", "extend", "add", "update") and isinstance(owner, ast.Subscript):
            empty = {"add": "set()", "update": "set()"}.get(name, "[]")
            new = "%s.setdefault(%s, %s)" % (site.text(owner.value), site.text(owner.slice), empty)
            fault = "fails for the first value of a key"
            yield Change(site.swap(owner, new), -0.5, "`%s`" % short(site.text(call)), fault)
    if isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Subscript):
        target, value = stmt.targets[0], stmt.value
        if isinstance(value, ast.List) and len(value.elts) == 1:
            value = value.elts[0]
        if not isinstance(value, (ast.Name, ast.Attribute, ast.Tuple, ast.Call)):
            return
        new = "%s.setdefault(%s, []).append(%s)"
        new %= (site.text(target.value), site.text(target.slice), site.text(value))
        fault = "keeps only the last value of a key"
        yield Change(site.swap(stmt, new), 0.4, "`%s`" % short(site.text(stmt)), fault)


def made_on_the_way(site: Site) -> Iterator[Change]:
    """`{}` becomes `defaultdict(list)`, where a key that is missing was asked for."""
    stmt = site.stmt
    if (
        not isinstance(stmt, (ast.Assign, ast.AnnAssign))
        or stmt.value is None
        or not isinstance(stmt.value, ast.Dict)
    ):
        return
    failed = any(True for _red in site.hints.of("KeyError"))
    if stmt.value.keys or not failed:
        return
    ready = any(
        isinstance(one, ast.ImportFrom) and any(alias.name == "defaultdict" for alias in one.names)
        for one in site.source.tree.body
    )
    imports = () if ready else at_top(site, "from collections import defaultdict")
    for rank, kind in enumerate(("list", "int", "set", "dict")):
        edits = site.swap(stmt.value, "defaultdict(%s)" % kind) + imports
        cost = 0.1 * rank + (0.0 if ready else 0.4)
        yield Change(edits, cost, "`%s`" % short(site.text(stmt)), "has no value for a key that is new")


def membership(site: Site) -> Iterator[Change]:
    """KeyError: the key is looked for first; `if k in d and d[k]`."""
    test = getattr(site.stmt, "test", None)
    if not isinstance(test, ast.expr) or not any(
        True for _red in site.hints.of("KeyError", "IndexError", "out of range")
    ):
        return
    for node in site.of(ast.Subscript):
        assert isinstance(node, ast.Subscript)
        base, key = site.text(node.value), site.text(node.slice)
        for rank, form in enumerate(("%s in %s", "%s < len(%s)")):
            guard = form % (key, base)
            new = "%s and %s" % (guard, site.operand(test))
            fault = "does not ask for `%s` first" % guard
            yield Change(site.swap(test, new), 0.2 * rank, "`%s`" % short(site.text(test)), fault)
