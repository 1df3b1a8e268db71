"""What is kept, and for how long: a cache that nobody empties, the first value of a key or the last one."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator

from ..site import Change, Site, short
from ..source import FunctionNode, walked
from .statements import holds_docstring, what_of

_CACHING = re.compile(r"\b(lru_cache|cache|memoize)\b")
_NAMED = re.compile(r"cache|memo|_known$|_answers$", re.IGNORECASE)


def emptied(site: Site) -> Iterator[Change]:
    """After a change of state: `self.read.cache_clear()`, `self._cache.clear()`."""
    stmt = site.stmt
    changes = isinstance(stmt, (ast.AugAssign, ast.Delete)) or (
        isinstance(stmt, ast.Assign) and not isinstance(stmt.targets[0], ast.Name)
    )
    if site.function is None or not site.source.alone(stmt) or holds_docstring(site):
        return
    if not changes and not (isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call)):
        return
    for rank, text in enumerate(_emptying(site)):
        if text not in site.text(site.function):
            edits, fault = site.insert_after(text), "leaves old results behind; it needs `%s`" % short(text)
            yield Change(edits, 0.15 * rank, what_of(site), fault)


def _emptying(site: Site) -> Iterator[str]:
    """Statements that empty what the class or the file keeps."""
    found: Dict[str, None] = {}
    for node in walked(site.klass or site.source.tree):
        if isinstance(node, FunctionNode) and any(_CACHING.search(site.text(one)) for one in node.decorator_list):
            found["%s%s.cache_clear()" % ("self." if site.klass else "", node.name)] = None
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Attribute, ast.Name)):
            target = site.text(node.targets[0])
            if _CACHING.search(site.text(node.value)):
                found[target + ".cache_clear()"] = None
            elif _NAMED.search(target) and isinstance(node.value, (ast.Dict, ast.List, ast.Set, ast.Call)):
                found[target + ".clear()"] = None
            elif _NAMED.search(target) and isinstance(node.value, ast.Constant) and node.value.value is None:
                found[target + " = None"] = None
    return iter(list(found)[:4])


def first_holds(site: Site) -> Iterator[Change]:
    """`d[k] = v` becomes `d.setdefault(k, v)`, and the other way round: does the first value hold, or the last?"""
    stmt = site.stmt
    if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], ast.Subscript):
        target = stmt.targets[0]
        if not isinstance(target.slice, ast.Slice):
            parts = (site.operand(target.value), site.text(target.slice), site.text(stmt.value))
            fault = "replaces what was there; the first value must hold"
            yield Change(site.swap(stmt, "%s.setdefault(%s, %s)" % parts), 0.0, what_of(site), fault)
    call = stmt.value if isinstance(stmt, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and len(call.args) == 2:
        if call.func.attr == "setdefault":
            parts = (site.operand(call.func.value), site.text(call.args[0]), site.text(call.args[1]))
            fault = "keeps what was there; the last value must hold"
            yield Change(site.swap(stmt, "%s[%s] = %s" % parts), -0.3, what_of(site), fault)


def kept_on(site: Site) -> Iterator[Change]:
    """`x = found` becomes `x = x or found`, `max(x, found)`: what was seen before still counts."""
    stmt = site.stmt
    if not isinstance(stmt, ast.Assign) or len(stmt.targets) != 1 or site.function is None:
        return
    target = stmt.targets[0]
    looped = any(isinstance(one, (ast.For, ast.While, ast.AsyncFor)) for one in site.source.ancestors(stmt))
    if not isinstance(target, (ast.Name, ast.Attribute)) or not (looped or isinstance(target, ast.Attribute)):
        return
    name, value = site.text(target), site.operand(stmt.value)
    if name in site.text(stmt.value):
        return
    truth = isinstance(stmt.value, (ast.Compare, ast.BoolOp, ast.Call)) or site.text(stmt.value) in ("True", "False")
    for rank, form in enumerate(("%s or %s", "max(%s, %s)", "min(%s, %s)", "%s and %s")):
        odd = 0.0 if truth == (" " in form.split("%s")[1] and "," not in form) else 0.5
        edits = site.swap(stmt.value, form % (name, value))
        yield Change(edits, 0.15 * rank + odd, what_of(site), "forgets what `%s` was before" % name)
