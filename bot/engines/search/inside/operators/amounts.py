"""Amounts: division and rounding up, decimals, floats that are nearly equal, bounds, an operand that is missing."""

from __future__ import annotations

import ast
from typing import Iterator

from ..site import Change, Site, short
from ..unit import Edit
from .calls import callee, calls_of, closing
from .imports import at_top

ROUNDINGS = ("ROUND_HALF_UP", "ROUND_HALF_EVEN", "ROUND_DOWN", "ROUND_UP", "ROUND_CEILING", "ROUND_FLOOR")


def _math(site: Site) -> "tuple[Edit, ...]":
    ready = any(
        isinstance(one, ast.Import) and any(alias.name == "math" for alias in one.names)
        for one in site.source.tree.body
    )
    return () if ready else at_top(site, "import math")


def rounded_up(site: Site) -> Iterator[Change]:
    """`a // b` and `int(a / b)` drop the rest: `math.ceil(a / b)`; `100 * a // b` must be rounded."""
    imports = _math(site)
    more = 0.4 if imports else 0.0
    for node in site.nodes:
        inner = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else node
        whole = isinstance(node, ast.Call) and callee(node)[0] in ("int", "round", "floor")
        if not isinstance(inner, ast.BinOp) or not isinstance(inner.op, (ast.FloorDiv, ast.Div)):
            continue
        if isinstance(inner.op, ast.Div) and not whole:
            continue
        left, right = site.operand(inner.left), site.operand(inner.right)
        what = "`%s`" % short(site.text(node))
        new = "math.ceil(%s / %s)" % (left, right)
        yield Change(site.swap(node, new) + imports, more, what, "drops the rest; it must be rounded up")
        plain = site.text(inner.left)
        for rank, digits in enumerate(("", ", 1", ", 2")):
            fault = "drops the rest; it must be rounded"
            yield Change(site.swap(node, "round(%s / %s%s)" % (plain, right, digits)), 0.5 + 0.2 * rank, what, fault)


def decimal(site: Site) -> Iterator[Change]:
    """`Decimal(0.1)` is not a tenth; `quantize` to other digits or with another rounding; none at all."""
    for node in calls_of(site):
        name = callee(node)[0]
        what = "`%s`" % short(site.text(node))
        if name == "Decimal" and len(node.args) == 1:
            yield from _exact(site, node.args[0], what)
        if name == "quantize" and node.args:
            end, lead = closing(site, node)
            for rank, rounding in enumerate(ROUNDINGS):
                known = rounding in site.scope
                text = "rounding=%s" % (rounding if known else '"%s"' % rounding)
                if not node.keywords:
                    cost = 0.1 * rank + (0.0 if known else 0.3)
                    yield Change(
                        ((end, end, lead + text),), cost, what, "rounds halves to even; it needs `%s`" % text
                    )
    stmt = site.stmt
    if isinstance(stmt, ast.Return) and stmt.value is not None and "Decimal" in site.text(stmt.value):
        for rank, more in enumerate((", rounding=ROUND_HALF_UP", "")):
            if "quantize" in site.text(stmt.value) or (not rank and "ROUND_HALF_UP" not in site.scope):
                continue
            new = '(%s).quantize(Decimal("0.01")%s)' % (site.text(stmt.value), more)
            yield Change(
                site.swap(stmt.value, new), 0.3, "`%s`" % short(site.text(stmt)), "keeps more than two decimals"
            )


def _exact(site: Site, given: ast.expr, what: str) -> Iterator[Change]:
    if isinstance(given, ast.Constant) and isinstance(given.value, float):
        new = '"%s"' % site.text(given)
        yield Change(site.swap(given, new), 0.0, what, "is made from a float, which is not exact")
    elif isinstance(given, ast.Constant) and isinstance(given.value, str):
        for rank, text in enumerate(("0.01", "0.1", "1", "0.001", "0.0001")):
            if text != given.value:
                fault = "rounds to other digits: it should be `%s`" % text
                yield Change(site.swap(given, '"%s"' % text), 0.1 * rank, what, fault)
    elif isinstance(given, (ast.Name, ast.Attribute)):
        new = "str(%s)" % site.text(given)
        yield Change(site.swap(given, new), 0.2, what, "takes over what a float has too much")


def close(site: Site) -> Iterator[Change]:
    """Floats are compared with a tolerance."""
    for node in site.of(ast.Compare):
        assert isinstance(node, ast.Compare)
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            left, right = site.text(node.left), site.text(node.comparators[0])
            if not isinstance(node.comparators[0], (ast.Name, ast.BinOp, ast.Attribute)):
                continue
            lead = "not " if isinstance(node.ops[0], ast.NotEq) else ""
            for rank, more in enumerate((", rel_tol=1e-9", "", ", abs_tol=1e-9")):
                new = "%smath.isclose(%s, %s%s)" % (lead, left, right, more)
                edits = site.swap(node, new) + _math(site)
                fault = "compares floats to the last bit"
                yield Change(edits, 0.1 * rank, "`%s`" % short(site.text(node)), fault)


def clamps(site: Site) -> Iterator[Change]:
    """`min(low, max(x, high))` for `max(low, min(x, high))`: both names change."""
    for node in calls_of(site):
        name = callee(node)[0]
        for inner in node.args:
            other = callee(inner)[0] if isinstance(inner, ast.Call) else ""
            if isinstance(inner, ast.Call) and {name, other} == {"min", "max"}:
                edits = site.swap(node.func, other) + site.swap(inner.func, name)
                fault = "keeps the value out of its bounds instead of inside"
                yield Change(edits, 0.0, "`%s`" % short(site.text(node)), fault)


def operand_missing(site: Site) -> Iterator[Change]:
    """A value that a variable at hand must be added to or taken from."""
    stmt = site.stmt
    values = [stmt.value] if isinstance(stmt, ast.Assign) else []
    values += [one for node in calls_of(site) if callee(node)[0] not in ("isinstance", "len") for one in node.args]
    names = sorted(site.live().items(), key=lambda pair: pair[1])[:4]
    for node in values:
        if not isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript)):
            continue
        for name, distance in names:
            if name == site.text(node):
                continue
            for rank, form in enumerate(("%s + {0}", "{0} - %s", "{0} + %s", "{0} + [%s]", "%s - {0}")):
                new = (form % name).replace("{0}", site.operand(node))
                fault = "leaves out `%s`: it should be `%s`" % (name, short(new))
                yield Change(site.fit(node, new), distance + 0.2 * rank, "`%s`" % short(site.text(node)), fault)
        if isinstance(node, ast.Call) and callee(node)[0] == "len":
            for other, distance in names:
                new = "len(%s) - %s" % (other, site.text(node))
                fault = "leaves out the length of `%s`" % other
                yield Change(site.fit(node, new), 0.4 + distance, "`%s`" % short(site.text(node)), fault)


def both_sides(site: Site) -> Iterator[Change]:
    """`a - b / c - d` becomes `(a - b) / (c - d)`; a step of one that is missing inside a sum; `& ~`."""
    for node in site.of(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        what, text = "`%s`" % short(site.text(node)), site.text(node)
        inner = node.left
        if isinstance(node.op, (ast.Add, ast.Sub)) and isinstance(inner, ast.BinOp):
            middle = inner.right
            if isinstance(middle, ast.BinOp) and isinstance(middle.op, (ast.Div, ast.Mult, ast.FloorDiv, ast.Mod)):
                cut = site.source.span(middle.left)[1] - site.source.span(node)[0]
                after = site.source.span(middle.right)[0] - site.source.span(node)[0]
                raw = text.encode("utf-8")
                new = "(%s)%s(%s)" % tuple(part.decode() for part in (raw[:cut], raw[cut:after], raw[after:]))
                yield Change(
                    site.swap(node, new), 0.2, what, "groups its operands wrongly; it should be `%s`" % short(new)
                )
        if isinstance(node.op, (ast.Add, ast.Sub)) and not isinstance(site.parent(node), ast.BinOp):
            for rank, step in enumerate((" + 1", " - 1")):
                end = site.source.span(node.left)[1]
                yield Change(((end, end, step),), 0.5 + 0.1 * rank, what, "leaves out the one between its parts")
        if isinstance(node.op, (ast.BitAnd, ast.BitXor, ast.BitOr)):
            new = "%s & ~%s" % (site.operand(node.left), site.operand(node.right))
            yield Change(
                site.swap(node, new), 0.2, what, "does not take the bits away: it should be `%s`" % short(new)
            )
            if isinstance(node.op, ast.BitAnd):
                new = "(%s) == %s" % (text, site.operand(node.right))
                yield Change(site.swap(node, new), 0.6, what, "holds as soon as one of the bits is set")
