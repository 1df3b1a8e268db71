"""Comparisons: a bound left out, a direction turned round, equality for identity, membership inverted."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, List, Mapping, Optional, Tuple

from ..site import Change, Site, short
from ..source import paired
from ..unit import Edit

SYMBOLS: Dict[type, str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
DIRECTION = {"<": (">", ">="), "<=": (">=", ">"), ">": ("<", "<="), ">=": ("<=", "<")}
INVERSE = {"==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in", "not in": "in"}
IDENTITY = {"is": "==", "is not": "!=", "==": "is", "!=": "is not"}
ORDERED = {"==": ("<=", ">=", "<", ">"), "!=": ("<", ">"), "<": ("!=", "=="), ">": ("!=", "==")}
EQUALLED = {"<=": ("==",), ">=": ("==",), "in": ("==",), "==": ("in",), "not in": ("!=",), "!=": ("not in",)}


KIN_SIDES = 3.5
"""Added for `x >= x[::-1]` in place of `x == x[::-1]`: it holds by chance for half of all values."""


def token_edit(site: Site, left: ast.AST, right: ast.AST, old: str, new: str) -> Optional[Tuple[Edit, ...]]:
    """Edits that exchange the operator between two operands; None when it is not where it should be."""
    start, gap = site.source.gap(left, right)
    found = re.search(r"\s+".join(re.escape(part) for part in old.split()), gap)
    if found is None:
        return None
    at = start + len(gap[: found.start()].encode("utf-8"))
    return ((at, at + len(found.group().encode("utf-8")), new),)


def _operators(site: Site) -> Iterator[Tuple[ast.Compare, ast.expr, ast.expr, str]]:
    for node in site.of(ast.Compare):
        assert isinstance(node, ast.Compare)
        left = node.left
        for operator, right in paired(node.ops, node.comparators):
            yield node, left, right, SYMBOLS[type(operator)]
            left = right


def _changed(site: Site, table: Mapping[str, Tuple[str, ...]], fault: str, step: float = 0.4) -> Iterator[Change]:
    for node, left, right, old in _operators(site):
        for rank, new in enumerate(table.get(old, ())):
            edits = token_edit(site, left, right, old, new)
            if edits:
                whole = "`%s`" % short(site.text(node))
                yield Change(edits, rank * step, whole, fault % {"old": old, "new": new})


def boundary(site: Site) -> Iterator[Change]:
    """`<` for `<=` and the like."""
    for old, new in BOUNDARY.items():
        holds = (
            "does not hold for the boundary itself, and should" if "=" not in old else "holds for the boundary too"
        )
        fault = holds + ": it compares with `%(old)s` where `%(new)s` is meant"
        yield from _changed(site, {old: (new,)}, fault)


def boundaries(site: Site) -> Iterator[Change]:
    """All bounds of an expression at once: `a < x < b and c < y < d` with `<=`."""
    every: Dict[str, List[Tuple[Edit, ...]]] = {}
    for old, new in BOUNDARY.items():
        fault = "boundary"
        every.setdefault(str("=" in old), []).extend(change.edits for change in _changed(site, {old: (new,)}, fault))
    for kind, found in every.items():
        if len(found) > 2:
            fault = (
                "holds for its boundaries too" if kind == "True" else "does not hold for its boundaries, and should"
            )
            edits = tuple(dict.fromkeys(edit for edits in found for edit in edits))
            yield Change(edits, 0.0, "`%s`" % short(site.text(site.stmt).split("\n")[0]), fault)


def direction(site: Site) -> Iterator[Change]:
    yield from _changed(site, DIRECTION, "compares the wrong way round: `%(old)s` should be `%(new)s`")


def inverse(site: Site) -> Iterator[Change]:
    table = {old: (new,) for old, new in INVERSE.items()}
    yield from _changed(site, table, "tests the opposite of what is meant: `%(old)s` should be `%(new)s`")


def identity(site: Site) -> Iterator[Change]:
    table = {old: (new,) for old, new in IDENTITY.items()}
    yield from _changed(site, table, "confuses identity and equality: `%(old)s` should be `%(new)s`")


def relation(site: Site) -> Iterator[Change]:
    """An order for equality and the reverse; what is compared with its own other form has no order that is meant."""
    for change in _changed(site, ORDERED, "uses `%(old)s` where `%(new)s` is meant"):
        yield change._replace(cost=change.cost + (KIN_SIDES if _of_one_thing(site, change) else 0.0))
    yield from _changed(site, EQUALLED, "uses `%(old)s` where `%(new)s` is meant")


def _of_one_thing(site: Site, change: Change) -> bool:
    """Whether the sides of the comparison that is changed are a name and something made of that name alone."""
    at = change.edits[0][0]
    for node, left, right, old in _operators(site):
        if old in ("==", "!=") and site.source.span(left)[1] <= at < site.source.span(right)[0]:
            sides = [{one.id for one in ast.walk(side) if isinstance(one, ast.Name)} for side in (left, right)]
            names = {name for side in sides for name in side} - {"sorted", "reversed", "list", "str", "set"}
            return len(names) == 1 and all(sides) and not isinstance(node.left, ast.Constant)
    return False


def operands(site: Site) -> Iterator[Change]:
    """`a < b` for `b < a`, where the operator itself stays."""
    for node in site.of(ast.Compare):
        assert isinstance(node, ast.Compare)
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            left, right = site.text(node.left), site.text(node.comparators[0])
            edits = site.swap(node.left, right) + site.swap(node.comparators[0], left)
            yield Change(edits, 0.0, "`%s`" % short(site.text(node)), "has its two sides the wrong way round")
