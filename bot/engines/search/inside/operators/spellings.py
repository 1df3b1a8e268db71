"""Spelled texts: what `%` takes, letters after a backslash, signs that must be replaced too; entries that go away."""

from __future__ import annotations

import ast
import re
from typing import Iterator, List, Tuple

from ..site import Change, Site, short
from .calls import callee, calls_of
from .guards import step
from .strings import quoted, strings_of

REPLACED: Tuple[Tuple[str, str], ...] = (
    ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;"),
    ("\\", "\\\\"), ('"', '\\"'), ("'", "\\'"), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r"),
    ("\r\n", "\n"), ("\r", "\n"), ("-", "_"), (" ", "_"), (" ", "-"), ("_", "-"), (".", "_"), ("/", "_"), ("~", "~0"),
    ("|", "\\|"), ("%", "%%"), ("'", "''"), ('"', '""'),
)  # fmt: skip
"""What people replace when they escape, quote or make names of texts."""
REMOVED = (",", " ", "_", "-", ".", "'", '"', "\n", "\r", "(", ")", "\u00a0", "\ufeff")


def one_for_percent(site: Site) -> Iterator[Change]:
    """`"%s" % x` fails for a tuple: `"%s" % (x,)`; `%s` becomes `%r`, `{}` becomes `{!r}`, and back."""
    for node in site.of(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, (str, bytes))
        if text and isinstance(node.op, ast.Mod) and isinstance(node.right, (ast.Name, ast.Attribute, ast.Subscript)):
            fault = "fails for a tuple, which is taken for many values"
            new = "(%s,)" % site.text(node.right)
            yield Change(site.swap(node.right, new), 0.0, "`%s`" % short(site.text(node)), fault)
    for constant, value in strings_of(site):
        for old, new in (("%s", "%r"), ("%r", "%s"), ("{}", "{!r}"), ("{!r}", "{}"), ("%s", "%d"), ("%d", "%s")):
            for found in list(re.finditer(re.escape(old), value))[:3]:
                text_ = value[: found.start()] + new + value[found.end() :]
                fault = "shows a value by `%s`; it should be `%s`" % (old, new)
                yield Change(site.swap(constant, quoted(site, constant, text_)), 0.2, _what(site, constant), fault)


def backslash(site: Site) -> Iterator[Change]:
    """`"\\bword"` holds a backspace: `r"\\bword"`; a raw text holds two letters where one sign is meant."""
    for node in site.of(ast.Constant):
        shown = site.text(node)
        if not isinstance(getattr(node, "value", None), (str, bytes)) or "\\" not in shown or "\n" in shown:
            continue
        start = site.source.span(node)[0]
        raw = re.match(r"[bBuU]?[rR]", shown)
        if raw:
            at = start + raw.end() - 1
            yield Change(((at, at + 1, ""),), 0.6, _what(site, node), "is raw: its backslashes stand for themselves")
        else:
            at = start + (1 if shown[:1] in "bB" else 0)
            yield Change(((at, at, "r"),), 0.0, _what(site, node), "is not raw: its backslashes mean something else")
            yield Change(site.swap(node, shown.replace("\\", "\\\\")), 0.5, _what(site, node), "lacks backslashes")


def replaced_too(site: Site) -> Iterator[Change]:
    """`x.replace(a, b)` leaves other signs: `.replace(c, d)` behind it, or in front of it."""
    for node in calls_of(site):
        name, owner = callee(node)
        if name != "replace" or owner is None or len(node.args) != 2:
            continue
        if not all(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in node.args):
            continue
        ends = ((site.source.span(node)[1], 0.0), (site.source.span(owner)[1], 0.15))
        for rank, (old, new) in enumerate(_pairs(site, node)):
            text = ".replace(%s, %s)" % (quoted(site, node.args[0], old), quoted(site, node.args[0], new))
            for at, cost in ends:
                yield Change(((at, at, text),), cost + 0.08 * rank, _what(site, node), "leaves `%r` as it is" % old)


def _pairs(site: Site, node: ast.Call) -> List[Tuple[str, str]]:
    """Of the usual replacements those of the same family, and not made yet."""
    old, new = (getattr(one, "value", "") for one in node.args)
    around = site.text(site.stmt)
    if new == "":
        return [(sign, "") for sign in REMOVED if sign != old]
    family = [
        pair
        for pair in REPLACED
        if (new.startswith("&") == pair[1].startswith("&") and new[:1] == pair[1][:1]) or new == pair[1]
    ]
    return [
        pair
        for pair in family
        if pair[0] != old and ".replace(%s" % quoted(site, node.args[0], pair[0]) not in around
    ]


def gone_already(site: Site) -> Iterator[Change]:
    """`del d[k]` becomes `d.pop(k, None)`; `x.remove(y)` happens only if it is there, or becomes `discard`."""
    stmt = site.stmt
    if isinstance(stmt, ast.Delete) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], ast.Subscript):
        target = stmt.targets[0]
        new = "%s.pop(%s, None)" % (site.text(target.value), site.text(target.slice))
        yield Change(site.swap(stmt, new), -0.6, "`%s`" % short(site.text(stmt)), "fails for what is not there")
        yield from _if_there(site, site.text(target.slice), site.text(target.value))
    call = stmt.value if isinstance(stmt, ast.Expr) else None
    if isinstance(call, ast.Call) and callee(call)[0] in ("remove", "pop") and len(call.args) == 1:
        owner = callee(call)[1]
        if owner is not None:
            yield from _if_there(site, site.text(call.args[0]), site.text(owner))


def _if_there(site: Site, item: str, holder: str) -> Iterator[Change]:
    if site.source.alone(site.stmt) and "\n" not in site.text(site.stmt):
        inner = site.source.newline + site.source.indent(site.stmt) + step(site) + site.text(site.stmt)
        new = "if %s in %s:%s" % (item, holder, inner)
        fault = "fails for what is not there"
        yield Change(site.swap(site.stmt, new), 0.0, "`%s`" % short(site.text(site.stmt)), fault)


def _what(site: Site, node: ast.AST) -> str:
    return "`%s`" % short(site.text(node))
