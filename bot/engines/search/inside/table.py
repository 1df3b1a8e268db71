"""A value that a module or a class gets when it is imported: a table, a pattern, a limit.

The fast path gives the name another value in the living process. That is not the whole truth, as other modules may
have made something of the old value: the slow path has all these candidates too, and proves the best of what passes.
"""

from __future__ import annotations

import ast
import functools
from types import CodeType
from typing import FrozenSet, List, Optional, Sequence, Set, Tuple, Union

from .source import Source
from .unit import Edit, Unit, future_flags, spliced


class Table:
    """`NAME = value` outside of functions. `compiled(edits)` is the code that works the value out."""

    def __init__(self, source: Source, node: "ast.Assign | ast.AnnAssign", name: str, value: ast.expr) -> None:
        self.source = source
        self.node = node
        self.name = name
        self.start, self.end = source.span(value)
        self.first_line = node.lineno
        self.classes: List[str] = [a.name for a in source.ancestors(node) if isinstance(a, ast.ClassDef)][::-1]

    @property
    def key(self) -> Tuple[str, int, str]:
        return self.source.path, self.first_line, self.name

    @functools.cached_property
    def pristine(self) -> CodeType:
        return self.compiled(())

    def holds(self, edits: Sequence[Edit]) -> bool:
        return all(self.start <= start and end <= self.end for start, end, _text in edits)

    def compiled(self, edits: Sequence[Edit]) -> CodeType:
        """Raises SyntaxError or ValueError."""
        text = b"(" + spliced(self.source.data, edits, self.start, self.end) + b"\n)"
        code: CodeType = compile(text, self.source.path, "eval", future_flags(self.source), dont_inherit=True)
        return code


Swappable = Union[Unit, Table]
"""What the fast path can exchange in a living process."""


def table_of(source: Source, stmt: ast.stmt) -> Optional[Table]:
    """The statement as a table, where it is one, and where its file makes nothing of it at import."""
    if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], ast.Name):
        name, value = stmt.targets[0].id, stmt.value
    elif isinstance(stmt, ast.AnnAssign) and isinstance(stmt.target, ast.Name) and stmt.value is not None:
        name, value = stmt.target.id, stmt.value
    else:
        return None
    return None if name in _read_at_import(source) else Table(source, stmt, name, value)


@functools.lru_cache(maxsize=100)
def _read_at_import(source: Source) -> FrozenSet[str]:
    """Names that code outside of functions reads: decorators, defaults and class bodies too."""
    found: Set[str] = set()
    waiting: List[ast.AST] = [source.tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        inside = node.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else []
        later = inside if isinstance(inside, list) else [inside]
        waiting += [child for child in ast.iter_child_nodes(node) if child not in later]
    return frozenset(found)
