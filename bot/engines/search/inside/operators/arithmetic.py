"""Arithmetic: a wrong operator, operands swapped or dropped, true for floor division, missing parentheses."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, Tuple

from ..site import Change, Site, short
from .comparison import token_edit

SYMBOLS: Dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.MatMult: "@",
}
KIN: Dict[str, Tuple[str, ...]] = {
    "+": ("-", "*", "/", "//", "%", "**"),
    "-": ("+", "*", "/", "//", "%"),
    "*": ("/", "+", "**", "//", "-", "%"),
    "/": ("*", "//", "-", "+", "%"),
    "//": ("/", "%", "*", "-", "+"),
    "%": ("//", "/", "*", "-", "+"),
    "**": ("*", "+", "/", "//"),
    "<<": (">>",),
    ">>": ("<<",),
    "&": ("|", "^"),
    "|": ("&", "^"),
    "^": ("|", "&", "**"),
}
_STRINGY = (ast.JoinedStr,)
MOST_OTHERS = 6


def _is_text(node: ast.AST) -> bool:
    """True for text: `%` and `+` mean something else there."""
    return isinstance(node, _STRINGY) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))


def swapped(site: Site) -> Iterator[Change]:
    """Another operator between the same operands."""
    for node in site.of(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        old = SYMBOLS[type(node.op)]
        if _is_text(node.left):
            continue
        for rank, new in enumerate(KIN.get(old, ())):
            edits = token_edit(site, node.left, node.right, old, new)
            if edits:
                fault = "uses `%s` where `%s` is meant" % (old, new)
                cost = 0.35 * rank + _oddness(site, node, new)
                yield Change(edits, cost, "`%s`" % short(site.text(node)), fault)


def _oddness(site: Site, node: ast.BinOp, new: str) -> float:
    """A quotient divided again, one added where one was taken away, months times a month: seldom what is meant."""
    divides = (ast.Div, ast.FloorDiv, ast.Mod)
    parent = site.parent(node)
    chained = isinstance(parent, ast.BinOp) and isinstance(parent.op, divides)
    chained = chained or (isinstance(node.left, ast.BinOp) and isinstance(node.left.op, divides))
    odd = 1.0 if new in ("/", "//", "%") and chained else 0.0
    odd += 1.0 if new in ("*", "**", "/", "//", "%") and _of_one_unit(site, node) else 0.0
    return odd + (1.0 if _is_one(node.right) else 0.0)


def _of_one_unit(site: Site, node: ast.BinOp) -> bool:
    """`day.month + months`: one is as many of what the other is."""
    words = [site.text(side).rpartition(".")[2] for side in (node.left, node.right)]
    return words[0] != words[1] and words[0].rstrip("s") == words[1].rstrip("s") and words[0].isidentifier()


def _is_one(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == 1


def undone(site: Site) -> Iterator[Change]:
    """`x - 1` or `x + 1` becomes `x`."""
    for node in site.of(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        if isinstance(node.op, (ast.Add, ast.Sub)) and _is_one(node.right):
            word = "few" if isinstance(node.op, ast.Sub) else "many"
            edits = site.fit(node, site.operand(node.left), atomic=True)
            fault = "is one too %s: it should be `%s`" % (word, short(site.text(node.left)))
            yield Change(edits, 0.0, "`%s`" % short(site.text(node)), fault)


def augmented(site: Site) -> Iterator[Change]:
    """`+=` for `-=`, and plain `=` for `+=` or the other way round."""
    stmt = site.stmt
    if isinstance(stmt, ast.AugAssign):
        old = SYMBOLS[type(stmt.op)] + "="
        for rank, new in enumerate(KIN.get(old[:-1], ())):
            edits = token_edit(site, stmt.target, stmt.value, old, new + "=")
            if edits:
                fault = "updates with `%s` where `%s=` is meant" % (old, new)
                yield Change(edits, 0.35 * rank, "`%s`" % short(site.text(stmt)), fault)
        edits = token_edit(site, stmt.target, stmt.value, old, "=")
        if edits:
            yield Change(edits, 0.8, "`%s`" % short(site.text(stmt)), "accumulates where it should assign")


def accumulated(site: Site) -> Iterator[Change]:
    stmt = site.stmt
    if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1:
        target = stmt.targets[0]
        if not isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
            return
        for rank, new in enumerate(("+=", "-=", "*=", "|=")):
            edits = token_edit(site, target, stmt.value, "=", new)
            if edits:
                what = "`%s`" % short(site.text(stmt))
                yield Change(edits, 0.4 * rank, what, "overwrites the value that it should update with `%s`" % new)


def operands(site: Site) -> Iterator[Change]:
    """`a - b` for `b - a`."""
    for node in site.of(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        if isinstance(node.op, (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.Add)) and not _is_text(
            node.left
        ):
            left, right = site.operand(node.left), site.operand(node.right)
            edits = _exchange(site, node, left, right)
            cost = 0.8 if isinstance(node.op, ast.Add) else 0.0
            yield Change(edits, cost, "`%s`" % short(site.text(node)), "has its operands the wrong way round")


def _exchange(site: Site, node: ast.BinOp, left: str, right: str) -> Tuple[Tuple[int, int, str], ...]:
    return site.swap(node.left, right) + site.swap(node.right, left)


def dropped(site: Site) -> Iterator[Change]:
    """`a + b` becomes `a` or `b`."""
    for node in site.of(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        if _is_text(node.left):
            continue
        sides = ((node.left, node.right, 0.0), (node.right, node.left, 0.4))
        for kept, gone, cost in sides:
            fault = "should not involve `%s`" % short(site.text(gone))
            edits = site.fit(node, site.operand(kept), atomic=True)
            yield Change(edits, cost, "`%s`" % short(site.text(node)), fault)


def regrouped(site: Site) -> Iterator[Change]:
    """`a + b * c` becomes `(a + b) * c`, and `a * (b + c)` becomes `a * b + c`."""
    for node in site.of(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        whole = "`%s`" % short(site.text(node))
        symbol = SYMBOLS[type(node.op)]
        for inner, outer_left in ((node.right, True), (node.left, False)):
            if not isinstance(inner, ast.BinOp):
                continue
            below = SYMBOLS[type(inner.op)]
            a, b = site.operand(inner.left), site.operand(inner.right)
            if outer_left:
                new = "(%s %s %s) %s %s" % (site.operand(node.left), symbol, a, below, b)
            else:
                new = "%s %s (%s %s %s)" % (a, below, b, symbol, site.operand(node.right))
            yield Change(
                site.fit(node, new), 0.0, whole, "groups its operands wrongly; it should be `%s`" % short(new)
            )
        yield from _bracketed(site, node)


def _bracketed(site: Site, node: ast.BinOp) -> Iterator[Change]:
    """`a - b * c / d` becomes `(a - b) * c / d`: the operand in front goes together with the first one behind."""
    first = node.right
    while isinstance(first, ast.BinOp) and not site.text(first).startswith("("):
        first = first.left
    deep = isinstance(node.right, ast.BinOp) and first is not node.right.left
    if deep and not isinstance(first, ast.BinOp):
        begin, end = site.source.span(node)[0], site.source.span(first)[1]
        text = site.source.data[begin:end].decode("utf-8")
        fault = "groups its operands wrongly: `%s` belongs together" % short(text)
        yield Change(((begin, end, "(%s)" % text),), 0.1, "`%s`" % short(site.text(node)), fault)


def sign(site: Site) -> Iterator[Change]:
    """`-x` for `x`, `~x` for `x`."""
    for node in site.of(ast.UnaryOp):
        assert isinstance(node, ast.UnaryOp)
        if isinstance(node.op, (ast.USub, ast.Invert)):
            inner = site.operand(node.operand)
            what = "`%s`" % short(site.text(node))
            yield Change(site.fit(node, inner, atomic=True), 0.0, what, "has a sign too many")
    for node in site.of(ast.Name, ast.Attribute, ast.Call, ast.Subscript):
        parent = site.parent(node)
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)) or isinstance(parent, ast.Attribute):
            continue
        if isinstance(parent, (ast.Return, ast.keyword, ast.Tuple, ast.IfExp, ast.Assign, ast.AugAssign)):
            what = "`%s`" % short(site.text(node))
            yield Change(site.fit(node, "-" + site.operand(node)), 1.0, what, "lacks a minus sign")
        elif isinstance(parent, ast.Call) and node in parent.args and isinstance(node, (ast.Name, ast.Attribute)):
            fault = "lacks a minus sign"
            yield Change(site.fit(node, "-" + site.operand(node)), 1.2, "`%s`" % short(site.text(node)), fault)


def taken_over(site: Site) -> Iterator[Change]:
    """`place += 1` becomes `place = number`, `low += 1` `low = middle + 1`: taken from another, not counted on."""
    stmt = site.stmt
    if not isinstance(stmt, ast.AugAssign) or not isinstance(stmt.target, (ast.Name, ast.Attribute)):
        return
    target = site.text(stmt.target)
    own = {node.id for node in ast.walk(stmt) if isinstance(node, ast.Name)}
    near = sorted((cost, name) for name, cost in site.live().items() if name not in own)
    for rank, (cost, name) in enumerate(near[:MOST_OTHERS]):
        for more, form in enumerate(("%s", "%s + 1", "%s - 1")):
            new = form % name
            fault = "counts on where `%s` is meant" % new
            edits = site.swap(stmt, "%s = %s" % (target, new))
            yield Change(
                edits, cost + 0.1 * rank + (0.5 + 0.1 * more if more else 0.0), "`%s`" % short(site.text(stmt)), fault
            )
