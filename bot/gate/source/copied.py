"""Whether a patch holds constants of the failing tests, and whether it only adds entries to a table."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from bot import syntax
from bot.gate.baseline import file_of
from bot.gate.layer import Case

_TRIVIAL: tuple[object, ...] = (0, 1, -1, True, False, None, "", b"", ...)
_TABLES = (ast.Dict, ast.List, ast.Set, ast.Tuple)


def copied_constants(case: Case) -> list[str]:
    """New constants that stand in the files of the failing tests: two of them, or one that says much."""
    tests = {file_of(target) for target in case.before.target_ids} & set(case.tree)
    expected = {text for path in tests for text in _constants(_parsed(case.tree[path].data))}
    fresh: Counter[str] = Counter()
    for path, data in case.patch.files.items():
        if data is not None and path.endswith(".py"):
            old = case.tree[path].data if path in case.tree else b""
            fresh += Counter(_constants(_parsed(data))) - Counter(_constants(_parsed(old)))
    found = sorted(text for text in fresh if text in expected)
    return found if len(found) > 1 or any(len(text) > 3 for text in found) else []


def _parsed(data: bytes) -> ast.AST:
    try:
        return syntax.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


def _constants(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value not in _TRIVIAL:
            yield repr(node.value)


def extends_a_table(case: Case) -> bool:
    """True when all that changes are the entries of tables that were there, or branches beside like branches."""
    return all(
        path in case.tree and data is not None and _shape(case.tree[path].data) == _shape(data)
        for path, data in case.patch.files.items()
    )


def _shape(data: bytes) -> str:
    """The code without the entries of its tables, and with like branches of a chain counted once."""
    return ast.dump(_Emptied().visit(_parsed(data)))


class _Emptied(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, _TABLES) and _is_literal(node) and not isinstance(getattr(node, "ctx", None), ast.Store):
            entries = node.keys if isinstance(node, ast.Dict) else node.elts
            return ast.Constant("a table") if len(entries) > 1 else node
        visited = self.generic_visit(node)
        if isinstance(visited, ast.If) and _asks_for_a_constant(visited):
            return self._chain(visited)
        return visited

    def _chain(self, node: ast.If) -> ast.AST:
        """`elif x == "b": return 2` after `if x == "a": return 1` says nothing new."""
        after = node.orelse
        if len(after) == 1 and isinstance(after[0], ast.If) and _alike(node) == _alike(after[0]):
            node.orelse = after[0].orelse
        return node


def _is_literal(node: ast.AST) -> bool:
    plain = (
        ast.Constant,
        ast.Dict,
        ast.List,
        ast.Set,
        ast.Tuple,
        ast.UnaryOp,
        ast.USub,
        ast.Load,
        ast.Name,
        ast.Attribute,
    )
    return all(isinstance(inner, plain) for inner in ast.walk(node))


def _asks_for_a_constant(node: ast.If) -> bool:
    test = node.test
    return isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Constant | ast.Name)


def _alike(node: ast.If) -> str:
    """The branch with its constants taken out."""
    copy = syntax.parse(ast.unparse(ast.Module([ast.If(node.test, node.body, [])], [])))
    for inner in ast.walk(copy):
        if isinstance(inner, ast.Constant):
            inner.value = type(inner.value).__name__
    return ast.dump(copy)
