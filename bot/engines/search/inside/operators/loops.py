"""Loops: numbers beside items, unequal lengths, an `else` for "not found", functions made in a loop, the rest."""

from __future__ import annotations

import ast
from typing import Iterator, List, Optional

from ..site import Change, Site, short
from ..source import Function, FunctionNode, walked
from .calls import callee, calls_of, closing
from .guards import step
from .statements import holds_docstring, what_of

LOOPS = (ast.For, ast.While, ast.AsyncFor)


def numbered(site: Site) -> Iterator[Change]:
    """`for i, x in items` becomes `for i, x in enumerate(items)`; a table is walked through by `.items()`."""
    failed = any(True for _red in site.hints.of("unpack", "not enough values"))
    stmt = site.stmt
    pairs = [(stmt.target, stmt.iter)] if isinstance(stmt, ast.For) else []
    pairs += [(part.target, part.iter) for node in site.nodes for part in getattr(node, "generators", [])]
    for target, iterated in pairs:
        text = site.text(iterated)
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2 or text.startswith(("enumerate(", "zip(")):
            continue
        cost = -0.8 if failed else 0.3
        for rank, form in enumerate(("enumerate(%s)", "enumerate(%s, start=1)", "%s.items()")):
            if not (text.endswith(".items()") and form[0] == "%"):
                fault = "is iterated through without the numbers or keys that the loop takes"
                yield Change(site.swap(iterated, form % text), cost + 0.1 * rank, "`%s`" % short(text), fault)


def lengths(site: Site) -> Iterator[Change]:
    """`zip` stops at the shorter one: `zip_longest`, with a value for what is missing."""
    ready = "itertools." if _imports(site, "itertools") else "" if "zip_longest" in site.scope else None
    for node in calls_of(site):
        name = callee(node)[0]
        what = "`%s`" % short(site.text(node))
        if name == "zip" and ready is not None and len(node.args) > 1:
            inside = ", ".join(site.text(argument) for argument in node.args)
            for rank, fill in enumerate((", fillvalue=0", "", ', fillvalue=""')):
                new = "%szip_longest(%s%s)" % (ready, inside, fill)
                yield Change(site.swap(node, new), 0.1 * rank, what, "stops at the end of the shorter one")
        if name == "zip_longest" and not node.keywords:
            end, lead = closing(site, node)
            for rank, fill in enumerate(("0", '""', "None", "()")):
                text = "%sfillvalue=%s" % (lead, fill)
                yield Change(((end, end, text),), 0.1 * rank, what, "fills up with `None`")


def _imports(site: Site, module: str) -> bool:
    imports = [one for one in site.source.tree.body if isinstance(one, ast.Import)]
    return any(alias.name == module and not alias.asname for one in imports for alias in one.names)


def not_found(site: Site) -> Iterator[Change]:
    """A statement behind a loop with `break` belongs into the loop's `else`."""
    block = site.block()
    at = block.index(site.stmt) if site.stmt in block else 0
    before = block[at - 1] if at else None
    if not isinstance(before, LOOPS) or before.orelse or not site.source.alone(site.stmt):
        return
    if not any(isinstance(node, ast.Break) for node in walked(before)):
        return
    indent, newline = site.source.indent(site.stmt), site.source.newline
    start, end = site.source.lines_of(site.stmt)
    text = site.source.data[start:end].decode("utf-8")
    lines = "".join(step(site) + line if line.strip() else line for line in text.splitlines(keepends=True))
    fault = "happens even when the loop was left by `break`; it belongs into an `else`"
    yield Change(((start, end, indent + "else:" + newline + lines),), 0.0, what_of(site), fault)


def bound_late(site: Site) -> Iterator[Change]:
    """A function made in a loop sees the loop variable's last value: a default keeps the value of each round."""
    for node in site.of(ast.Lambda):
        assert isinstance(node, ast.Lambda)
        own = {argument.arg for argument in node.args.args}
        read = {n.id for n in walked(node.body) if isinstance(n, ast.Name)} - own
        for name in [one for one in _loop_names(site, node) if one in read]:
            at = site.source.span(node.body)[0]
            colon = site.source.data.rfind(b":", site.source.span(node)[0], at)
            lead = ", " if own else " "
            text = "%s%s=%s" % (lead, name, name)
            what, fault = "`%s`" % short(site.text(node)), "sees the last `%s` of the loop, not its own" % name
            yield Change(((colon, colon, text),), 0.0, what, fault)
    function = site.stmt
    if isinstance(function, FunctionNode):
        yield from _inner_function(site, function)


def _inner_function(site: Site, function: Function) -> Iterator[Change]:
    read = {n.id for n in walked(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    arguments = function.args.args
    for name in [one for one in _loop_names(site, function) if one in read]:
        if arguments and not function.args.vararg and not function.args.kwonlyargs:
            end = site.source.span((function.args.defaults or arguments)[-1])[1]
            fault = "sees the last `%s` of the loop, not its own" % name
            yield Change(((end, end, ", %s=%s" % (name, name)),), 0.2, "`%s`" % function.name, fault)


def _loop_names(site: Site, node: ast.AST) -> List[str]:
    found: List[str] = []
    for ancestor in site.source.ancestors(node):
        targets = [ancestor.target] if isinstance(ancestor, (ast.For, ast.AsyncFor)) else []
        targets += [part.target for part in getattr(ancestor, "generators", [])]
        found += [n.id for target in targets for n in walked(target) if isinstance(n, ast.Name)]
    return found


def left_over(site: Site) -> Iterator[Change]:
    """What a loop hands on at each mark is lost behind the last one: once more after the loop."""
    stmt = site.stmt
    if not isinstance(stmt, LOOPS) or site.function is None or not site.source.alone(stmt):
        return
    for node in walked(stmt):
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and callee(call)[0] in ("append", "add") and len(call.args) == 1:
            text, given = site.text(node), site.text(call.args[0])
            fault = "loses the last `%s`: `%s` is needed behind the loop" % (short(given), short(text))
            where = "the loop `%s`" % short(site.text(stmt).split("\n")[0])
            name = _root(call.args[0])
            if name and "\n" not in text:
                yield Change(site.insert_after("if %s:\n%s%s" % (name, step(site), text)), 0.2, where, fault)
                yield Change(site.insert_after(text), 0.3, where, fault)


def _root(node: ast.expr) -> Optional[str]:
    names = [n.id for n in walked(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)]
    return names[-1] if names else None


def put_back(site: Site) -> Iterator[Change]:
    """What follows a `yield` in a context manager must happen after an error too: `try` and `finally`."""
    stmt = site.stmt
    if not (isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Yield)) or not site.source.alone(stmt):
        return
    block = site.block()
    after = block[block.index(stmt) + 1 :]
    if not after or any(not site.source.alone(one) for one in after) or holds_docstring(site):
        return
    indent, newline, deeper = site.source.indent(stmt), site.source.newline, step(site)
    start, middle = site.source.lines_of(stmt)
    end = site.source.lines_of(after[-1])[1]
    data = site.source.data
    one, two = (data[a:b].decode("utf-8").splitlines(keepends=True) for a, b in ((start, middle), (middle, end)))
    lines = [indent + "try:" + newline, *(deeper + line for line in one), indent + "finally:" + newline]
    lines += [deeper + line if line.strip() else line for line in two]
    fault = "is not put back when an error comes: it needs `try` and `finally`"
    yield Change(((start, end, "".join(lines)),), 0.3, "what follows `%s`" % short(site.text(stmt)), fault)


def asynchronous(site: Site) -> Iterator[Change]:
    """`for` and `with` over what is asynchronous need `async`."""
    if not isinstance(site.function, ast.AsyncFunctionDef):
        return
    stmt = site.stmt
    failed = any(True for _red in site.hints.of("async", "coroutine", "context manager protocol", "__aenter__"))
    if isinstance(stmt, (ast.For, ast.With)):
        start = site.source.span(stmt)[0]
        yield Change(((start, start, "async "),), -0.8 if failed else 0.5, what_of(site), "must be `async`")
    for node in site.nodes:
        for part in getattr(node, "generators", []):
            if not part.is_async:
                at = site.source.span(part.target)[0]
                spot = site.source.data.rfind(b"for", 0, at)
                cost = -0.8 if failed else 0.5
                yield Change(((spot, spot, "async "),), cost, "`%s`" % short(site.text(node)), "must be `async for`")
