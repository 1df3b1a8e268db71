"""What stands in for `None` and for nothing: `x or {}`, `given or "utf-8"`, a new list in place of an emptied one."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Optional, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import paired, walked
from .calls import callee, calls_of

OF_METHODS: Dict[str, str] = {
    **dict.fromkeys(("get", "items", "keys", "values", "setdefault", "update", "pop"), "{}"),
    **dict.fromkeys(("append", "extend", "index", "count", "sort"), "[]"),
    **dict.fromkeys(("strip", "lower", "upper", "split", "splitlines", "startswith", "endswith", "encode"), '""'),
    **dict.fromkeys(("replace", "rstrip", "lstrip", "join", "partition", "find", "format", "title"), '""'),
}
NOTHING = ('""', "[]", "{}", "()", "0")
NONE_SAID = 1.0
"""Less where the error speaks of `None`."""


def empty(site: Site) -> Iterator[Change]:
    """`x.get(k)` becomes `(x or {}).get(k)`, `for a in x` `for a in x or ()`, `return x` `return x or ""`."""
    said = NONE_SAID if any(True for _red in site.hints.of("NoneType", "None")) else 0.0
    for node in site.of(ast.Name, ast.Attribute, ast.Call, ast.Subscript):
        assert isinstance(node, ast.expr)
        if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or site.text(node) in ("self", "cls"):
            continue
        for cost, value in _stand_ins(site, node):
            fault = "may be nothing; `%s` must stand in for it" % value
            edits = _or(site, node, value)
            yield Change(edits, cost - said, "`%s`" % short(site.text(node)), fault)


def _or(site: Site, node: ast.expr, value: str) -> "Tuple[Tuple[int, int, str], ...]":
    new = "%s or %s" % (site.operand(node), value)
    parent = site.parent(node)
    if isinstance(parent, ast.Dict) or (isinstance(parent, ast.keyword) and parent.arg is None):
        return site.swap(node, "(%s)" % new)
    inside = isinstance(parent, ast.comprehension) and parent.iter is node
    return site.swap(node, new) if inside else site.fit(node, new)


def _stand_ins(site: Site, node: ast.expr) -> List[Tuple[float, str]]:
    """What could stand in for nothing, as far as the use of a value tells."""
    parent = site.parent(node)
    if isinstance(parent, ast.Attribute):
        kind = OF_METHODS.get(parent.attr)
        return [(0.0, kind)] if kind is not None else []
    if isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node:
        return [(0.0, "()"), (0.1, "[]")]
    if isinstance(parent, ast.keyword) and parent.arg is None:
        return [(-0.3, "{}")]
    if isinstance(parent, ast.Dict) and any(key is None and one is node for key, one in _entries(parent)):
        return [(-0.3, "{}")]
    if isinstance(parent, ast.Starred):
        return [(-0.3, "()")]
    if isinstance(parent, (ast.Return, ast.Assign, ast.BinOp, ast.keyword)) or _is_given(parent, node):
        plain = 0.3 if isinstance(parent, (ast.Return, ast.Assign)) else 0.6
        return [(plain + 0.1 * rank, text) for rank, text in enumerate(_values(site))]
    return []


def _entries(node: ast.Dict) -> "List[Tuple[Optional[ast.expr], ast.expr]]":
    return list(paired(node.keys, node.values))


def _is_given(parent: object, node: ast.expr) -> bool:
    return isinstance(parent, ast.Call) and node in parent.args


def _values(site: Site) -> List[str]:
    """Short texts and numbers of the function, and what is empty."""
    own: Dict[str, None] = {}
    for node in walked(site.function) if site.function is not None else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, int)) and len(repr(node.value)) < 12:
            if site.source.data[site.source.span(node)[0] : site.source.span(node)[1]][:1] in b"'\"0123456789":
                own[site.text(node)] = None
    defaults = [name for name in arguments_of(site.function) if "default" in name] if site.function else []
    return [*defaults, *NOTHING, *[text for text in own if text not in NOTHING][:6]]


def got(site: Site) -> Iterator[Change]:
    """`d.get(k, v)` becomes `d.get(k) or v`: a `None` that is stored counts as nothing too; `getattr` likewise."""
    for node in calls_of(site):
        name, most = callee(node)[0], {"get": 2, "pop": 2, "getattr": 3}.get(callee(node)[0], 0)
        if not most or len(node.args) != most or node.keywords:
            continue
        *first, last = [site.text(argument) for argument in node.args]
        kept = [*first, "None"] if name in ("getattr", "pop") else first
        new = "%s(%s) or %s" % (site.text(node.func), ", ".join(kept), last)
        fault = "gives `None` where that is what is stored"
        yield Change(site.fit(node, new), 0.0, "`%s`" % short(site.text(node)), fault)


def given(site: Site) -> Iterator[Change]:
    """`"utf-8"` becomes `encoding or "utf-8"`, for an argument that may be `None` and that the statement ignores."""
    optional = _optional(site)
    for node in site.of(ast.Constant, ast.Name):
        parent = site.parent(node)
        if not isinstance(parent, (ast.Call, ast.keyword, ast.Return, ast.Assign)):
            continue
        if isinstance(parent, ast.Call) and node not in parent.args:
            continue
        text = site.text(node)
        for rank, name in enumerate(optional):
            if text in (name, "None", "self") or isinstance(getattr(node, "ctx", None), ast.Store):
                continue
            fault = "does not heed `%s`" % name
            yield Change(site.fit(node, "%s or %s" % (name, text)), 0.2 * rank, "`%s`" % short(text), fault)


def _optional(site: Site) -> List[str]:
    """Arguments whose default is `None`; those that nothing reads come first."""
    if site.function is None:
        return []
    spec = site.function.args
    plain = [*getattr(spec, "posonlyargs", []), *spec.args]
    pairs = list(paired(plain[len(plain) - len(spec.defaults) :], spec.defaults))
    pairs += [(one, value) for one, value in paired(spec.kwonlyargs, spec.kw_defaults) if value]
    names = [one.arg for one, value in pairs if isinstance(value, ast.Constant) and value.value is None]
    read = {node.id for node in walked(site.function) if isinstance(node, ast.Name)}
    return sorted(names, key=lambda name: name in read)[:4]


def anew(site: Site) -> Iterator[Change]:
    """`x.clear()` empties what others hold too: `x = []`; and the other way round."""
    stmt = site.stmt
    if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call) and callee(stmt.value)[0] == "clear":
        owner = callee(stmt.value)[1]
        if owner is not None:
            for rank, value in enumerate(("[]", "{}", "set()")):
                fault = "empties what others still hold"
                new = "%s = %s" % (site.text(owner), value)
                yield Change(site.swap(stmt, new), 0.2 * rank, "`%s`" % short(site.text(stmt)), fault)
    if isinstance(stmt, ast.Assign) and site.text(stmt.value) in ("[]", "{}", "set()", "list()", "dict()"):
        new = "%s.clear()" % site.text(stmt.targets[0])
        fault = "leaves the old one to those who hold it"
        yield Change(site.swap(stmt, new), 0.8, "`%s`" % short(site.text(stmt)), fault)
