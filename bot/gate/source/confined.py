"""Imports by a computed name that can come to nothing but what is written out beside them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from bot.gate.source.names import Names

_FRAMEWORKS = frozenset({"pytest", "_pytest", "pluggy", "nose", "nose2", "unittest", "doctest", "hypothesis"})
_READS = frozenset({"get", "keys", "values", "items", "copy", "__contains__"})


def is_confined(call: ast.Call, names: Names) -> bool:
    """Whether an import stays in the package that its text begins with, or takes its name from a table of constants.

    Not where that reaches the standard library or a test framework: those hold much that a reader has to see by name.
    """
    asked = call.args[0]
    if isinstance(asked, ast.Subscript):
        return _is_listed(asked.value, names)
    if isinstance(asked, ast.Call) and isinstance(asked.func, ast.Attribute) and asked.func.attr == "get":
        return len(asked.args) == 1 and _is_listed(asked.func.value, names)
    start = _start(asked, names)
    if start.startswith("."):
        return len(call.args) == 2 and isinstance(call.args[1], ast.Name) and call.args[1].id in _PACKAGE
    return "." in start and _is_open(start)


_PACKAGE = ("__name__", "__package__")


def _start(node: ast.expr, names: Names) -> str:
    """The constant text that an expression begins with."""
    if isinstance(node, ast.JoinedStr) and node.values:
        node = node.values[0]
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        node = node.left
    return names.text(node) or "" if not isinstance(node, ast.FormattedValue) else ""


def _is_open(module: str) -> bool:
    top = module.partition(".")[0]
    return bool(top) and top not in sys.stdlib_module_names and top not in _FRAMEWORKS


def _is_listed(table: ast.expr, names: Names) -> bool:
    """Whether this is a table of names of modules that the module writes out once and only reads."""
    if not isinstance(table, ast.Name):
        return False
    bound = [node for node in _bindings(names.tree) if table.id in (_name(target) for target in _targets(node))]
    values = [_values(node.value) for node in bound]
    if len(values) != 1 or not values[0] or _is_written(table.id, names.tree):
        return False
    texts = [names.text(value) for value in values[0]]
    return all(text is not None and (text.startswith(".") or _is_open(text)) for text in texts)


def _bindings(tree: ast.Module) -> Iterator[ast.Assign | ast.AnnAssign]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.AnnAssign))


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _values(node: ast.expr | None) -> list[ast.expr]:
    """What stands in a table that is written out."""
    if isinstance(node, ast.Dict):
        return node.values if None not in node.keys else []
    return node.elts if isinstance(node, ast.List | ast.Tuple) else []


def _is_written(name: str, tree: ast.Module) -> bool:
    """Whether anything but its own line may put something into a table."""
    stores = 0
    for node in ast.walk(tree):
        stores += isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        owner = getattr(node, "value", None)
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and _name(node.value) == name:
            return True
        if isinstance(node, ast.Attribute) and isinstance(owner, ast.Name) and owner.id == name:
            if node.attr not in _READS:
                return True
        if isinstance(node, ast.Global) and name in node.names:
            return True
    return stores != 1
