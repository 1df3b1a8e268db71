"""Depth: a statement that belongs behind its block, or into the block before it, or under no condition."""

from __future__ import annotations

import ast
import functools
from typing import Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import Source, first_line, walked
from ..unit import Edit
from .guards import step
from .statements import holds_docstring, what_of


def dedented(site: Site, body: List[ast.stmt], outer: ast.stmt) -> Tuple[Edit, ...]:
    """Edits that bring lines of a body to the depth of the statement that holds it."""
    deep, flat = site.source.indent(body[0]), site.source.indent(outer)
    if deep.strip() or not deep.startswith(flat) or body[0].lineno == outer.lineno:
        return ()
    edits = []
    for line in range(first_line(body[0]), (body[-1].end_lineno or body[-1].lineno) + 1):
        begin = site.source.line_start(line)
        if site.source.data[begin : begin + len(deep)] == deep.encode():
            edits.append((begin, begin + len(deep), flat))
    return tuple(edits)


def less_deep(site: Site) -> Iterator[Change]:
    """The last statement of a block belongs behind the block: a `return` inside its loop."""
    stmt, parent = site.stmt, site.parent(site.stmt)
    inner = isinstance(parent, (ast.For, ast.While, ast.If, ast.With, ast.AsyncFor))
    if not inner or not site.is_last() or not site.source.alone(stmt) or len(site.block()) < 2:
        return
    assert isinstance(parent, ast.stmt)
    last_in_parent = (parent.end_lineno or 0) == (stmt.end_lineno or 0)
    edits = dedented(site, [stmt], parent)
    if edits and last_in_parent:
        loop = isinstance(parent, (ast.For, ast.While, ast.AsyncFor))
        where = "every time round the loop" if loop else "only inside the block"
        cost = 0.0 if loop or isinstance(stmt, ast.Return) else 0.5
        yield Change(edits, cost, what_of(site), "happens %s; it belongs behind it" % where)


READY = 0.4
"""Less for asking what the file has a function for."""


@functools.lru_cache(maxsize=100)
def yes_or_no(source: Source) -> Tuple[str, ...]:
    """Functions of the file that take one thing, and answer nothing but a question about it."""
    functions = (one for one in source.tree.body if isinstance(one, ast.FunctionDef) and len(one.args.args) == 1)
    return tuple(one.name for one in functions if _answers_yes_or_no(one))


def _answers_yes_or_no(function: ast.FunctionDef) -> bool:
    answers = [node.value for node in walked(function) if isinstance(node, ast.Return)]
    return bool(answers) and all(
        isinstance(one, (ast.Compare, ast.BoolOp))
        or (isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not))
        or (isinstance(one, ast.Constant) and isinstance(one.value, bool))
        for one in answers
    )


def under_condition(site: Site) -> Iterator[Change]:
    """The statement is done always, and should be done only `if …`: a condition of the function, or about a name."""
    stmt, function = site.stmt, site.function
    simple = isinstance(stmt, (ast.Assign, ast.AugAssign, ast.Expr)) and stmt.lineno == stmt.end_lineno
    if function is None or not simple or not site.source.alone(stmt) or holds_docstring(site):
        return
    tests = [site.text(node) for node in walked(function) if isinstance(node, ast.Compare)]
    tests = [text for text in dict.fromkeys(tests) if "\n" not in text][:6]
    names = [name for name, _near in sorted(site.live().items(), key=lambda pair: pair[1])][:5]
    answers = yes_or_no(site.source)
    asking = [form % (asked, name) for asked in answers[:4] for name in names for form in ("%s(%s)", "not %s(%s)")]
    tests = asking + tests
    tests += [form % name for name in names for form in ("%s", "not %s", "%s is not None", "%s is None")]
    for rank, test in enumerate(tests):
        inner = site.source.newline + site.source.indent(stmt) + step(site) + site.text(stmt)
        fault = "should be done only if `%s`" % short(test)
        cost = 0.08 * rank - (READY if test in asking else 0.0)
        yield Change(site.swap(stmt, "if %s:%s" % (test, inner)), cost, what_of(site), fault)


def deeper(site: Site) -> Iterator[Change]:
    """The statement behind a block belongs into the block."""
    block = site.block()
    at = block.index(site.stmt)
    before = block[at - 1] if at else None
    if (
        before is None
        or not isinstance(before, (ast.For, ast.While, ast.If, ast.With))
        or not site.source.alone(site.stmt)
    ):
        return
    body = before.orelse or before.body if isinstance(before, (ast.If, ast.For, ast.While)) else before.body
    deep, flat = site.source.indent(body[-1]), site.source.indent(site.stmt)
    if deep.strip() or len(deep) <= len(flat) or getattr(before, "orelse", None):
        return
    edits = []
    for line in range(site.stmt.lineno, (site.stmt.end_lineno or site.stmt.lineno) + 1):
        begin = site.source.line_start(line)
        if site.source.data[begin : begin + len(flat)] == flat.encode():
            edits.append((begin, begin + len(flat), deep))
    yield Change(tuple(edits), 0.2, what_of(site), "stands behind the block that it belongs into")


def unconditional(site: Site) -> Iterator[Change]:
    """`if c: body` becomes `body`."""
    stmt = site.stmt
    if isinstance(stmt, ast.If) and not stmt.orelse and site.source.alone(stmt):
        edits = dedented(site, stmt.body, stmt)
        if edits:
            start = site.source.lines_of(stmt)[0]
            head = (start, site.source.line_start(stmt.body[0].lineno), "")
            yield Change((head, *edits), 0.0, what_of(site), "makes conditional what must always happen")


def _indented(site: Site, stmt: ast.stmt, old: str, new: str) -> str:
    """Whole lines of a statement at another depth."""
    start, end = site.source.lines_of(stmt)
    lines = site.source.data[start:end].decode("utf-8").splitlines(keepends=True)
    return "".join(new + line[len(old) :] if line.startswith(old) else line for line in lines)


def round_the_loop(site: Site) -> Iterator[Change]:
    """What is done once before a loop belongs at the start of each round, or the other way round."""
    loop = site.stmt
    if not isinstance(loop, (ast.For, ast.While, ast.AsyncFor)) or not site.source.alone(loop):
        return
    flat, deep = site.source.indent(loop), site.source.indent(loop.body[0])
    if deep.strip() or loop.body[0].lineno == loop.lineno:
        return
    block = site.block()
    for distance, before in enumerate(block[: block.index(loop)][:-4:-1]):
        if isinstance(before, (ast.Assign, ast.AugAssign, ast.Expr)) and site.source.alone(before):
            start, end = site.source.lines_of(before)
            at = site.source.lines_of(loop.body[0])[0]
            edits = ((start, end, ""), (at, at, _indented(site, before, flat, deep)))
            fault = "is done once; it belongs at the start of each round of the loop"
            yield Change(edits, 0.2 * distance, what_of(site, before), fault)
    first = loop.body[0]
    if len(loop.body) > 1 and isinstance(first, (ast.Assign, ast.AugAssign, ast.Expr)) and site.source.alone(first):
        start, end = site.source.lines_of(first)
        at = site.source.lines_of(loop)[0]
        edits = ((at, at, _indented(site, first, deep, flat)), (start, end, ""))
        yield Change(edits, 0.1, what_of(site, first), "is done in each round of the loop; it belongs before it")


def only_once(site: Site) -> Iterator[Change]:
    """`found.append(x)` happens only `if x not in found`."""
    stmt = site.stmt
    call = stmt.value if isinstance(stmt, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or not site.source.alone(stmt):
        return
    text, collects = site.text(stmt), call.func.attr in ("append", "add", "insert", "extend", "appendleft", "put")
    if not collects or "\n" in text or not call.args:
        return
    owner, item = site.text(call.func.value), site.text(call.args[-1])
    for rank, test in enumerate(("%s not in %s" % (item, owner), item, "%s is not None" % item)):
        start, end = site.source.lines_of(stmt)
        added = site.insert_before("if %s:\n%s%s" % (test, step(site), text))[0][2]
        fault = "happens also where not `%s`" % short(test)
        yield Change(((start, end, added),), 0.2 * rank, "`%s`" % short(text), fault)
