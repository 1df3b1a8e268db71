"""Copies: an object that is shared with the caller, with all rows, with all objects of a class, or with all calls."""

from __future__ import annotations

import ast
from typing import Iterator, List, Tuple

from ..site import Change, Site, arguments_of, short
from ..source import FunctionNode, walked
from ..unit import Edit
from .imports import at_top

SHARED = (ast.Name, ast.Attribute, ast.Subscript)
MUTABLE = (ast.List, ast.Dict, ast.Set)


def aliased(site: Site) -> Iterator[Change]:
    """`x` becomes `list(x)`, `dict(x)`, `x.copy()`: a copy, so that the caller's object stays as it was."""
    stmt = site.stmt
    values: List[ast.expr] = []
    if isinstance(stmt, (ast.Assign, ast.Return)) and stmt.value is not None:
        values = [stmt.value, *getattr(stmt.value, "values", [])]
    for node in values:
        if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.BoolOp, ast.IfExp)):
            continue
        text, what = site.text(node), "`%s`" % short(site.text(stmt))
        fault = "shares one object where a copy is needed"
        forms = ("list(%s)", "dict(%s)", "%s.copy()", "set(%s)", "%s[:]")
        for rank, form in enumerate(forms if text != "self" else ()):
            inner = site.operand(node) if form[0] == "%" else text
            yield Change(site.swap(node, form % inner), 0.15 * rank, what, fault)
        plain, imports = _from_copy(site, "copy")
        cost = 0.5 if imports else 0.0
        yield Change(site.swap(node, "%s(%s)" % (plain, text)) + imports, cost, what, fault)
        if isinstance(node, ast.Name):
            for rank, empty in enumerate(("{}", "[]", "()")):
                kind = "dict" if empty == "{}" else "list"
                new = "%s(%s or %s)" % (kind, text, empty)
                yield Change(site.swap(node, new), 0.6 + 0.1 * rank, what, fault)


KEEPERS = ("append", "add", "insert", "setdefault", "extend", "appendleft", "put")


def kept(site: Site) -> Iterator[Change]:
    """`rows.append(row)` keeps what the caller may change: `rows.append(dict(row))`; `list(rows)` keeps each row."""
    for node in site.of(ast.Call):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        last, what = node.args[-1], "`%s`" % short(site.text(node))
        if isinstance(node.func, ast.Attribute) and node.func.attr in KEEPERS and isinstance(last, SHARED):
            for rank, form in enumerate(("list(%s)", "dict(%s)", "%s.copy()", "set(%s)", "copy.copy(%s)")):
                imports = _from_copy(site, "copy")[1] if form.startswith("copy") else ()
                edits = site.swap(last, form % site.text(last)) + imports
                yield Change(edits, 0.15 * rank, what, "keeps an object that others may change")
        elif isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple") and isinstance(last, SHARED):
            for rank, form in enumerate(("dict(%s)", "list(%s)", "%s.copy()")):
                new = "[%s for one in %s]" % (form % "one", site.text(last))
                yield Change(site.swap(node, new), 0.3 + 0.15 * rank, what, "keeps objects that others may change")


def deep(site: Site) -> Iterator[Change]:
    """A shallow copy, or none, where what lies inside must be copied too."""
    name, imports = _from_copy(site, "deepcopy")
    for node in site.nodes:
        old: ast.AST = node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "copy":
            plain: ast.AST = node.args[0] if node.args else node.func.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("dict", "list"):
            plain = node.args[0] if len(node.args) == 1 else node
        elif node is getattr(site.stmt, "value", None) or _is_argument(site, node):
            plain = node
        else:
            continue
        if isinstance(old, ast.Call) and isinstance(old.func, ast.Name) and plain is not old:
            inner = site.text(plain)
            form = (
                "[list(row) for row in %s]"
                if old.func.id == "list"
                else "{key: list(row) for key, row in %s.items()}"
            )
            what = "`%s`" % short(site.text(old))
            yield Change(
                site.swap(old, form % inner), 0.1, what, "copies the outer container and shares the inner ones"
            )
        if (isinstance(plain, ast.expr) and plain is not old) or isinstance(plain, (ast.Name, ast.Attribute)):
            edits = site.swap(old, "%s(%s)" % (name, site.text(plain))) + imports
            cost = 0.0 if not imports else 0.5
            yield Change(
                edits, cost, "`%s`" % short(site.text(old)), "shares what lies inside; the copy must be deep"
            )


def _is_argument(site: Site, node: ast.AST) -> bool:
    parent = site.parent(node)
    return isinstance(parent, ast.Call) and node in parent.args


def _from_copy(site: Site, name: str) -> Tuple[str, Tuple[Edit, ...]]:
    """How `copy.<name>` is called here, and the import that it needs."""
    for statement in site.source.tree.body:
        if isinstance(statement, ast.Import) and any(alias.name == "copy" for alias in statement.names):
            return "copy." + name, ()
        if isinstance(statement, ast.ImportFrom) and statement.module == "copy":
            if any(alias.name == name for alias in statement.names):
                return name, ()
    return "copy." + name, at_top(site, "import copy")


def rows(site: Site) -> Iterator[Change]:
    """`[[0] * n] * m` is one row m times: a comprehension makes a row each time."""
    for node in site.of(ast.BinOp):
        assert isinstance(node, ast.BinOp)
        if not isinstance(node.op, ast.Mult) or not isinstance(node.left, ast.List) or len(node.left.elts) != 1:
            continue
        row = node.left.elts[0]
        if isinstance(row, (*MUTABLE, ast.BinOp, ast.Call, ast.ListComp)):
            new = "[%s for _ in range(%s)]" % (site.text(row), site.text(node.right))
            fault = "repeats one and the same object"
            yield Change(site.swap(node, new), -0.5, "`%s`" % short(site.text(node)), fault)


def class_level(site: Site) -> Iterator[Change]:
    """`items = []` in a class body is shared by all its objects: each needs its own, made by the constructor."""
    stmt, klass = site.stmt, site.klass
    if klass is None or site.function is not None or not isinstance(stmt, (ast.Assign, ast.AnnAssign)):
        return
    target = stmt.targets[0] if isinstance(stmt, ast.Assign) else stmt.target
    if not isinstance(target, ast.Name) or stmt.value is None or not site.source.alone(stmt):
        return
    value = site.text(stmt.value)
    if not isinstance(stmt.value, MUTABLE) and value not in ("set()", "list()", "dict()"):
        return
    what, fault = "`%s`" % short(site.text(stmt)), "is one object that all objects of the class share"
    if any("dataclass" in site.text(decorator) for decorator in klass.decorator_list):
        kind = {ast.List: "list", ast.Dict: "dict", ast.Set: "set"}.get(type(stmt.value), value[:-2])
        given = kind if value in ("[]", "{}", kind + "()") else "lambda: " + value
        edits = site.swap(stmt.value, "field(default_factory=%s)" % given) + _field(site)
        yield Change(edits, -0.9, what, fault)
        return
    for method in klass.body:
        if isinstance(method, FunctionNode) and method.name == "__init__" and site.source.alone(method.body[0]):
            start = site.source.lines_of(method.body[0])[0]
            line = "%sself.%s = %s" % (site.source.indent(method.body[0]), target.id, value)
            gone = (*site.source.lines_of(stmt), "")
            yield Change((gone, (start, start, line + site.source.newline)), -0.9, what, fault)
            return
    indent, newline = site.source.indent(stmt), site.source.newline
    text = "%sdef __init__(self):%s%s    self.%s = %s" % (indent, newline, indent * 2, target.id, value)
    text = text.replace(indent * 2 + "    ", indent * 2)
    yield Change(((*site.source.lines_of(stmt), text + newline),), -0.3, what, fault)


def _field(site: Site) -> Tuple[Edit, ...]:
    """The import of `field`, where it is not there."""
    for statement in site.source.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "dataclasses":
            if any(alias.name == "field" for alias in statement.names):
                return ()
            end = site.source.span(statement)[1]
            at = end - 1 if site.text(statement).endswith(")") else end
            return ((at, at, ", field"),)
    return at_top(site, "from dataclasses import field")


def walked_once(site: Site) -> Iterator[Change]:
    """An iterator that is walked through twice: the function makes a list of it first."""
    function = site.function
    if function is None or site.stmt is not _first(function.body) or not site.source.alone(site.stmt):
        return
    for name in arguments_of(function)[:3]:
        uses = [n for n in walked(function) if isinstance(n, ast.Name) and n.id == name]
        if len(uses) > 1:
            text = "%s = list(%s)" % (name, name)
            fault = "walks through `%s` more than once; an iterator is empty after that" % name
            yield Change(site.insert_before(text), 0.2, "`%s`" % function.name, fault)


def _first(body: List[ast.stmt]) -> ast.stmt:
    docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1
    return body[1] if docstring else body[0]


def while_changing(site: Site) -> Iterator[Change]:
    """A loop over what it changes: it must go over a copy. A generator that is asked for its length: a list."""
    stmt = site.stmt
    if isinstance(stmt, (ast.For, ast.AsyncFor)) and not isinstance(stmt.iter, ast.Constant):
        text = site.text(stmt.iter)
        if not text.startswith(("list(", "sorted(", "range(")):
            cost = -1.0 if any(True for _ in site.hints.of("changed size during iteration")) else 0.4
            fault = "changes what it loops over"
            new = "list(%s)" % text
            yield Change(site.swap(stmt.iter, new), cost, "the loop over `%s`" % short(text), fault)
    for node in site.of(ast.GeneratorExp):
        text = site.text(node)
        if text.startswith("(") and not isinstance(site.parent(node), ast.Call):
            fault = "can be walked through once only; a list is needed"
            yield Change(site.swap(node, "[%s]" % text[1:-1]), 0.2, "`%s`" % short(text), fault)
