"""Results: a return that is missing or stands too deep, another value returned, yield for return."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, List, Optional, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import Function, walked


def missing(site: Site) -> Iterator[Change]:
    """The last statement computes something, and the function forgets to hand it back."""
    stmt, function = site.stmt, site.function
    if function is None:
        return
    start = site.source.span(stmt)[0]
    name = function.name
    if isinstance(stmt, ast.Expr) and not isinstance(stmt.value, (ast.Yield, ast.YieldFrom, ast.Constant)):
        what = "`%s`" % short(site.text(stmt))
        cost = 0.0 if site.is_last() else 0.8
        yield Change(((start, start, "return "),), cost, what, "computes the result, but nothing returns it")
    if isinstance(stmt, ast.Assign) and site.is_last() and site.parent(stmt) is not function:
        value = site.text(stmt.value)
        fault = "assigns the result and does not return it"
        yield Change(site.swap(stmt, "return " + value), 0.9, "`%s`" % short(site.text(stmt)), fault)
    if site.is_last() and site.source.alone(stmt) and not isinstance(stmt, (ast.Return, ast.Raise)):
        yield from _appended(site, function, name)


def _appended(site: Site, function: Function, name: str) -> Iterator[Change]:
    """`return x` behind the last statement of a block, for the variables that the block leaves behind."""
    whole = site.parent(site.stmt) is function
    ranked = sorted(_candidates(site, function), key=lambda pair: pair[0])
    for cost, value in ranked[:12]:
        fault = "ends without `return %s`, so it gives back `None`" % value
        yield Change(site.insert_after("return " + value), cost + (0.0 if whole else 0.7), "`%s`" % name, fault)


def _candidates(site: Site, function: Function) -> List[Tuple[float, str]]:
    """What could be returned: names bound in the function, the ones that were built up last first."""
    ranked: Dict[str, float] = {}
    for node in walked(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            # A name that is assigned at the function's own level is a result more often than a loop variable.
            top = any(parent is function for parent in _statement_parents(site, node))
            ranked[node.id] = min(ranked.get(node.id, 9.0), 0.2 if top else 0.6)
    for name in _touched(site.stmt):
        ranked[name] = min(ranked.get(name, 0.5), ranked.get(name, 0.5) - 0.15)
    values = [(cost, name) for name, cost in ranked.items()]
    stored = site.stmt.targets[:1] if isinstance(site.stmt, ast.Assign) else [getattr(site.stmt, "target", None)]
    values += [(0.3, site.text(one)) for one in stored if isinstance(one, (ast.Attribute, ast.Subscript))]
    values += [(0.9, name) for name in arguments_of(function) if name not in ranked]
    values += [(0.5, "self")] if site.klass is not None else []
    values += [(1.0 + 0.1 * rank, text) for rank, text in enumerate(("True", "False", "[]", '""', "0"))]
    return values


def _statement_parents(site: Site, node: ast.AST) -> Iterator[Optional[ast.AST]]:
    statement = next(a for a in site.source.ancestors(node) if isinstance(a, ast.stmt))
    if not isinstance(statement, (ast.For, ast.AsyncFor)):
        yield site.parent(statement)


def _touched(stmt: ast.stmt) -> Iterator[str]:
    for node in walked(stmt):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.value, ast.Name):
            yield node.value.id
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def value(site: Site) -> Iterator[Change]:
    """Another variable, or a small constant, is returned."""
    stmt = site.stmt
    if not isinstance(stmt, ast.Return) or stmt.value is None:
        return
    old = site.text(stmt.value)
    what = "`%s`" % short(site.text(stmt))
    for name, distance in site.live().items():
        if name != old:
            yield Change(
                site.swap(stmt.value, name),
                0.8 * distance,
                what,
                "hands back `%s` instead of `%s`" % (short(old), name),
            )
    for rank, text in enumerate(("True", "False", "None", "0", "1", "-1", "[]", '""', "{}")):
        if text != old:
            yield Change(site.swap(stmt.value, text), 0.9 + 0.15 * rank, what, "must give `%s` in this case" % text)


def combined(site: Site) -> Iterator[Change]:
    """`return x` becomes `return y + x`: a part of the result is forgotten."""
    stmt = site.stmt
    if not isinstance(stmt, ast.Return) or stmt.value is None or isinstance(stmt.value, ast.Constant):
        return
    old = site.operand(stmt.value)
    for name, distance in list(site.live().items())[:8]:
        if re.search(r"\b%s\b" % re.escape(name), old) and distance:
            continue
        for rank, form in enumerate(
            ("%s + {0}", "{0} + %s", "{0} - %s", "{0} * %s", "{0} or %s", "[%s] + {0}", "{0} + [%s]")
        ):
            new = (form % name).replace("{0}", old)
            what = "`%s`" % short(site.text(stmt))
            yield Change(
                site.swap(stmt.value, new), 0.2 * rank + distance, what, "leaves `%s` out of the result" % name
            )


def generator(site: Site) -> Iterator[Change]:
    """`yield` for `return`, `yield from` for `yield`."""
    stmt = site.stmt
    start = site.source.span(stmt)[0]
    what = "`%s`" % short(site.text(stmt))
    if isinstance(stmt, ast.Return) and stmt.value is not None and _is_generator(site):
        # Anywhere else it would make a generator of the function: true, and equal to nothing.
        yield Change(((start, start + len("return"), "yield"),), 0.3, what, "ends the function where it should yield")
    if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Yield) and stmt.value.value is not None:
        begin = site.source.span(stmt.value)[0]
        yield Change(((begin, begin + 5, "yield from"),), 0.0, what, "yields the whole iterable as one item")
        yield Change(((begin, begin + 5, "return"),), 0.6, what, "yields where it should return")
    if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.YieldFrom):
        begin = site.source.span(stmt.value)[0]
        yield Change(((begin, begin + len("yield from"), "yield"),), 0.0, what, "spreads a value that is one item")
    if isinstance(stmt, ast.Expr) and isinstance(stmt.value, (ast.Call, ast.Name)):
        yield Change(((start, start, "yield from "),), 0.9, what, "creates an iterator that nobody walks through")


def _is_generator(site: Site) -> bool:
    return site.function is not None and any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in walked(site.function))
