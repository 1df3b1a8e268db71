"""Statements: dropped, moved, copied."""

from __future__ import annotations

import ast
import builtins
from typing import Dict, Iterator, Optional

from ..site import Change, Site, short
from ..source import Function, FunctionNode, enclosing_function, walked

SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Delete, ast.Assert, ast.Raise, ast.AnnAssign)
UNTOUCHED = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
SIMPLE_FLOW = (*SIMPLE, ast.Break, ast.Continue, ast.Pass)


def what_of(site: Site, stmt: Optional[ast.stmt] = None) -> str:
    text = site.text(stmt or site.stmt).split("\n")[0]
    return "`%s`" % short(text)


def holds_docstring(site: Site) -> bool:
    return isinstance(site.stmt, ast.Expr) and isinstance(site.stmt.value, ast.Constant)


def docstring(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)


def dropped(site: Site) -> Iterator[Change]:
    """The statement goes; an `if` loses its condition or goes whole."""
    stmt = site.stmt
    if not site.source.alone(stmt) or holds_docstring(site) or isinstance(stmt, UNTOUCHED):
        return
    start, end = site.source.lines_of(stmt)
    only = len(site.block()) == 1
    filler = site.source.indent(stmt) + "pass" + site.source.newline if only else ""
    cost = 0.0 if isinstance(stmt, SIMPLE_FLOW) else 0.8
    yield Change(((start, end, filler),), cost + (0.4 if only else 0.0), what_of(site), "should not be there")


def moved(site: Site) -> Iterator[Change]:
    """Neighbours exchanged: the update before the use, the check before the act."""
    block = site.block()
    at = block.index(site.stmt)
    source = site.source
    if not source.alone(site.stmt) or holds_docstring(site):
        return
    for distance, other in enumerate(block[at + 1 : at + 4]):
        between = block[at : at + 2 + distance]
        if not source.alone(other) or any(isinstance(s, UNTOUCHED) for s in between):
            return
        start, end = source.lines_of(site.stmt)
        last = source.lines_of(other)[1]
        text = source.data[end:last].decode("utf-8")
        own = source.data[start:end].decode("utf-8")
        text += "" if text.endswith(("\n", "\r")) else source.newline
        edits = ((start, last, text + own),)
        yield Change(
            edits, 0.4 * distance, what_of(site), "happens too early: it belongs behind %s" % what_of(site, other)
        )
        if distance:
            begin, finish = source.lines_of(other)
            first = source.data[begin:finish].decode("utf-8")
            first += "" if first.endswith(("\n", "\r")) else source.newline
            edits = ((start, finish, first + source.data[start:begin].decode("utf-8")),)
            yield Change(
                edits, 0.4 * distance, what_of(site, other), "happens too late: it belongs before %s" % what_of(site)
            )


def copied(site: Site) -> Iterator[Change]:
    """A simple statement of the same function, needed here as well."""
    if site.function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    seen: Dict[str, int] = {}
    for other in _simple_lines(site, site.function):
        seen.setdefault(site.text(other), abs(other.lineno - site.stmt.lineno))
    for text in sorted(seen, key=lambda one: seen[one])[:10]:
        cost = 0.05 * min(seen[text], 20)
        fault = "is needed before `%s` too" % short(site.text(site.stmt).split("\n")[0], 50)
        yield Change(site.insert_before(text), cost, "`%s`" % short(text), fault)
        if not isinstance(site.stmt, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            fault = "is needed after `%s` too" % short(site.text(site.stmt).split("\n")[0], 50)
            yield Change(site.insert_after(text), cost + 0.1, "`%s`" % short(text), fault)


def _simple_lines(site: Site, function: Function) -> Iterator[ast.stmt]:
    """Statements of one line, of this function and not of one inside it."""
    for other in walked(function):
        if isinstance(other, SIMPLE) and other is not site.stmt and other.lineno == other.end_lineno:
            own = enclosing_function(site.source, other) is function
            if own and site.source.alone(other) and not docstring(other):
                yield other


def borrowed(site: Site) -> Iterator[Change]:
    """A line that another method of the class has, and this one needs too: `self._changed()`."""
    klass, function = site.klass, site.function
    if klass is None or function is None or not site.source.alone(site.stmt) or holds_docstring(site):
        return
    known = set(site.scope) | {"self", "cls"}
    seen: Dict[str, None] = {}
    for method in klass.body:
        if isinstance(method, FunctionNode) and method is not function:
            for other in _simple_lines(site, method):
                names = {n.id for n in walked(other) if isinstance(n, ast.Name)}
                if isinstance(other, (ast.Expr, ast.AugAssign)) and names <= known | set(dir(builtins)):
                    seen[site.text(other)] = None
    leaves = isinstance(site.stmt, (ast.Return, ast.Raise, ast.Break, ast.Continue))
    own = site.text(function)
    for rank, text in enumerate([one for one in seen if one not in own][:8]):
        edits = site.insert_before(text) if leaves else site.insert_after(text)
        yield Change(edits, 0.1 * rank, "`%s`" % function.name, "lacks `%s`, which other methods do" % short(text))
