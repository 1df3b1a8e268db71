"""Blocks and branches: lines that belong into a block or out of it, an `else` that is missing, branches in order."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Optional, Tuple, Union

from ..site import Change, Site, arguments_of, short
from ..source import walked
from ..unit import Edit
from .depth import dedented
from .flow import in_loop
from .guards import step
from .members import said_texts
from .statements import SIMPLE_FLOW, UNTOUCHED, holds_docstring, what_of

BLOCKS = (ast.Try, ast.With, ast.AsyncWith, ast.If)
LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
OPPOSITE = {"True": "False", "False": "True", "None": "None", "0": "1", "1": "0"}


def _whole(site: Site, stmt: ast.stmt, old: str, new: str) -> str:
    """Whole lines of a statement at another depth."""
    start, end = site.source.lines_of(stmt)
    lines = site.source.data[start:end].decode("utf-8").splitlines(keepends=True)
    return "".join(new + line[len(old) :] if line.startswith(old) and line.strip() else line for line in lines)


def into(site: Site) -> Iterator[Change]:
    """A line before a block, or behind it, belongs into it: into `try`, its `else`, into `with`, the last branch."""
    stmt, block = site.stmt, site.block()
    at = block.index(stmt)
    if not site.source.alone(stmt) or holds_docstring(site) or isinstance(stmt, UNTOUCHED):
        return
    flat, gone = site.source.indent(stmt), (*site.source.lines_of(stmt), "")
    after = block[at + 1] if at + 1 < len(block) else None
    before = block[at - 1] if at else None
    if (
        isinstance(after, (*BLOCKS, ast.For, ast.While))
        and not isinstance(stmt, LEAVES)
        and _deep(site, after.body[0])
    ):
        start = site.source.lines_of(after.body[0])[0]
        text = _whole(site, stmt, flat, site.source.indent(after.body[0]))
        cost = 0.2 if isinstance(after, (ast.Try, ast.With)) else 0.8
        yield Change((gone, (start, start, text)), cost, what_of(site), "belongs into the block behind it")
    if isinstance(before, (ast.Try, ast.With, ast.AsyncWith, ast.If)):
        for place, body in enumerate(_bodies(before)):
            if _deep(site, body[-1]) and not isinstance(body[-1], LEAVES):
                end = site.source.lines_of(body[-1])[1]
                text = _whole(site, stmt, flat, site.source.indent(body[-1]))
                edits = ((end, end, text), gone)
                yield Change(edits, 0.2 + 0.2 * place, what_of(site), "belongs into the block before it")
    if isinstance(before, ast.Try) and not before.orelse and not before.finalbody:
        text = "%selse:%s%s" % (flat, site.source.newline, _whole(site, stmt, flat, flat + step(site)))
        yield Change(
            ((gone[0], gone[1], text),), 0.3, what_of(site), "belongs into the `else` of the `try` before it"
        )


def _deep(site: Site, stmt: ast.stmt) -> bool:
    """Whether a statement stands on lines of its own inside of a block."""
    return not site.source.indent(stmt).strip() and site.source.alone(stmt)


def _bodies(stmt: Union[ast.Try, ast.With, ast.AsyncWith, ast.If]) -> List[List[ast.stmt]]:
    if isinstance(stmt, ast.Try):
        return [stmt.orelse or stmt.body, *[handler.body for handler in stmt.handlers]]
    if isinstance(stmt, ast.If):
        last = stmt
        while len(last.orelse) == 1 and isinstance(last.orelse[0], ast.If):
            last = last.orelse[0]
        return [last.orelse or last.body, stmt.body] if last is not stmt or stmt.orelse else []
    return [stmt.body]


def out_of(site: Site) -> Iterator[Change]:
    """The first or last line of a block belongs in front of the block, or behind it."""
    outer = site.stmt
    if not isinstance(outer, (*BLOCKS, ast.For, ast.While)) or not site.source.alone(outer):
        return
    flat = site.source.indent(outer)
    if len(outer.body) < 2 or flat.strip() or not _deep(site, outer.body[0]):
        return
    first, last = outer.body[0], outer.body[-1]
    start, end = site.source.lines_of(outer)
    if isinstance(first, SIMPLE_FLOW) and not isinstance(first, LEAVES) and _deep(site, first):
        moved = _whole(site, first, site.source.indent(first), flat)
        edits: Tuple[Edit, ...] = ((start, start, moved), (*site.source.lines_of(first), ""))
        yield Change(edits, 0.2, what_of(site, first), "belongs in front of the block that it stands in")
    if isinstance(outer, ast.Try) and _deep(site, last) and not isinstance(last, (ast.Break, ast.Continue)):
        moved = _whole(site, last, site.source.indent(last), flat)
        edits = ((*site.source.lines_of(last), ""), (end, end, moved))
        yield Change(edits, 0.2, what_of(site, last), "belongs behind the `try`: its errors are not meant")
        if not outer.orelse and outer.handlers:
            handler_end = site.source.lines_of(outer.handlers[-1].body[-1])[1]
            text = "%selse:%s" % (flat, site.source.newline) + _whole(site, last, "", "")
            edits = ((*site.source.lines_of(last), ""), (handler_end, handler_end, text))
            yield Change(edits, 0.3, what_of(site, last), "belongs into the `else` of the `try`")


def always_last(site: Site) -> Iterator[Change]:
    """`x` behind a `try` belongs into its `finally`; a `with` or `try` that is needless goes, its body stays."""
    stmt = site.stmt
    if isinstance(stmt, (ast.With, ast.AsyncWith)) and site.source.alone(stmt):
        edits = dedented(site, stmt.body, stmt)
        if edits:
            head = (site.source.lines_of(stmt)[0], site.source.line_start(stmt.body[0].lineno), "")
            yield Change((head, *edits), 0.8, what_of(site), "should not be there")


def ordered(site: Site) -> Iterator[Change]:
    """Two branches that follow each other: the second one must be asked first."""
    one = site.stmt
    if not isinstance(one, ast.If) or len(one.orelse) != 1 or not isinstance(one.orelse[0], ast.If):
        return
    two = one.orelse[0]
    tests = site.swap(one.test, site.text(two.test)) + site.swap(two.test, site.text(one.test))
    first, second = _lines(site, one.body), _lines(site, two.body)
    if first is None or second is None:
        return
    bodies = ((first[0], first[1], second[2]), (second[0], second[1], first[2]))
    fault = "is asked first, so that `%s` never is" % short(site.text(two.test))
    yield Change((*tests, *bodies), 0.0, "`%s`" % short(site.text(one.test)), fault)


def _lines(site: Site, body: List[ast.stmt]) -> Optional[Tuple[int, int, str]]:
    if not _deep(site, body[0]) or not _deep(site, body[-1]):
        return None
    start, end = site.source.lines_of(body[0])[0], site.source.lines_of(body[-1])[1]
    return start, end, site.source.data[start:end].decode("utf-8")


def otherwise(site: Site) -> Iterator[Change]:
    """An `if` or a loop has no `else`: the other value, the other list, `continue`, an error."""
    stmt = site.stmt
    if not isinstance(stmt, (ast.If, ast.For, ast.While)) or stmt.orelse or not site.source.alone(stmt):
        return
    flat, body = site.source.indent(stmt), stmt.body[-1]
    if flat.strip() or not _deep(site, body):
        return
    end = site.source.lines_of(stmt)[1]
    for rank, line in enumerate(_else_lines(site, stmt, body)):
        text = "%selse:%s%s%s" % (flat, site.source.newline, flat + step(site), line + site.source.newline)
        yield Change(((end, end, text),), 0.12 * rank, what_of(site), "has no `else`: it needs `%s`" % short(line))


def _else_lines(site: Site, stmt: ast.stmt, body: ast.stmt) -> List[str]:
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:5]
    found: List[str] = []
    if isinstance(body, (ast.Assign, ast.AugAssign)) and isinstance(stmt, ast.If):
        target = site.text(body.targets[0] if isinstance(body, ast.Assign) else body.target)
        own = site.text(body.value)
        inner = [one.id for one in walked(body.value) if isinstance(one, ast.Name)]
        values = [OPPOSITE.get(own, "None"), *inner, *names, '""', "[]", "{}", "0", "False", "True"]
        found += ["%s = %s" % (target, value) for value in values if value not in (own, target)]
        found += ["%s += 1" % target]
    if isinstance(body, ast.Expr) and isinstance(body.value, ast.Call) and isinstance(stmt, ast.If):
        call = body.value
        given = site.text(call.args[0]) if len(call.args) == 1 else ""
        found += ["%s(%s)" % (site.text(call.func), name) for name in names if name != given] if given else []
    if in_loop(site):
        found += ["continue", "break"]
    for node in walked(site.function) if site.function is not None else ():
        if isinstance(node, (ast.Raise, ast.Return)) and node.lineno == node.end_lineno:
            found.append(site.text(node))
    return list(dict.fromkeys(found))[:16]


def end_without_result(site: Site) -> Iterator[Change]:
    """The function gives back a value on some ways, and nothing at its end: a literal, an argument, the opposite."""
    function, stmt = site.function, site.stmt
    if function is None or stmt is not function.body[-1] or isinstance(stmt, (ast.Return, ast.Raise)):
        return
    returned = [n.value for n in walked(function) if isinstance(n, ast.Return) and n.value is not None]
    if not returned or not site.source.alone(stmt) or holds_docstring(site):
        return
    found: Dict[str, float] = {}
    for value in returned:
        if isinstance(value, ast.Constant):
            found[OPPOSITE.get(site.text(value), site.text(value))] = 0.0
    defaults = [name for name in arguments_of(function) if "default" in name]
    found.update((name, 0.0) for name in defaults)
    for place, text in enumerate(said_texts(site.hints)):
        found.setdefault('"%s"' % text.replace('"', '\\"'), 0.2 + 0.1 * place)
    for place, text in enumerate(sorted(site.hints.expected(), key=len)):
        plain = text if text.lstrip("-").replace(".", "").isdigit() else '"%s"' % text.replace('"', '\\"')
        found.setdefault(plain, 0.2 + 0.1 * place)
    for place, name in enumerate(arguments_of(function)):
        found.setdefault(name, 0.2 + 0.1 * place)
    for place, text in enumerate(("False", "True", '""', "0", "[]", "{}", "()", "-1", "1")):
        found.setdefault(text, 0.3 + 0.1 * place)
    for text, cost in found.items():
        fault = "ends without a result; it needs `return %s`" % short(text)
        yield Change(site.insert_after("return " + text), cost, "`%s`" % function.name, fault)


def handled(site: Site) -> Iterator[Change]:
    """What a handler does: it gives a value back, goes on, or says why, in place of its only line."""
    stmt, handler = site.stmt, site.parent(site.stmt)
    if not isinstance(handler, ast.ExceptHandler) or len(handler.body) != 1 or not site.source.alone(stmt):
        return
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:4]
    values = ["None", "False", "True", '""', "[]", "{}", "0", *names]
    old = site.text(stmt)
    for rank, new in enumerate(["return " + value for value in values]):
        if new != old and site.function is not None:
            yield Change(site.swap(stmt, new), 0.12 * rank, "`%s`" % short(old), "must be `%s`" % new)
