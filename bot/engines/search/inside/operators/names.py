"""Names: a variable, attribute or target that should have been another one in reach."""

from __future__ import annotations

import ast
import builtins
from difflib import SequenceMatcher
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import neighbours, walked


def likeness(one: str, two: str) -> float:
    """0 for the same spelling, 1 for nothing in common."""
    return 1.0 - SequenceMatcher(None, one.lower(), two.lower()).ratio()


def names_of(site: Site) -> Iterator[ast.Name]:
    """Names that the statement's own lines read, those in annotations too."""
    seen = [node for node in site.nodes if isinstance(node, ast.Name)]
    yield from seen
    stmt = site.stmt
    notes = [getattr(stmt, "annotation", None), getattr(stmt, "returns", None)]
    if hasattr(stmt, "args"):
        notes += [node.annotation for node in walked(stmt.args) if isinstance(node, ast.arg)]
    for note in notes:
        if note is not None:
            yield from (node for node in walked(note) if isinstance(node, ast.Name) and node not in seen)


def variable(site: Site) -> Iterator[Change]:
    """A name that is read: another variable of the function, or a global of the same kind."""
    for node in site.of(ast.Name):
        assert isinstance(node, ast.Name)
        if not isinstance(node.ctx, ast.Load) or _is_callee(site, node) or hasattr(builtins, node.id):
            continue
        for name, distance in site.scope.items():
            if name == node.id or (distance >= 1.5 and not name.isupper()):
                continue
            cost = 0.6 * distance + 0.5 * likeness(name, node.id)
            yield Change(
                site.swap(node, name), cost, _read(site, node), "reads `%s` where `%s` is meant" % (node.id, name)
            )


def _read(site: Site, node: ast.AST) -> str:
    parent = site.parent(node)
    whole = parent if isinstance(parent, (ast.expr, ast.Return, ast.Assign, ast.AugAssign)) else node
    return "`%s`" % short(site.text(whole))


def _is_callee(site: Site, node: ast.AST) -> bool:
    parent = site.parent(node)
    return isinstance(parent, ast.Call) and parent.func is node


def target(site: Site) -> Iterator[Change]:
    """A name that is assigned: the value belongs into another variable."""
    stmt = site.stmt
    targets: List[ast.expr] = []
    if isinstance(stmt, ast.Assign):
        targets = stmt.targets
    elif isinstance(stmt, ast.AugAssign):
        targets = [stmt.target]
    for node in targets:
        if isinstance(node, ast.Name):
            for name, distance in site.live().items():
                if name != node.id:
                    fault = "stores into `%s` what belongs into `%s`" % (node.id, name)
                    yield Change(site.swap(node, name), 0.6 * distance, "`%s`" % short(site.text(stmt)), fault)


def attribute(site: Site) -> Iterator[Change]:
    """`self.a` for `self.b`: another attribute that the class knows."""
    known = site.attributes()
    for node in site.of(ast.Attribute):
        assert isinstance(node, ast.Attribute)
        if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
            continue
        for name in known:
            if name != node.attr and not name.startswith("__"):
                edits = site.swap(node, "%s.%s" % (node.value.id, name))
                fault = "uses `%s` where `%s` is meant" % (node.attr, name)
                yield Change(edits, 0.5 * likeness(name, node.attr), _read(site, node), fault)


def foreign_attribute(site: Site) -> Iterator[Change]:
    """`x.a` for `x.b`: an attribute that this file reads from the same or another name."""
    used = {node.attr for node in walked(site.source.tree) if isinstance(node, ast.Attribute)}
    for node in site.of(ast.Attribute):
        assert isinstance(node, ast.Attribute)
        if _is_callee(site, node) or (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
            continue
        for name in sorted(used - {node.attr}, key=lambda other: likeness(other, node.attr))[:8]:
            edits = site.swap(node, "%s.%s" % (site.operand(node.value), name))
            fault = "reads the attribute `%s` where `%s` is meant" % (node.attr, name)
            yield Change(edits, 0.6 * likeness(name, node.attr), _read(site, node), fault)


def selfless(site: Site) -> Iterator[Change]:
    """`x` where `self.x` is meant, or the other way round."""
    if site.klass is None or site.function is None:
        return
    known = set(site.attributes())
    for node in site.of(ast.Name):
        assert isinstance(node, ast.Name)
        if node.id in known:
            what = "`%s`" % short(site.text(node))
            yield Change(site.swap(node, "self." + node.id), 0.0, what, "lacks `self.`: the attribute is meant")
        elif isinstance(node.ctx, ast.Load) and not _is_callee(site, node):
            for name in sorted(known, key=lambda attr: likeness(attr, node.id))[:3]:
                cost = 0.3 + likeness(name, node.id)
                fault = "reads `%s` where `self.%s` is meant" % (node.id, name)
                yield Change(site.swap(node, "self." + name), cost, _read(site, node), fault)
    for dotted in site.of(ast.Attribute):
        assert isinstance(dotted, ast.Attribute)
        if isinstance(dotted.value, ast.Name) and dotted.value.id == "self" and dotted.attr in site.scope:
            fault = "reads the attribute where the variable `%s` is meant" % dotted.attr
            yield Change(site.swap(dotted, dotted.attr), 0.2, "`%s`" % site.text(dotted), fault)


def expression(site: Site) -> Iterator[Change]:
    """A whole expression becomes a variable, where one is at hand: an argument, a value, a bound."""
    for node in site.of(ast.Call, ast.BinOp, ast.Subscript, ast.Constant):
        parent = site.parent(node)
        if isinstance(parent, (ast.Attribute, ast.Expr)) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str)
        ):
            continue
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            continue
        for name, distance in _near(site):
            if name != site.text(node):
                what = "`%s`" % short(site.text(node))
                yield Change(site.swap(node, name), distance, what, "stands where `%s` is meant" % name)


def attribute_to_variable(site: Site) -> Iterator[Change]:
    """`self.text` becomes `body`, a variable that holds what was made of it."""
    for node in site.of(ast.Attribute):
        parent = site.parent(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        held = isinstance(parent, (ast.Attribute, ast.Expr)) and not called
        if not isinstance(node, ast.Attribute) or called or held or not isinstance(node.ctx, ast.Load):
            continue
        for name, distance in _near(site):
            fault = "is used where `%s` is meant" % name
            yield Change(site.swap(node, name), distance, "`%s`" % short(site.text(node)), fault)


def _near(site: Site) -> List[Tuple[str, float]]:
    return sorted(site.live().items(), key=lambda pair: pair[1])[:6]


def swapped_pair(site: Site) -> Iterator[Change]:
    """`a, b` becomes `b, a`: tuple elements, targets, list elements."""
    for node in site.of(ast.Tuple, ast.List):
        elements = node.elts if isinstance(node, (ast.Tuple, ast.List)) else []
        for one, two in neighbours(elements):
            if site.text(one) != site.text(two) and len(elements) <= 4:
                edits = site.swap(one, site.text(two)) + site.swap(two, site.text(one))
                what = "`%s`" % short(site.text(node))
                yield Change(edits, 0.2 * (len(elements) - 2), what, "has its elements in the wrong order")


MORE_TO_CHOOSE = 0.15
"""For each further variable: the more there are, the more pairs of them pass by chance."""


def exchanged(site: Site) -> Iterator[Change]:
    """Two variables of one statement stand in each other's place."""
    found: Dict[str, List[ast.Name]] = {}
    for node in site.of(ast.Name):
        assert isinstance(node, ast.Name)
        if isinstance(node.ctx, ast.Load) and not _is_callee(site, node):
            found.setdefault(node.id, []).append(node)
    names = sorted(found)
    for index, one in enumerate(names):
        for two in names[index + 1 : index + 5]:
            edits = tuple(e for node in found[one] for e in site.swap(node, two))
            edits += tuple(e for node in found[two] for e in site.swap(node, one))
            what = "`%s`" % short(site.text(site.stmt).split("\n")[0])
            yield Change(
                edits, MORE_TO_CHOOSE * (len(names) - 2), what, "has `%s` and `%s` in each other's place" % (one, two)
            )


def attribute_added(site: Site) -> Iterator[Change]:
    """`x` becomes `x.name`: an attribute that this file reads from a variable of that name, or from any other."""
    by_name: Dict[str, Dict[str, None]] = {}
    for node in walked(site.source.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id != "self":
            by_name.setdefault(node.value.id, {})[node.attr] = None
    for node in site.of(ast.Name):
        assert isinstance(node, ast.Name)
        if (
            isinstance(node.ctx, ast.Load)
            and not isinstance(site.parent(node), ast.Attribute)
            and not _is_callee(site, node)
        ):
            for attr in by_name.get(node.id, {}):
                new = "%s.%s" % (node.id, attr)
                fault = "uses the whole `%s` where `%s` is meant" % (node.id, new)
                yield Change(site.swap(node, new), 0.2, _read(site, node), fault)


def attribute_dropped(site: Site) -> Iterator[Change]:
    for node in site.of(ast.Attribute):
        assert isinstance(node, ast.Attribute)
        if (
            isinstance(node.ctx, ast.Load)
            and not _is_callee(site, node)
            and not isinstance(site.parent(node), ast.Attribute)
        ):
            owner = site.text(node.value)
            if owner not in ("self", "cls"):
                edits = site.fit(node, site.operand(node.value), atomic=True)
                yield Change(edits, 0.0, _read(site, node), "should be the whole `%s`" % short(owner))
