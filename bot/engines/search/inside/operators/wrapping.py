"""Values that must go through something first: a builtin, a function of the file, a method, a bound."""

from __future__ import annotations

import ast
import functools
from typing import Dict, Iterator, Optional, Tuple

from ..site import Change, Site, short
from ..source import FunctionNode, Source, paired, walked

WRAPS = (
    "int",
    "str",
    "float",
    "list",
    "sorted",
    "abs",
    "len",
    "set",
    "tuple",
    "sum",
    "max",
    "min",
    "bool",
    "reversed",
    "round",
)


FLAG_GIVEN = 1.0
"""More for handing `bool(x)` on: what takes a number or a thing is told no more than whether there is one."""
KEEPS_ITEMS = ("list", "sorted", "set", "tuple", "reversed")
"""What can stand where items are walked through or looked for. `x in str(items)` finds parts of words."""


def _holds_items(outer: Optional[ast.AST], node: ast.expr) -> bool:
    if isinstance(outer, ast.Compare):
        return any(
            right is node and isinstance(op, (ast.In, ast.NotIn))
            for op, right in paired(outer.ops, outer.comparators)
        )
    return isinstance(outer, (ast.For, ast.AsyncFor, ast.comprehension)) and outer.iter is node


def wrappable(site: Site) -> Iterator[ast.expr]:
    for node in site.of(ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript, ast.ListComp, ast.GeneratorExp):
        parent = site.parent(node)
        callee = isinstance(parent, ast.Call) and parent.func is node
        stored = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        if not callee and not stored and not isinstance(parent, (ast.Attribute, ast.Expr, ast.Starred)):
            assert isinstance(node, ast.expr)
            yield node


def wrapped(site: Site) -> Iterator[Change]:
    """`x` becomes `int(x)`, `sorted(x)` and the like."""
    nodes = list(wrappable(site))
    for rank, name in enumerate(WRAPS):
        for node in nodes:
            text, outer = site.text(node), site.parent(node)
            if text.startswith(name + "(") or (name not in KEEPS_ITEMS and _holds_items(outer, node)):
                continue
            inner = text[1:-1] if isinstance(node, ast.GeneratorExp) and text.startswith("(") else text
            weight = 0.0 if isinstance(outer, (ast.Return, ast.Assign, ast.For, ast.Call, ast.Compare)) else 0.5
            weight += FLAG_GIVEN if name == "bool" and isinstance(outer, (ast.Call, ast.keyword)) else 0.0
            edits, fault = site.swap(node, "%s(%s)" % (name, inner)), "must go through `%s(…)`" % name
            yield Change(edits, weight + 0.12 * rank, "`%s`" % short(text), fault)


def transposed(site: Site) -> Iterator[Change]:
    """`list(rows)` becomes `list(zip(*rows))`, and back: columns are meant where rows are walked through."""
    for node in wrappable(site):
        outer, text = site.parent(node), site.text(node)
        walked_through = isinstance(outer, (ast.For, ast.comprehension)) and outer.iter is node
        listed = isinstance(outer, ast.Call) and isinstance(outer.func, ast.Name) and outer.func.id in KEEPS_ITEMS
        if text.startswith("zip(*") and isinstance(node, ast.Call) and len(node.args) == 1:
            kept = site.text(node.args[0])[1:]
            yield Change(site.swap(node, kept), 0.0, "`%s`" % short(text), "gives columns where rows are meant")
        elif (walked_through or listed) and isinstance(node, (ast.Name, ast.Attribute, ast.Call)):
            fault = "gives rows where columns are meant"
            yield Change(site.swap(node, "zip(*%s)" % text), 0.0, "`%s`" % short(text), fault)


def clamped(site: Site) -> Iterator[Change]:
    """`x` becomes `max(0, x)`, `max(best, x)` or `min(limit, x)`."""
    for node in wrappable(site):
        if not isinstance(site.parent(node), (ast.Return, ast.Assign, ast.AugAssign, ast.Call)):
            continue
        text = site.text(node)
        bounds = ["0", "1", *[name for name in site.live() if name != text][:4]]
        for rank, bound in enumerate(bounds):
            for name in ("max", "min"):
                fault = "is not kept %s `%s`" % ("above" if name == "max" else "below", bound)
                edits = site.swap(node, "%s(%s, %s)" % (name, bound, text))
                odd = 1.2 if name == "min" and bound in ("0", "1") else 0.2 if name == "min" else 0.0
                yield Change(edits, 0.15 * rank + odd, "`%s`" % short(text), fault)


METHODS = (
    "strip()",
    "lower()",
    "upper()",
    "copy()",
    "items()",
    "split()",
    "rstrip()",
    "keys()",
    "values()",
    "title()",
)


def method_added(site: Site) -> Iterator[Change]:
    """`x` becomes `x.strip()`, `x.lower()`, `x.items()`, `x.copy()` and the like."""
    around = site.text(site.function) if site.function is not None else ""
    for node in wrappable(site):
        text = site.operand(node)
        if isinstance(node, (ast.BinOp, ast.GeneratorExp)):
            continue
        for rank, method in enumerate(METHODS):
            if not text.endswith("." + method):
                edits = site.swap(node, "%s.%s" % (text, method))
                # Where one side is stripped or lowered, the other one should be.
                cost = 0.05 * rank - 0.9 if "." + method in around else 0.15 * rank
                yield Change(edits, cost, "`%s`" % short(text), "is used without `.%s`" % method)


@functools.lru_cache(maxsize=100)
def called_with_one(source: Source) -> Tuple[str, ...]:
    """Functions that come from elsewhere, and that the file calls with one argument: those of the project first."""
    imported: Dict[str, int] = {}
    for statement in source.tree.body:
        if isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                imported[alias.asname or alias.name] = 0 if statement.level else 1
    called = [
        node.func.id
        for node in walked(source.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and len(node.args) == 1
        and not node.keywords
        and node.func.id in imported
        and not node.func.id[:1].isupper()
    ]
    read = {node.id for node in walked(source.tree) if isinstance(node, ast.Name)}
    unread = [name for name in imported if name not in read and name[:1].islower() and imported[name] == 0]
    return tuple(sorted(dict.fromkeys([*unread, *called]), key=lambda name: imported[name]))


def wrapped_by_project(site: Site) -> Iterator[Change]:
    """`x` becomes `clean(x)`, for a function of the file that takes one argument, or one that the file imports."""
    functions = [
        node for node in site.source.tree.body if isinstance(node, FunctionNode) and node is not site.function
    ]
    single = [node.name for node in functions if len(node.args.args) - len(node.args.defaults) == 1]
    single += [name for name in called_with_one(site.source) if name not in single][:8]
    for node in [*wrappable(site), *site.of(ast.BoolOp)]:
        if isinstance(site.parent(node), (ast.Return, ast.Assign, ast.For, ast.Call, ast.Compare, ast.Subscript)):
            text = site.text(node)
            for name in single if isinstance(getattr(node, "ctx", ast.Load()), ast.Load) else ():
                if not text.startswith(name + "("):
                    edits = site.swap(node, "%s(%s)" % (name, text))
                    yield Change(edits, 0.0, "`%s`" % short(text), "does not go through `%s`" % name)
