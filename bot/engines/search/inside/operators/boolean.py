"""Truth: and for or, a negation too many or too few, an operand dropped, a condition that needs a guard."""

from __future__ import annotations

import ast
import functools
from typing import Dict, Iterator, List, Optional, Tuple

from ..site import Change, Site, short
from ..source import FunctionNode, Source, neighbours, walked
from .comparison import token_edit


def connective(site: Site) -> Iterator[Change]:
    """`and` for `or`: all of one expression, then each single one."""
    for node in site.of(ast.BoolOp):
        assert isinstance(node, ast.BoolOp)
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        what = "`%s`" % short(site.text(node))
        fault = "joins its conditions with `%s` where `%s` is meant" % (old, new)
        pairs = [token_edit(site, a, b, old, new) for a, b in neighbours(node.values)]
        known = [edits for edits in pairs if edits]
        if len(known) == len(pairs):
            yield Change(tuple(edit for edits in known for edit in edits), 0.0, what, fault)
        if len(known) > 1:
            for edits in known:
                yield Change(edits, 0.6, what, fault)


def exchanged(site: Site) -> Iterator[Change]:
    """`a and (b or c)` for `a or (b and c)`: each takes the place of the other, and the brackets stay."""
    for outer in site.of(ast.BoolOp):
        assert isinstance(outer, ast.BoolOp)
        for inner in outer.values:
            if not isinstance(inner, ast.BoolOp) or not site.text(outer).rstrip().endswith(")"):
                continue
            words = ("and", "or") if isinstance(outer.op, ast.And) else ("or", "and")
            pairs = [token_edit(site, a, b, *words) for a, b in neighbours(outer.values)]
            pairs += [token_edit(site, a, b, *reversed(words)) for a, b in neighbours(inner.values)]
            if all(pairs):
                edits = tuple(edit for found in pairs for edit in found or ())
                yield Change(edits, 0.0, "`%s`" % short(site.text(outer)), "has its `and` and its `or` exchanged")


def conditions(site: Site) -> Iterator[ast.expr]:
    """Expressions of the statement whose truth decides something."""
    test = getattr(site.stmt, "test", None)
    if isinstance(test, ast.expr):
        yield test
    for node in site.nodes:
        if isinstance(node, ast.IfExp):
            yield node.test
    for parent in walked(site.stmt):
        if isinstance(parent, ast.comprehension) and any(parent.iter is node for node in site.nodes):
            yield from parent.ifs


def negated(site: Site) -> Iterator[Change]:
    for node in site.of(ast.UnaryOp):
        assert isinstance(node, ast.UnaryOp)
        if isinstance(node.op, ast.Not):
            edits = site.fit(node, site.operand(node.operand), atomic=True)
            yield Change(edits, 0.0, "`%s`" % short(site.text(node)), "has a `not` too many")
    tests = list(conditions(site))
    values = [node for node in site.of(ast.BoolOp) if isinstance(node, ast.BoolOp)]
    tests += [value for node in values for value in node.values]
    stmt = site.stmt
    if isinstance(stmt, ast.Return) and isinstance(stmt.value, (ast.Call, ast.BoolOp, ast.Name, ast.Attribute)):
        tests.append(stmt.value)
    for test in tests:
        if not isinstance(test, (ast.UnaryOp, ast.Compare)):
            edits = site.swap(test, "not %s" % site.operand(test))
            yield Change(edits, 0.4, "`%s`" % short(site.text(test)), "is tested without the `not` that it needs")


def dropped(site: Site) -> Iterator[Change]:
    """`a and b` becomes `a`."""
    for node in site.of(ast.BoolOp):
        assert isinstance(node, ast.BoolOp)
        word = " and " if isinstance(node.op, ast.And) else " or "
        for index, gone in enumerate(node.values):
            kept = [site.operand(value) for value in node.values if value is not gone]
            new = word.join(kept)
            fault = "should not depend on `%s`" % short(site.text(gone))
            edits = site.fit(node, new, atomic=len(kept) == 1)
            yield Change(edits, 0.1 * index, "`%s`" % short(site.text(node)), fault)


def _extensions(site: Site) -> Iterator[Tuple[float, str]]:
    names = sorted(site.live().items(), key=lambda pair: pair[1])[:8]
    for name, cost in names:
        yield cost + 0.3, name
        yield cost + 0.5, "not " + name
        yield cost + 0.6, name + " is not None"
        yield cost + 1.0, name + " is None"
        yield cost + 1.4, "len(%s) > 0" % name
        yield cost + 1.4, name + " > 0"
        yield cost + 1.6, name + " != 0"


def traits(site: Site, test: ast.expr) -> Iterator[Tuple[float, str]]:
    """Other attributes of the objects that the condition speaks of: `item.done and …`, `not node.is_folder or …`."""
    owners: List[str] = []
    for node in walked(test):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id not in owners:
            owners.append(node.value.id)
    traits = [name for name in _data_attributes(site.source) if not name.startswith("__")][:10]
    for owner in owners[:2]:
        for rank, trait in enumerate(traits):
            text = "%s.%s" % (owner, trait)
            if text not in site.text(test):
                yield 0.3 + 0.1 * rank, text
                yield 0.4 + 0.1 * rank, "not " + text
    for node in walked(test):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and "\n" not in site.text(node):
            for other in _others_with(site.source, node.attr):
                if other not in site.text(test) and other.split(".")[0] in {*site.scope, "self"}:
                    yield 0.5, "not %s.%s" % (other, node.attr)
                    yield 0.5, "%s.%s" % (other, node.attr)
            yield 0.6, site.text(node) + " is None"
            yield 0.6, site.text(node) + " is not None"


@functools.lru_cache(maxsize=2000)
def _others_with(source: Source, name: str) -> Tuple[str, ...]:
    """Of whom the file asks the same attribute."""
    owners = {
        source.text(node.value)
        for node in walked(source.tree)
        if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, (ast.Name, ast.Attribute))
    }
    return tuple(sorted(owner for owner in owners if len(owner) < 40))[:6]


@functools.lru_cache(maxsize=100)
def _data_attributes(source: Source) -> Tuple[str, ...]:
    """Properties of the file's classes, and what these store, the flags first."""
    found: Dict[str, int] = {}
    for node in walked(source.tree):
        if isinstance(node, FunctionNode):
            if any("property" in source.text(decorator) for decorator in node.decorator_list):
                found.setdefault(node.name, 0)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.attr, 1)
    return tuple(sorted(found, key=lambda name: (not name.startswith(("is_", "has_")), found[name])))


def extended(site: Site) -> Iterator[Change]:
    """`if a` becomes `if x and a`, or `if a or x is None`: the guard stands first, where it protects."""
    for test in conditions(site):
        old = site.side(test)
        if site.text(test) in ("True", "1"):
            continue
        what = "`%s`" % short(site.text(test))
        for cost, guard in [*_extensions(site), *traits(site, test)]:
            fault = "does not ask for `%s` first" % guard
            yield Change(site.swap(test, "%s and %s" % (guard, old)), cost, what, fault)
            fault = "does not cover the case `%s`" % guard
            yield Change(site.swap(test, "%s or %s" % (guard, old)), cost + 0.4, what, fault)


def borrowed(site: Site) -> Iterator[Change]:
    """`if a` becomes `if a and b` with a comparison `b` that stands elsewhere in the function, or inverted."""
    if site.function is None:
        return
    seen: List[str] = []
    for node in walked(site.function):
        if isinstance(node, ast.Compare) and node not in site.nodes and len(seen) < 12:
            text = _plain(site, node)
            if text is not None and text not in seen:
                seen.append(text)
    for test in conditions(site):
        old, what = site.side(test), "`%s`" % short(site.text(test))
        for text in seen:
            yield Change(site.swap(test, "%s and %s" % (old, text)), 0.0, what, "must also hold `%s`" % short(text))
            yield Change(site.swap(test, "%s or %s" % (old, text)), 0.2, what, "must also allow `%s`" % short(text))


def _plain(site: Site, node: ast.AST) -> Optional[str]:
    text = site.text(node)
    return None if "\n" in text or len(text) > 80 else text


def branches(site: Site) -> Iterator[Change]:
    """`a if c else b` becomes `b if c else a`."""
    for node in site.of(ast.IfExp):
        assert isinstance(node, ast.IfExp)
        body, other = site.text(node.body), site.text(node.orelse)
        edits = site.swap(node.body, other) + site.swap(node.orelse, body)
        yield Change(edits, 0.0, "`%s`" % short(site.text(node)), "has its two branches the wrong way round")
