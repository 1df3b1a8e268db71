"""Evaluates the plain expressions of a test on our side: literals, and what the standard library makes of them."""

from __future__ import annotations

import ast
import collections
import datetime
import decimal
import fractions
import math
import operator
import pathlib
import uuid
from collections.abc import Callable, Mapping
from typing import Any

MAX_SIZE = 100_000
MAX_BITS = 10_000


class Unknown(Exception):
    """An expression whose value cannot be known without running the project."""


_CONSTRUCTORS: dict[str, Callable[..., Any]] = {
    "collections:deque": collections.deque,
    "datetime:date": datetime.date,
    "datetime:datetime": datetime.datetime,
    "datetime:time": datetime.time,
    "datetime:timedelta": datetime.timedelta,
    "datetime:timezone": datetime.timezone,
    "decimal:Decimal": decimal.Decimal,
    "fractions:Fraction": fractions.Fraction,
    "uuid:UUID": uuid.UUID,
    "pathlib:Path": pathlib.PurePosixPath,
    "pathlib:PosixPath": pathlib.PurePosixPath,
    "pathlib:PurePath": pathlib.PurePosixPath,
    "pathlib:PurePosixPath": pathlib.PurePosixPath,
}
_BUILTINS: dict[str, Callable[..., Any]] = {
    "set": set, "frozenset": frozenset, "list": list, "tuple": tuple, "dict": dict, "range": range, "slice": slice,
    "float": float, "int": int, "bool": bool, "str": str, "bytes": bytes, "complex": complex, "len": len, "abs": abs,
    "sorted": sorted, "sum": sum, "min": min, "max": max,
}  # fmt: skip
_ATTRIBUTES = {
    "math:pi": math.pi, "math:e": math.e, "math:inf": math.inf, "math:nan": math.nan, "math:tau": math.tau,
    "datetime:timezone.utc": datetime.UTC, "datetime:UTC": datetime.UTC,
}  # fmt: skip
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_, ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos, ast.USub: operator.neg, ast.Not: operator.not_, ast.Invert: operator.invert,
}  # fmt: skip

Aliases = Mapping[str, str]
"""Local name -> `module:name` or `module:`, of what a test imports from the standard library."""


def resolve(name: str) -> Any:
    """Constructors that a description from a box may name. Raises Unknown for all others."""
    if name in _CONSTRUCTORS:
        return _CONSTRUCTORS[name]
    if name in ("builtins:range", "builtins:slice"):
        return _BUILTINS[name.partition(":")[2]]
    raise Unknown(name)


def evaluate(node: ast.expr, names: Mapping[str, object], aliases: Aliases) -> Any:
    """The value. Raises Unknown."""
    try:
        return _Evaluator(names, aliases).value(node)
    except Unknown:
        raise
    except (
        ArithmeticError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        RecursionError,
        MemoryError,
    ) as error:
        raise Unknown(str(error)) from error


class _Evaluator:
    def __init__(self, names: Mapping[str, object], aliases: Aliases) -> None:
        self.names = names
        self.aliases = aliases

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.List() | ast.Tuple() | ast.Set():
                kind = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
                return kind(self._items(node.elts))
            case ast.Dict(keys=keys, values=values) if None not in keys:
                return {self.value(key): self.value(item) for key, item in zip(keys, values, strict=True) if key}
            case ast.Call():
                return self._call(node)
            case ast.Attribute():
                return self._attribute(node)
        return self._operation(node)

    def _operation(self, node: ast.expr) -> Any:
        match node:
            case ast.UnaryOp(op=op, operand=operand):
                return _UNARY[type(op)](self.value(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self.value(left), self.value(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARED:
                return _COMPARED[type(op)](self.value(left), self.value(right))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.value(body if self.value(test) else orelse)
            case ast.Subscript(value=value, slice=index):
                return self.value(value)[self.value(index)]
        raise Unknown(type(node).__name__)

    def _items(self, nodes: list[ast.expr]) -> list[Any]:
        items: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                items += self.value(node.value)
            else:
                items.append(self.value(node))
        return items

    def _binary(self, op: ast.operator, left: Any, right: Any) -> Any:
        """With its size known before it is made: a test could multiply a text a billion times."""
        sizes = [_size(left), _size(right)]
        if isinstance(op, ast.Mult | ast.Pow | ast.LShift):
            factor = right if isinstance(right, int) else left if isinstance(left, int) else 1
            sized = not isinstance(left, int | float) or not isinstance(right, int | float)
            if isinstance(op, ast.Mult) and sized and max(sizes) * max(abs(factor), 1) > MAX_SIZE:
                raise Unknown("too large")
            if not isinstance(op, ast.Mult):
                _refuse_large_power(left, right)
        if isinstance(op, ast.Mod) and isinstance(left, str | bytes):
            raise Unknown("formatted text")
        return _BINARY[type(op)](left, right)

    def _call(self, node: ast.Call) -> Any:
        function = self._function(node.func)
        if any(word.arg is None for word in node.keywords):
            raise Unknown("**")
        arguments = self._items(node.args)
        if function in (bytes, range, str) and any(isinstance(a, int) and abs(a) > MAX_SIZE for a in arguments):
            raise Unknown("too large")
        return function(*arguments, **{str(word.arg): self.value(word.value) for word in node.keywords})

    def _function(self, node: ast.expr) -> Callable[..., Any]:
        name = dotted(node, self.aliases)
        if name in _CONSTRUCTORS:
            return _CONSTRUCTORS[name]
        if isinstance(node, ast.Name) and node.id not in self.aliases and node.id in _BUILTINS:
            return _BUILTINS[node.id]
        raise Unknown("a call")

    def _attribute(self, node: ast.Attribute) -> Any:
        name = dotted(node, self.aliases)
        if name not in _ATTRIBUTES:
            raise Unknown(node.attr)
        return _ATTRIBUTES[name]


def _refuse_large_power(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() * abs(right) > MAX_BITS:
        raise Unknown("too large")
    if not isinstance(left, int | float) or not isinstance(right, int | float) or abs(right) > MAX_BITS:
        raise Unknown("too large")


def _size(value: object) -> int:
    return len(value) if isinstance(value, str | bytes | list | tuple | dict | set) else 1


def dotted(node: ast.expr, aliases: Aliases) -> str:
    """`module:name.name` of an imported thing; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in aliases:
        return ""
    start = aliases[node.id]
    return start + ".".join(parts) if start.endswith(":") else ".".join([start, *parts])


def aliases_of(module: ast.Module) -> dict[str, str]:
    """What a module imports, by local name."""
    names: dict[str, str] = {}
    for node in module.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname or "." not in alias.name:
                    names[alias.asname or alias.name] = f"{alias.name}:"
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names |= {alias.asname or alias.name: f"{node.module}:{alias.name}" for alias in node.names}
    return names
