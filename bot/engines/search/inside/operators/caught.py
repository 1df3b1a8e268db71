"""Errors that must be caught where they rise: a `try` round the line, `getattr` with a default."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, List, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import walked
from ..unit import Edit
from .flow import in_loop
from .guards import step
from .statements import holds_docstring, what_of

_KIND = re.compile(r"\b([A-Z]\w*(?:Error|Exception|Exit|Iteration|Interrupt))\b")
NEVER = ("AssertionError", "SyntaxError", "NameError", "ImportError", "ModuleNotFoundError", "IndentationError")
WHOLE = (ast.Assign, ast.Expr, ast.Return, ast.AugAssign, ast.AnnAssign, ast.Delete)


def round_it(site: Site) -> Iterator[Change]:
    """The line that raises goes into a `try`; the error ends in a value, in the next round, or in an own error."""
    stmt = site.stmt
    kinds = _raised(site)
    if not kinds or not isinstance(stmt, WHOLE) or not site.source.alone(stmt) or holds_docstring(site):
        return
    text = site.text(stmt)
    if "\n" in text or site.function is None:
        return
    for rank, kind in enumerate(kinds):
        for cost, leave in _ends(site, kind):
            indent = step(site)
            lines = "try:\n%s%s\nexcept %s:\n%s%s" % (indent, text, kind, indent, leave)
            fault = "lets `%s` through; it must end in `%s`" % (kind, short(leave))
            yield Change(_in_place(site, lines), cost + 0.3 * rank, what_of(site), fault)


def _in_place(site: Site, lines: str) -> Tuple[Edit, ...]:
    start, end = site.source.lines_of(site.stmt)
    added = site.insert_before(lines)[0][2]
    return ((start, end, added),)


def _raised(site: Site) -> List[str]:
    """Kinds of error that red tests saw come out of the statement."""
    found: Dict[str, None] = {}
    for red in site.hints.reds:
        here = any(
            path == site.source.path and site.first <= line <= site.last for path, line, _function in red.frames
        )
        kind = red.exception.rpartition(".")[2]
        if here and _KIND.fullmatch(kind) and kind not in NEVER:
            found[kind] = None
    return list(found)


def _ends(site: Site, kind: str) -> Iterator[Tuple[float, str]]:
    """What can be done about an error here."""
    assert site.function is not None
    defaults = [name for name in arguments_of(site.function) if "default" in name]
    known: Dict[str, None] = dict.fromkeys("return " + name for name in defaults)
    for node in walked(site.function):
        if isinstance(node, ast.Return) and isinstance(node.value, (ast.Constant, ast.Name)):
            known["return " + site.text(node.value)] = None
    if in_loop(site):
        known["continue"] = None
    for text in ("return None", "pass", "return False", "return []", 'return ""', "return 0", "return {}"):
        known.setdefault(text)
    for rank, text in enumerate(known):
        yield 0.15 * rank, text
    if isinstance(site.stmt, ast.Assign) and isinstance(site.stmt.targets[0], ast.Name):
        for rank, value in enumerate([*defaults, "None", "[]", '""', "{}", "0"]):
            yield 0.1 + 0.15 * rank, "%s = %s" % (site.stmt.targets[0].id, value)
    for rank, text in enumerate(_own_errors(site, kind)):
        yield 0.4 + 0.1 * rank, text


def _own_errors(site: Site, kind: str) -> Iterator[str]:
    """As the file raises its own errors, with the names that are at hand here."""
    for node in walked(site.source.tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.lineno == node.end_lineno:
            names = {one.id for one in walked(node.exc) if isinstance(one, ast.Name)}
            callee = site.text(node.exc.func)
            if callee != kind and names <= {*site.scope, callee, "self", "str", "repr", "len", "type"}:
                yield "raise %s from None" % site.text(node.exc)


def lacking(site: Site) -> Iterator[Change]:
    """AttributeError: `x.y` becomes `getattr(x, "y", None)`, for what not every object has."""
    missing = site.hints.found(r"has no attribute '(\w+)'")
    for node in site.of(ast.Attribute):
        if not isinstance(node, ast.Attribute) or node.attr not in missing or not isinstance(node.ctx, ast.Load):
            continue
        parent = site.parent(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        for rank, value in enumerate(("None", "False", '""', "()", "0") if not called else ()):
            new = 'getattr(%s, "%s", %s)' % (site.text(node.value), node.attr, value)
            fault = "is not there on every object"
            yield Change(site.swap(node, new), 0.2 * rank, "`%s`" % short(site.text(node)), fault)
