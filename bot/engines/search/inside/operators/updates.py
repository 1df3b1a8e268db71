"""Missing lines that keep something up to date: a counter, a collection, an attribute, a call."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site
from .statements import holds_docstring


def updated(site: Site) -> Iterator[Change]:
    """A line that counts, collects or advances is missing: `i += 1`, `out.append(x)`, `seen.add(x)`, `a = b`."""
    if site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:6]
    ideas: List[Tuple[float, str]] = []
    for rank, one in enumerate(names):
        ideas += [(0.3 + 0.1 * rank, one + " += 1"), (0.5 + 0.1 * rank, one + " -= 1")]
        if site.klass is not None:
            ideas.append((0.3, "self.%s = %s" % (one, one)))
        for other in names:
            if one != other:
                ideas += [(0.4, "%s.append(%s)" % (one, other)), (0.5, "%s.add(%s)" % (one, other))]
                ideas += [(0.5, "%s = %s" % (one, other)), (0.7, "%s += %s" % (one, other))]
    for cost, text in ideas:
        where = "`%s`" % site.function.name
        if not isinstance(site.stmt, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            yield Change(site.insert_after(text), cost, where, "lacks `%s`" % text)
        yield Change(site.insert_before(text), cost + 0.1, where, "lacks `%s`" % text)


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
    for node in ast.walk(klass):
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
