"""Comparisons that agree whatever they compare, and values of the language with another equality."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bot.gate.source.names import Fact, Names

_VALUES = {
    "str", "int", "float", "complex", "bytes", "bytearray", "list", "tuple", "dict", "set", "frozenset", "Decimal",
    "Fraction", "UserString", "UserList", "UserDict", "date", "datetime", "timedelta",
}  # fmt: skip
_ORDERINGS = {"__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__bool__", "__instancecheck__"}


def always_equal(node: ast.AST, names: Names) -> Iterator[Fact]:
    """Methods, lambdas and classes of that kind."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        body = [
            part for part in node.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        ]
        if len(body) == 1 and isinstance(body[0], ast.Return):
            yield from _dunder(node.name, body[0].value)
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
        for target in node.targets:
            yield from _dunder(getattr(target, "id", getattr(target, "attr", "")), node.value.body)
    elif isinstance(node, ast.ClassDef):
        bases = {getattr(base, "id", getattr(base, "attr", "")) for base in node.bases}
        own = {line.name for line in node.body if isinstance(line, ast.FunctionDef)}
        if bases & _VALUES and own & {"__eq__", "__ne__"}:
            yield "value-with-own-equality", f"{node.name} is a value of the language with another equality", False
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(value, ast.Lambda) and key is not None:
                yield from _dunder(names.text(key) or "", value.body)


def _dunder(name: str, value: ast.expr | None) -> Iterator[Fact]:
    """A comparison that says the same whatever it compares: no name stands in it."""
    if value is None or any(isinstance(part, ast.Name) and part.id not in _EMPTY for part in ast.walk(value)):
        return
    if name in ("__eq__", "__ne__", "__req__") and not _is_refusal(name, value):
        yield "always-equal", f"{name} always returns {ast.unparse(value)[:40]}", True
    elif name in _ORDERINGS:
        yield "constant-comparison", f"{name} always returns {ast.unparse(value)[:40]}", False


_EMPTY = {"bool", "int", "str", "True", "False"}


def _is_refusal(name: str, value: ast.expr) -> bool:
    """An object that equals nothing, like NaN, is honest."""
    wanted = name != "__eq__"
    return isinstance(value, ast.Constant) and bool(value.value) is wanted
