"""Numbers: off by one, a wrong small constant, a flag turned, digits of a rounding, an index or bound shifted."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Tuple, Union

from ..site import Change, Site, short
from ..source import walked

Number = Union[int, float]


def _numbers(site: Site) -> Iterator[Tuple[ast.Constant, Number]]:
    for node in site.of(ast.Constant):
        assert isinstance(node, ast.Constant)
        if isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            yield node, node.value


def stepped(site: Site) -> Iterator[Change]:
    """`n` becomes `n + 1` or `n - 1`."""
    for node, value in _numbers(site):
        if not isinstance(value, int):
            continue
        for new in (value + 1, value - 1):
            where = _role(site, node)
            fault = "is off by one: `%s` should be `%d`" % (site.text(node), new)
            cost = (0.0 if where else 0.3) + min(1.0, 0.1 * len(str(abs(value)))) + (0.3 if new < 0 else 0.0)
            if new == 0 and isinstance(site.parent(node), ast.BinOp):
                cost += 1.0  # nobody writes `x + 0`
            yield Change(site.fit(node, str(new), atomic=new >= 0), cost, _around(site, node), fault)


def _role(site: Site, node: ast.AST) -> bool:
    """True where off-by-one faults live: bounds, indices, slices, comparisons."""
    for ancestor in site.source.ancestors(node):
        if isinstance(ancestor, (ast.Subscript, ast.Slice, ast.Compare)):
            return True
        if isinstance(ancestor, ast.Call):
            return isinstance(ancestor.func, ast.Name) and ancestor.func.id == "range"
        if isinstance(ancestor, ast.stmt):
            return False
    return False


def _around(site: Site, node: ast.AST) -> str:
    """The expression that a constant stands in, so that a sentence about it makes sense."""
    parent = site.parent(node)
    if isinstance(parent, (ast.UnaryOp, ast.keyword, ast.Slice)):
        parent = site.parent(parent)
    if isinstance(parent, ast.Dict) and node in parent.values:
        key = parent.keys[parent.values.index(node)]
        return "`%s: %s`" % (short(site.text(key)) if key is not None else "**", site.text(node))
    whole = parent if isinstance(parent, (ast.expr, ast.Return, ast.Assign, ast.AugAssign)) else node
    return "`%s`" % short(site.text(whole))


UNITS = (60, 24, 7, 12, 365, 3600, 86400, 100, 1000, 1024)
"""How many there are of one thing in another: people take one of these for the other."""


def changed(site: Site) -> Iterator[Change]:
    """Small constants, other scales, and the constants that stand elsewhere in the file."""
    nearby = _nearby(site)
    for node, value in _numbers(site):
        offered: Dict[str, float] = {}
        for new, cost in ((0, 0.4), (1, 0.4), (2, 0.8), (-1, 0.7), (10, 1.4), (100, 1.4)):
            offered.setdefault(repr(new), cost)
        for new_scale, cost in (
            (value * 10, 1.2),
            (value / 10, 1.2),
            (value * 100, 1.5),
            (value / 100, 1.5),
            (-value, 0.8),
        ):
            offered.setdefault(_written(new_scale, whole=isinstance(value, int)), cost)
        if isinstance(value, int) and value > 9:
            offered.setdefault(str(int(str(value)[::-1])), 1.2)  # 23 for 32
        for unit in UNITS if value in UNITS else ():
            offered.setdefault(repr(unit), 1.0)
        for text in nearby:
            offered[text] = min(offered.get(text, 9.0), 0.9)
        for text, cost in offered.items():
            if text != site.text(node):
                fault = "has `%s` where `%s` belongs" % (site.text(node), text)
                yield Change(site.fit(node, text, atomic=text[0] != "-"), cost, _around(site, node), fault)


def _written(value: Number, whole: bool) -> str:
    """As a person would write it: a tenth of 0.254 is 0.0254, not 0.025400000000000002."""
    text = "%.12g" % value
    plain = text.lstrip("-").isdigit()
    return text + ".0" if plain and not whole else text


def _nearby(site: Site) -> List[str]:
    """Number literals of the same function, then of the same file, nearest first."""
    scope = site.function or site.source.tree
    found: Dict[str, int] = {}
    for node in walked(scope):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            found.setdefault(repr(node.value), abs(node.lineno - site.stmt.lineno))
    return sorted(found, key=lambda text: found[text])[:8]


def flag(site: Site) -> Iterator[Change]:
    """`True` for `False`; `None` for an empty value."""
    for node in site.of(ast.Constant):
        assert isinstance(node, ast.Constant)
        if isinstance(node.value, bool):
            new, parent = str(not node.value), site.parent(node)
            given = (
                "passes `%s=%s`" % (parent.arg, node.value)
                if isinstance(parent, ast.keyword)
                else "has `%s`" % node.value
            )
            yield Change(site.swap(node, new), 0.0, _around(site, node), "%s where `%s` belongs" % (given, new))
        elif node.value is None and isinstance(site.parent(node), (ast.Return, ast.Assign, ast.keyword, ast.IfExp)):
            for rank, new in enumerate(("[]", '""', "0", "{}", "False")):
                fault = "gives `None` where `%s` is expected" % new
                yield Change(site.swap(node, new), 1.0 + 0.2 * rank, _around(site, node), fault)


def emptied(site: Site) -> Iterator[Change]:
    """An empty container or number of the wrong kind: `[]`, `{}`, `()`, `set()`, `0`, `""`, `None`."""
    for node in site.nodes:
        text = site.text(node) if isinstance(node, ast.expr) else ""
        if text not in ("[]", "{}", "()", "set()", '""', "''", "0", "0.0", "None"):
            continue
        if isinstance(site.parent(node), (ast.Return, ast.Assign, ast.AnnAssign, ast.IfExp)):
            for rank, new in enumerate(("[]", "{}", "set()", "()", '""', "0", "1", "None")):
                if new != text:
                    fault = "starts from `%s` where `%s` is needed" % (text, new)
                    yield Change(site.swap(node, new), 0.15 * rank, _around(site, node), fault)


def digits(site: Site) -> Iterator[Change]:
    """`round(x)` loses the cents: give it digits, change them, or take them away."""
    for node in site.of(ast.Call):
        assert isinstance(node, ast.Call)
        if not (isinstance(node.func, ast.Name) and node.func.id == "round" and node.args):
            continue
        what = "`%s`" % short(site.text(node))
        first = site.text(node.args[0])
        if len(node.args) == 1 and not node.keywords:
            for rank, count in enumerate((2, 1, 3, 4)):
                fault = "rounds to whole units and drops the decimals; it needs `%d` digits" % count
                yield Change(site.swap(node, "round(%s, %d)" % (first, count)), 0.3 * rank, what, fault)
        elif len(node.args) == 2:
            for rank, count in enumerate((2, 1, 3, 0, 4, 6)):
                if str(count) != site.text(node.args[1]):
                    fault = "rounds to `%s` digits where `%d` are needed" % (site.text(node.args[1]), count)
                    yield Change(site.swap(node.args[1], str(count)), 0.2 * rank, what, fault)


def shifted(site: Site) -> Iterator[Change]:
    """`x` becomes `x + 1` or `x - 1`, most likely in ranges, indices, slices and comparisons."""
    for node in site.of(ast.Name, ast.Attribute, ast.Call, ast.BinOp):
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)) or not _countable(site, node):
            continue
        cost = 0.0 if _role(site, node) else 1.0 if isinstance(site.parent(node), ast.Return) else 1.6
        cost = min(cost, 0.5) if _counts_things(node) and isinstance(site.parent(node), ast.BinOp) else cost
        text = site.operand(node) if not isinstance(node, ast.BinOp) else site.text(node)
        if isinstance(node, ast.BinOp) and not isinstance(node.op, (ast.Add, ast.Sub)):
            text = site.operand(node)
        for rank, (new, word) in enumerate((("%s + 1" % text, "few"), ("%s - 1" % text, "many"))):
            fault = "is one too %s: it should be `%s`" % (word, short(new))
            yield Change(site.fit(node, new), cost + 0.05 * rank, _in_parent(site, node), fault)


def _counts_things(node: ast.AST) -> bool:
    """`len(x)`: of so many things there is one gap less, and the last place is one less too."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"


def _in_parent(site: Site, node: ast.AST) -> str:
    parent = site.parent(node)
    whole = site.text(parent) if isinstance(parent, ast.expr) else ""
    text = "`%s`" % short(site.text(node))
    return text + " in `%s`" % short(whole) if whole and "\n" not in whole else text


def _countable(site: Site, node: ast.AST) -> bool:
    parent = site.parent(node)
    if isinstance(parent, ast.Attribute) or (isinstance(parent, ast.Call) and parent.func is node):
        return False
    if isinstance(parent, ast.Subscript) and parent.value is node:
        return False
    if isinstance(parent, ast.BinOp) and not isinstance(node, ast.Name):
        return isinstance(parent.op, (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod))
    return isinstance(parent, (ast.expr, ast.Return, ast.Assign, ast.AugAssign, ast.Slice, ast.keyword))
