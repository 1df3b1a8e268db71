"""Python's own parser, one text at a time."""

from __future__ import annotations

import ast
import threading

_ONE_AT_A_TIME = threading.Lock()
"""Python 3.11 counts the depth of trees for all threads together: two that parse at once may end with a SystemError
("AST constructor recursion depth mismatch", python/cpython#106905)."""


def parse(source: str | bytes) -> ast.Module:
    """The syntax tree of a module. What `ast.parse` raises: SyntaxError, ValueError, RecursionError, MemoryError."""
    with _ONE_AT_A_TIME:
        return ast.parse(source)


def expression(source: str) -> ast.expr:
    """The syntax tree of one expression; raises the same."""
    with _ONE_AT_A_TIME:
        return ast.parse(source, mode="eval").body
