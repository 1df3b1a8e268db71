"""Statements: moved, dropped, copied, put deeper or less deep, a guard in front, another way out of a loop."""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, List, Optional, Tuple

from ..site import Change, Site, short
from ..source import Function, blocks, enclosing_function, first_line
from ..unit import Edit

SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Delete, ast.Assert, ast.Raise, ast.AnnAssign)
UNTOUCHED = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
SIMPLE_FLOW = (*SIMPLE, ast.Break, ast.Continue, ast.Pass)


def _what(site: Site, stmt: Optional[ast.stmt] = None) -> str:
    text = site.text(stmt or site.stmt).split("\n")[0]
    return "`%s`" % short(text)


def _lines(site: Site, stmt: ast.stmt) -> str:
    start, end = site.source.lines_of(stmt)
    return site.source.data[start:end].decode("utf-8")


def _is_docstring(site: Site) -> bool:
    return isinstance(site.stmt, ast.Expr) and isinstance(site.stmt.value, ast.Constant)


def dropped(site: Site) -> Iterator[Change]:
    """The statement goes; an `if` loses its condition or goes whole."""
    stmt = site.stmt
    if not site.source.alone(stmt) or _is_docstring(site) or isinstance(stmt, UNTOUCHED):
        return
    start, end = site.source.lines_of(stmt)
    only = len(site.block()) == 1
    filler = site.source.indent(stmt) + "pass" + site.source.newline if only else ""
    cost = 0.0 if isinstance(stmt, SIMPLE_FLOW) else 0.8
    yield Change(((start, end, filler),), cost + (0.4 if only else 0.0), _what(site), "should not be there")


def unconditional(site: Site) -> Iterator[Change]:
    """`if c: body` becomes `body`."""
    stmt = site.stmt
    if isinstance(stmt, ast.If) and not stmt.orelse and site.source.alone(stmt):
        edits = _dedent(site, stmt.body, stmt)
        if edits:
            start = site.source.lines_of(stmt)[0]
            head = (start, site.source.line_start(stmt.body[0].lineno), "")
            yield Change((head, *edits), 0.0, _what(site), "makes conditional what must always happen")


def _dedent(site: Site, body: List[ast.stmt], outer: ast.stmt) -> Tuple[Edit, ...]:
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
    edits = _dedent(site, [stmt], parent)
    if edits and last_in_parent:
        loop = isinstance(parent, (ast.For, ast.While, ast.AsyncFor))
        where = "every time round the loop" if loop else "only inside the block"
        cost = 0.0 if loop or isinstance(stmt, ast.Return) else 0.5
        yield Change(edits, cost, _what(site), "happens %s; it belongs behind it" % where)


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
    yield Change(tuple(edits), 0.2, _what(site), "stands behind the block that it belongs into")


def moved(site: Site) -> Iterator[Change]:
    """Neighbours exchanged: the update before the use, the check before the act."""
    block = site.block()
    at = block.index(site.stmt)
    source = site.source
    if not source.alone(site.stmt) or _is_docstring(site):
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
            edits, 0.4 * distance, _what(site), "happens too early: it belongs behind %s" % _what(site, other)
        )
        if distance:
            begin, finish = source.lines_of(other)
            first = source.data[begin:finish].decode("utf-8")
            first += "" if first.endswith(("\n", "\r")) else source.newline
            edits = ((start, finish, first + source.data[start:begin].decode("utf-8")),)
            yield Change(
                edits, 0.4 * distance, _what(site, other), "happens too late: it belongs before %s" % _what(site)
            )


def copied(site: Site) -> Iterator[Change]:
    """A simple statement of the same function, needed here as well."""
    if site.function is None or not site.source.alone(site.stmt) or _is_docstring(site):
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
    for other in ast.walk(function):
        if isinstance(other, SIMPLE) and other is not site.stmt and other.lineno == other.end_lineno:
            own = enclosing_function(site.source, other) is function
            if own and site.source.alone(other) and not _docstring(other):
                yield other


def _docstring(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)


def guarded(site: Site) -> Iterator[Change]:
    """An early way out in front: `if not x: return …`, `if x is None: …`, inside a loop `continue`."""
    if site.function is None or not site.source.alone(site.stmt) or isinstance(site.stmt, SIMPLE_FLOW[-3:]):
        return
    if _is_docstring(site):
        return
    in_loop = _in_loop(site)
    for name, near in sorted(site.live().items(), key=lambda pair: pair[1])[:6]:
        distance = near + (0.0 if _reads(site.stmt, name) else 0.5)
        for cost, test, words in _tests(name):
            for more, exit_text in _exits(site, in_loop, name):
                fault = "does not handle %s: it needs `if %s: %s`" % (words, test, exit_text)
                text = "if %s:\n%s%s" % (test, _step(site), exit_text)
                yield Change(site.insert_before(text), distance + cost + more, "`%s`" % site.function.name, fault)


def _reads(stmt: ast.stmt, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(stmt))


def _tests(name: str) -> Tuple[Tuple[float, str, str], ...]:
    return (
        (0.0, "not " + name, "an empty `%s`" % name),
        (0.1, name + " is None", "`%s` being `None`" % name),
        (0.7, name + " == 0", "`%s` being zero" % name),
        (0.7, name + " < 0", "a negative `%s`" % name),
        (0.8, name + " <= 0", "`%s` being zero or less" % name),
        (0.8, "len(%s) == 1" % name, "a single `%s`" % name),
        (0.9, name + " < 2", "`%s` below two" % name),
        (1.0, name, "`%s` being there" % name),
    )


def _exits(site: Site, in_loop: bool, name: str) -> List[Tuple[float, str]]:
    """What a guard can do, the values first that this function already gives back."""
    function = site.function
    assert function is not None
    known: Dict[str, float] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, (ast.Constant, ast.List, ast.Dict, ast.Tuple)):
            known.setdefault("return " + site.text(node.value), 0.0)
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Name) and node.value.id in site.live():
            known.setdefault("return " + node.value.id, 0.2)
    for rank, text in enumerate(("None", "[]", "0", '""', "False", "True", "{}", name)):
        known.setdefault("return " + text, 0.3 + 0.1 * rank)
    exits = [(cost, text) for text, cost in known.items() if "\n" not in text]
    if in_loop:
        exits += [(0.1, "continue"), (0.4, "break")]
    return exits


def _in_loop(site: Site) -> bool:
    for ancestor in site.source.ancestors(site.stmt):
        if ancestor is site.function:
            return False
        if isinstance(ancestor, (ast.For, ast.While, ast.AsyncFor)):
            return True
    return False


def _step(site: Site) -> str:
    """One level of indentation as this file writes it."""
    for node in ast.walk(site.source.tree):
        for block in blocks(node):
            outer = node.col_offset if isinstance(node, ast.stmt) else 0
            text = site.source.indent(block[0])
            if isinstance(node, ast.stmt) and not text.strip() and len(text) > outer:
                return text[outer:]
    return "    "


def defaulted(site: Site) -> Iterator[Change]:
    """`if x is None: x = []` in front, and `self.x = x` or another assignment that is missing."""
    if site.function is None or not site.source.alone(site.stmt) or _is_docstring(site):
        return
    first = site.function.body[1:2] if _docstring(site.function.body[0]) else site.function.body[:1]
    if site.stmt in first:
        for argument in site.function.args.args + site.function.args.kwonlyargs:
            for rank, value in enumerate(("[]", "{}", "0", '""', "set()", "1")):
                if argument.arg not in ("self", "cls"):
                    text = "if %s is None:\n%s%s = %s" % (argument.arg, _step(site), argument.arg, value)
                    fault = "has no value to use when `%s` is `None`" % argument.arg
                    yield Change(site.insert_before(text), 0.15 * rank, "`%s`" % site.function.name, fault)


def updated(site: Site) -> Iterator[Change]:
    """A line that counts, collects or advances is missing: `i += 1`, `out.append(x)`, `seen.add(x)`, `a = b`."""
    if site.function is None or not site.source.alone(site.stmt) or _is_docstring(site):
        return
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:6]
    ideas: List[Tuple[float, str]] = []
    for rank, one in enumerate(names):
        ideas += [(0.3 + 0.1 * rank, one + " += 1"), (0.5 + 0.1 * rank, one + " -= 1")]
        if site.klass is not None:
            ideas.append((0.3, "self.%s = %s" % (one, one)))
        for other in names:
            if one != other:
                ideas += [(0.4, "%s.append(%s)" % (one, other)), (0.5, "%s.add(%s)" % (one, other))]
                ideas += [(0.5, "%s = %s" % (one, other)), (0.7, "%s += %s" % (one, other))]
    for cost, text in ideas:
        where = "`%s`" % site.function.name
        if not isinstance(site.stmt, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            yield Change(site.insert_after(text), cost, where, "lacks `%s`" % text)
        yield Change(site.insert_before(text), cost + 0.1, where, "lacks `%s`" % text)


def attribute_updated(site: Site) -> Iterator[Change]:
    """A line that keeps something in the object is missing: `self.log.append(x)`, `self.count += 1`, `self.x = x`."""
    if site.klass is None or site.function is None or not site.source.alone(site.stmt) or _is_docstring(site):
        return
    stored = _stored_attributes(site.klass)
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:4]
    leaves = isinstance(site.stmt, (ast.Return, ast.Raise, ast.Break, ast.Continue))
    for attr in stored[:8]:
        ideas = ["self.%s += 1" % attr, "self.%s -= 1" % attr]
        for name in names:
            forms = ("self.%s.append(%s)", "self.%s.add(%s)", "self.%s = %s", "self.%s += %s", "self.%s -= %s")
            ideas += [form % (attr, name) for form in forms] + ["self.%s.remove(%s)" % (attr, name)]
        for rank, text in enumerate(ideas):
            where, fault = "`%s`" % site.function.name, "lacks `%s`" % text
            edits = site.insert_before(text) if leaves else site.insert_after(text)
            yield Change(edits, 0.04 * rank, where, fault)


def _stored_attributes(klass: ast.ClassDef) -> List[str]:
    found: Dict[str, None] = {}
    for node in ast.walk(klass):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            if node.value.id == "self":
                found[node.attr] = None
    return list(found)


def call_missing(site: Site) -> Iterator[Change]:
    """A method of an object at hand that must be called too: `member.borrow(book)`, `self._refresh()`."""
    if site.function is None or not site.source.alone(site.stmt) or _is_docstring(site):
        return
    names = [name for name, _cost in sorted(site.live().items(), key=lambda pair: pair[1])][:4]
    own = {node.name for node in site.klass.body if hasattr(node, "name")} if site.klass is not None else set()
    leaves = isinstance(site.stmt, (ast.Return, ast.Raise, ast.Break, ast.Continue))
    for method, count in site.hints.methods.items():
        if count > 1 or method.startswith("__") or method == site.function.name:
            continue
        owners = ["self"] if method in own else list(names)
        for owner in owners:
            others = [name for name in names if name != owner] if count else [""]
            for rank, given in enumerate(others[:3]):
                text = "%s.%s(%s)" % (owner, method, given)
                edits = site.insert_before(text) if leaves else site.insert_after(text)
                yield Change(edits, 0.1 * rank, "`%s`" % site.function.name, "never calls `%s`" % text)


def flow(site: Site) -> Iterator[Change]:
    """`break`, `continue`, `pass` and `return` for one another; `if` for `while`; `elif` for `if`."""
    stmt = site.stmt
    if isinstance(stmt, (ast.Break, ast.Continue, ast.Pass)):
        old = site.text(stmt)
        for rank, new in enumerate(("continue", "break", "pass", "return")):
            if new != old:
                yield Change(site.swap(stmt, new), 0.2 * rank, "`%s`" % old, "should be `%s`" % new)
    if isinstance(stmt, (ast.If, ast.While)):
        yield from _loop_or_branch(site, stmt)
    if isinstance(stmt, ast.Return) and _in_loop(site):
        for new in ("continue", "break"):
            fault = "leaves the function where `%s` is meant" % new
            yield Change(site.swap(stmt, new), 0.6, _what(site), fault)


def _loop_or_branch(site: Site, stmt: ast.stmt) -> Iterator[Change]:
    start = site.source.span(stmt)[0]
    head = re.match(rb"(if|elif|while)\b", site.source.data[start:])
    if head is None:
        return
    word = head.group(1).decode()
    end = start + len(word)
    if word == "if" and not getattr(stmt, "orelse", None):
        yield Change(((start, end, "while"),), 0.4, _what(site), "happens once; it must be repeated")
    if word == "while" and not getattr(stmt, "orelse", None):
        yield Change(((start, end, "if"),), 0.6, _what(site), "repeats what must happen once")
    if word == "elif":
        yield Change(((start, end, "if"),), 0.3, _what(site), "is skipped when an earlier branch was taken")
    block = site.block()
    at = block.index(stmt) if stmt in block else 0
    if word == "if" and at and isinstance(block[at - 1], ast.If):
        yield Change(((start, end, "elif"),), 0.2, _what(site), "is asked even when the branch above was taken")
