"""Values that were bound by a method of an object, and are given to another method of the same object now."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from bot.gate.source.paths import functions, parse
from sandbox import Files

Side = tuple[str, ast.Module, ast.Module]
"""The path of a file, and what stands in it before and after a patch."""


def is_bound_otherwise(name: str, sides: Sequence[Side], tree: Files) -> bool:
    """Whether `name` does nothing but bind what it is given, and the dropped calls give that to their object anyway.

    `scope.assign(key, value)` for each item is `scope.open(**items)`. What is written to a journal is not bound.
    """
    dropped = [call for _, old, new in sides for call in _dropped(name, old, new)]
    fresh = [call for _, old, new in sides for call in _fresh(old, new)]
    return (
        bool(dropped) and _only_binds(name, tree) and all(_is_given(one, origins, fresh) for one, origins in dropped)
    )


def _only_binds(name: str, tree: Files) -> bool:
    """Whether every function of this name in the project is one or more plain assignments to what `self` holds."""
    sources = (parse(file.data) for path, file in tree.items() if path.endswith(".py") and name.encode() in file.data)
    found = [node for module in sources if module for full, node in functions(module) if full.split(".")[-1] == name]
    return bool(found) and all(_binds(node) for node in found)


def _binds(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    lines = [line for line in function.body if not _is_prose(line)]
    return bool(lines) and all(
        isinstance(line, ast.Assign)
        and all(isinstance(target, ast.Attribute | ast.Subscript) for target in line.targets)
        and not any(isinstance(part, ast.Call) for part in ast.walk(line))
        for line in lines
    )


def _is_prose(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def _calls(module: ast.Module) -> Iterator[tuple[ast.Call, ast.AST]]:
    for _, function in functions(module):
        yield from ((node, function) for node in ast.walk(function) if isinstance(node, ast.Call))


def _dropped(name: str, old: ast.Module, new: ast.Module) -> Iterator[tuple[ast.Call, set[str]]]:
    """Calls of a method that are there no more, each with the names that what it is given comes from."""
    left = {ast.dump(call) for call, _ in _calls(new)}
    for call, function in _calls(old):
        if isinstance(call.func, ast.Attribute) and call.func.attr == name and ast.dump(call) not in left:
            yield call, _origins(call, function)


def _fresh(old: ast.Module, new: ast.Module) -> list[ast.Call]:
    known = {ast.dump(call) for call, _ in _calls(old)}
    return [call for call, _ in _calls(new) if ast.dump(call) not in known]


def _origins(call: ast.Call, function: ast.AST) -> set[str]:
    """Names in the arguments of a call, and in what a loop around it goes through where it binds one of these."""
    names = {name for argument in _given(call) for name in _names(argument)}
    for node in ast.walk(function):
        if isinstance(node, ast.For) and _names(node.target) & names and any(part is call for part in ast.walk(node)):
            names |= _names(node.iter)
    return names


def _is_given(call: ast.Call, origins: set[str], fresh: Sequence[ast.Call]) -> bool:
    owner = ast.dump(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    return any(
        isinstance(other.func, ast.Attribute)
        and ast.dump(other.func.value) == owner
        and any(_names(argument) & origins for argument in _given(other))
        for other in fresh
    )


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(word.value for word in call.keywords)]


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - {"self"}
