"""Names of a module: which ones its statements bind or change, and what a patch binds to them instead."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

ALL = "*"
_Functions = (ast.FunctionDef, ast.AsyncFunctionDef)


def changed(old: ast.Module, new: ast.Module) -> set[str]:
    """Names that statements outside functions bind or change, and otherwise after the patch."""
    before, after = Counter(statements(old)), Counter(statements(new))
    return {name for name, _ in (before - after) | (after - before)}


def statements(node: ast.Module | ast.ClassDef) -> Iterator[tuple[str, str]]:
    for inner in node.body:
        if isinstance(inner, ast.ClassDef):
            yield from statements(inner)
        elif not isinstance(inner, _Functions):
            yield from ((name, ast.dump(inner)) for name in (*_stored(inner), *_altered(inner)))


def _stored(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _altered(statement: ast.stmt) -> Iterator[str]:
    """Names of things that the statement changes: `TABLE[key] = ...`, `TABLE.update(...)`, `del TABLE[key]`."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            yield from _chain(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if isinstance(node.value.func, ast.Attribute):
                yield from _chain(node.value.func.value)


def _chain(node: ast.expr) -> Iterator[str]:
    """`a`, `b` and `c` of `a.b[0].c`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Attribute):
            yield node.attr
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def rebound(old: ast.Module, new: ast.Module) -> set[str]:
    """Names of functions and classes that something else binds after the patch; ALL where that cannot be read."""
    defined = {node.name for node in old.body if isinstance(node, (*_Functions, ast.ClassDef))}
    fresh = _bound(new) - _bound(old)
    return {name for name in fresh if name in defined or name == ALL}


def _bound(module: ast.Module) -> set[str]:
    """What imports and assignments at the top bind, also inside `if`, `try` and `with`."""
    found: set[str] = set()
    for statement in module.body:
        if isinstance(statement, (*_Functions, ast.ClassDef)):
            continue
        found |= set(_stored(statement))
        imports = (node for node in ast.walk(statement) if isinstance(node, ast.Import | ast.ImportFrom))
        found |= {item.asname or item.name for node in imports for item in node.names}
    return found


def set_elsewhere(module: ast.Module | None) -> set[str]:
    """Names in what it imports that a module sets or changes: `core.median = ...`, `country.NAMES.update(...)`."""
    if module is None:
        return set()
    imports = (node for node in ast.walk(module) if isinstance(node, ast.Import | ast.ImportFrom))
    imported = {(item.asname or item.name).split(".")[0] for node in imports for item in node.names}
    return set(_set_through(module, imported))


def _set_through(module: ast.Module, imported: set[str]) -> Iterator[str]:
    for statement in ast.walk(module):
        if isinstance(statement, ast.Call) and getattr(statement.func, "id", "") == "setattr" and statement.args[1:]:
            if imported & set(_chain(statement.args[0])) and isinstance(statement.args[1], ast.Constant):
                yield str(statement.args[1].value)
        if isinstance(statement, ast.Assign | ast.AugAssign | ast.Delete | ast.Expr):
            names = list(_altered(statement))
            if imported & set(names):
                yield from names


def spoken(module: ast.Module) -> set[str]:
    """All names of which a module speaks."""
    found = {node.id for node in ast.walk(module) if isinstance(node, ast.Name)}
    found |= {node.attr for node in ast.walk(module) if isinstance(node, ast.Attribute)}
    imports = (node for node in ast.walk(module) if isinstance(node, ast.ImportFrom))
    return found | {item.name for node in imports for item in node.names}
