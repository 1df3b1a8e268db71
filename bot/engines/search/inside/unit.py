"""The smallest piece of a file that compiles alone to a live function's code: an outermost function or method."""

from __future__ import annotations
import __future__

import ast
import functools
from types import CodeType
from typing import Dict, List, Optional, Sequence, Tuple

from .source import Function, FunctionNode, Source, first_line

Edit = Tuple[int, int, str]
"""Bytes from start to end of a file, and the text that takes their place."""


class Unit:
    """One outermost function. `compiled(edits)` is its code as the import would have made it."""

    def __init__(self, source: Source, node: Function) -> None:
        self.source = source
        self.node = node
        self.start, self.end = source.lines_of(node)
        self.body_start = _body_start(source, node)
        self.first_line = first_line(node)
        self.classes = [a.name for a in source.ancestors(node) if isinstance(a, ast.ClassDef)][::-1]
        self.headers = _headers(self.classes, node)
        self.flags = future_flags(source)

    @property
    def key(self) -> Tuple[str, int, str]:
        return self.source.path, self.first_line, self.node.name

    @functools.cached_property
    def pristine(self) -> CodeType:
        return self.compiled(())

    def holds(self, edits: Sequence[Edit]) -> bool:
        """True when the edits stay in the function's body: its header runs only at import."""
        return all(self.body_start <= start and end <= self.end for start, end, _text in edits)

    def compiled(self, edits: Sequence[Edit]) -> CodeType:
        """Code of the function with the edits made. Raises SyntaxError or ValueError."""
        return self.code_of(self.text(edits))

    def text(self, edits: Sequence[Edit]) -> bytes:
        """The function alone, with the edits made, in as many class headers as it needs."""
        return self.headers + spliced(self.source.data, edits, self.start, self.end)

    def code_of(self, text: "bytes | ast.Module") -> CodeType:
        """Code of the function in such a text or its tree. Raises SyntaxError or ValueError."""
        code: CodeType = compile(text, self.source.path, "exec", flags=self.flags, dont_inherit=True)
        for name in [*self.classes, self.node.name]:
            code = _inner(code, name)
        return code


def _inner(code: CodeType, name: str) -> CodeType:
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and constant.co_name == name:
            return constant
    raise ValueError("no code named " + name)


def spliced(data: bytes, edits: Sequence[Edit], start: int = 0, end: Optional[int] = None) -> bytes:
    """Bytes from start to end with the edits made; edits do not overlap."""
    end = len(data) if end is None else end
    pieces: List[bytes] = []
    at = start
    for first, last, text in sorted(edits):
        if first < at or last > end:
            raise ValueError("edits overlap or leave their range")
        pieces += [data[at:first], text.encode("utf-8")]
        at = last
    return b"".join([*pieces, data[at:end]])


def _headers(classes: List[str], node: Function) -> bytes:
    """Class lines around a method, so that private names are mangled and `super()` finds its cell."""
    if not classes and node.col_offset:
        return b"if 1:\n"
    return b"".join(b" " * depth + b"class %s:\n" % name.encode() for depth, name in enumerate(classes))


def _body_start(source: Source, node: Function) -> int:
    first = node.body[0]
    line = first_line(first)
    return source.line_start(line) if not source.indent(first).strip() else source.span(first)[0]


def future_flags(source: Source) -> int:
    flags = 0
    for statement in source.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            for alias in statement.names:
                flags |= getattr(__future__, alias.name).compiler_flag
    return flags


def units_of(source: Source) -> Dict[Function, Unit]:
    """Every function of the file -> the unit of its outermost function."""
    found: Dict[Function, Unit] = {}

    def visit(node: ast.AST, unit: Optional[Unit]) -> None:
        for child in ast.iter_child_nodes(node):
            mine = unit
            if isinstance(child, FunctionNode):
                if mine is None:
                    mine = Unit(source, child)
                found[child] = mine
            visit(child, mine)

    visit(source.tree, None)
    return found
