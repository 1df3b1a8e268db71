"""Which functions of the project lie on the way of a test, and where they stand in a source text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from bot import syntax
from bot.gate.baseline import Baseline
from bot.gate.layer import Called, Trace
from bot.gate.protected import why_protected
from sandbox import Files

Function = ast.FunctionDef | ast.AsyncFunctionDef

# pytest calls these itself to describe a failing comparison: they say nothing about the way of the test.
_DESCRIBING = {"__repr__", "__str__", "__format__", "__hash__", "__del__", "__len__", "__iter__"}


@dataclass(frozen=True)
class Place:
    """A function by file and qualified name, which a patch elsewhere in the file does not move."""

    path: str
    name: str


def parse(data: bytes) -> ast.Module | None:
    """The syntax tree, or None for what Python does not take."""
    try:
        return syntax.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def called(call: ast.Call) -> str:
    """The last name of what is called; empty where it has none."""
    return getattr(call.func, "attr", "") or getattr(call.func, "id", "")


def functions(tree: ast.Module | None) -> Iterator[tuple[str, Function]]:
    """Every function with its qualified name; nested ones too. The last of two equal names wins in a dict."""
    queue: list[tuple[str, ast.AST]] = [("", tree)] if tree else []
    while queue:
        prefix, node = queue.pop()
        for child in ast.iter_child_nodes(node):
            name = getattr(child, "name", "")
            if isinstance(child, Function):
                yield f"{prefix}{name}", child
            named = isinstance(child, (*Function.__args__, ast.ClassDef))
            queue.append((f"{prefix}{name}." if named else prefix, child))


def first_line(function: Function) -> int:
    """As a code object counts it: the first decorator, where there is one."""
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


def is_test_side(path: str, before: Baseline) -> bool:
    """True for files of tests and what steers them; also for no file, which means called by pytest itself."""
    return not path or path in before.test_files or why_protected(path) is not None


class Ways:
    """The product functions that each test calls in one tree."""

    def __init__(self, trace: Trace, tree: Files, before: Baseline) -> None:
        self._trace, self._tree, self._before = trace, tree, before
        self._maps: dict[str, dict[tuple[str, int], str]] = {}

    def all(self, test: str) -> list[Place]:
        """In the order of their first call."""
        return [place for place, _ in self._product(test)]

    def entries(self, test: str) -> list[Place]:
        """Those that the test's own side called: nothing of the product stands between.

        What pytest itself called (hooks of the project, code of doctests) counts only where there is nothing else.
        """
        known = self._product(test)
        found = [(place, called) for place, called in known if is_test_side(called.caller, self._before)]
        return [place for place, called in found if called.caller] or [place for place, _ in found]

    def _product(self, test: str) -> list[tuple[Place, Called]]:
        found: dict[Place, Called] = {}
        for called in self._trace.get(test, ()):
            name = self._name(called)
            if name and called.name not in _DESCRIBING and not is_test_side(called.path, self._before):
                found.setdefault(Place(called.path, name), called)
        return list(found.items())

    def _name(self, called: Called) -> str:
        if called.path not in self._maps:
            data = self._tree[called.path].data if called.path in self._tree else b""
            self._maps[called.path] = {(node.name, first_line(node)): name for name, node in functions(parse(data))}
        return self._maps[called.path].get((called.name, called.line), "")


def touched(before: bytes, after: bytes) -> set[str]:
    """Qualified names of the functions in `after` that are new or read differently, without those around them."""
    old = {name: _own(node) for name, node in functions(parse(before))}
    new = {name: _own(node) for name, node in functions(parse(after))}
    return {name for name, text in new.items() if old.get(name) != text}


def _own(function: Function) -> str:
    """The function's text without the bodies of functions inside it."""
    inner = {id(child) for _, child in functions(ast.Module([function], [])) if child is not function}
    kept = [ast.dump(part) for part in function.body if id(part) not in inner]
    return "\n".join([ast.dump(function.args), *map(ast.dump, function.decorator_list), *kept])
