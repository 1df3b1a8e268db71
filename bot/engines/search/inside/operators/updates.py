"""Missing lines that keep something up to date: a counter, a collection, an attribute, a call."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, arguments_of
from ..source import paired, walked
from .statements import holds_docstring


def updated(site: Site) -> Iterator[Change]:
    """A line that counts, collects or advances is missing: `i += 1`, `out.append(x)`, `seen.add(x)`, `a = b`."""
    if site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    for cost, text in [*_remembered(site), *_ideas(site)]:
        where = "`%s`" % site.function.name
        if not isinstance(site.stmt, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            yield Change(site.insert_after(text), cost, where, "lacks `%s`" % text)
        yield Change(site.insert_before(text), cost + 0.1, where, "lacks `%s`" % text)


THEIRS = 1.2
"""More for a line that changes what the caller handed in."""


def _remembered(site: Site) -> Iterator[Tuple[float, str]]:
    """`last = x.place` where the function compares `x.place` with `last`, and stores nothing new in it."""
    assert site.function is not None
    for node in walked(site.function):
        if not isinstance(node, ast.Compare) or len(node.comparators) != 1:
            continue
        for kept, new in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            text = site.text(new)
            bound = isinstance(kept, ast.Name) and site.live().get(kept.id) is not None
            if bound and not isinstance(new, ast.Constant) and "\n" not in text:
                yield 0.1, "%s = %s" % (site.text(kept), text)


def _ideas(site: Site) -> Iterator[Tuple[float, str]]:
    """Lines that fit what the variables hold, as far as their first values tell."""
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:7]
    kinds = _kinds(site)
    theirs = arguments_of(site.function) if site.function is not None else []
    for rank, one in enumerate(names):
        kind = kinds.get(one, "")
        if kind in ("", "number"):
            yield 0.3 + 0.1 * rank, one + " += 1"
            yield 0.5 + 0.1 * rank, one + " -= 1"
        if kind in ("text", "list"):
            yield 0.6, one + (' = ""' if kind == "text" else " = []")
        if site.klass is not None:
            yield 0.3, "self.%s = %s" % (one, one)
        for other in [name for name in names if name != one]:
            if kind in ("", "list"):
                yield (0.4 if kind else 0.7) + (THEIRS if one in theirs else 0.0), "%s.append(%s)" % (one, other)
            if kind in ("", "set"):
                yield (0.4 if kind else 0.8) + (THEIRS if one in theirs else 0.0), "%s.add(%s)" % (one, other)
            if kind != "set":
                yield 0.5, "%s = %s" % (one, other)
            if kind in ("", "number", "text", "list"):
                yield 0.7, "%s += %s" % (one, other)


_MAKERS = {
    "set": "set",
    "list": "list",
    "deque": "list",
    "sorted": "list",
    "dict": "dict",
    "len": "number",
    "int": "number",
}


def _kinds(site: Site) -> Dict[str, str]:
    """Variables of the function -> list, set, dict, number or text, where an assignment shows it."""
    found: Dict[str, str] = {}
    for node in walked(site.function) if site.function is not None else ():
        if not isinstance(node, ast.Assign):
            continue
        pairs = [(target, node.value) for target in node.targets]
        if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(paired(node.targets[0].elts, node.value.elts))
        for target, value in pairs:
            kind = _kind(value)
            if isinstance(target, ast.Name) and kind:
                found.setdefault(target.id, kind)
    return found


def _kind(value: ast.expr) -> str:
    if isinstance(value, ast.Constant):
        return {int: "number", float: "number", str: "text"}.get(type(value.value), "")
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return _MAKERS.get(value.func.id, "")
    shapes = ((ast.List, "list"), (ast.ListComp, "list"), (ast.Set, "set"), (ast.SetComp, "set"), (ast.Dict, "dict"))
    return next((name for shape, name in shapes if isinstance(value, shape)), "")


def attribute_updated(site: Site) -> Iterator[Change]:
    """A line that keeps something in the object is missing: `self.log.append(x)`, `self.count += 1`, `self.x = x`."""
    if site.klass is None or site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    stored = _stored_attributes(site.klass)
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:4]
    leaves = isinstance(site.stmt, (ast.Return, ast.Raise, ast.Break, ast.Continue))
    for attr in stored[:8]:
        ideas = ["self.%s += 1" % attr, "self.%s -= 1" % attr]
        for name in names:
            forms = ("self.%s.append(%s)", "self.%s.add(%s)", "self.%s = %s", "self.%s += %s", "self.%s -= %s")
            ideas += [form % (attr, name) for form in forms] + ["self.%s.remove(%s)" % (attr, name)]
        for rank, text in enumerate(ideas):
            where, fault = "`%s`" % site.function.name, "lacks `%s`" % text
            edits = site.insert_before(text) if leaves else site.insert_after(text)
            yield Change(edits, 0.04 * rank, where, fault)


def _stored_attributes(klass: ast.ClassDef) -> List[str]:
    found: Dict[str, None] = {}
    for node in walked(klass):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            if node.value.id == "self":
                found[node.attr] = None
    return list(found)


def call_missing(site: Site) -> Iterator[Change]:
    """A method of an object at hand that must be called too: `member.borrow(book)`, `self._refresh()`."""
    if site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:4]
    own = {node.name for node in site.klass.body if hasattr(node, "name")} if site.klass is not None else set()
    leaves = isinstance(site.stmt, (ast.Return, ast.Raise, ast.Break, ast.Continue))
    for method, count in site.hints.methods.items():
        if count > 1 or method.startswith("__") or method == site.function.name:
            continue
        owners = ["self"] if method in own else list(names)
        for owner in owners:
            others = [name for name in names if name != owner] if count else [""]
            for rank, given in enumerate(others[:3]):
                text = "%s.%s(%s)" % (owner, method, given)
                edits = site.insert_before(text) if leaves else site.insert_after(text)
                yield Change(edits, 0.1 * rank, "`%s`" % site.function.name, "never calls `%s`" % text)
