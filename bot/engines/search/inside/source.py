"""One Python file of the tree: its bytes, its syntax tree, and where in the bytes every node stands."""

from __future__ import annotations

import ast
import functools
import re
import sys
from typing import Dict, Iterator, List, Optional, Sequence, Tuple, TypeVar, Union

A = TypeVar("A")
B = TypeVar("B")

FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]

EXACT_FSTRINGS = sys.version_info >= (3, 12)
"""Before 3.12 the nodes inside an f-string carry offsets that point elsewhere."""

_BREAK = re.compile(rb"\r\n|\r|\n")
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


class Source:
    """A parsed file. Offsets are bytes into `data`. Raises SyntaxError, ValueError or UnicodeDecodeError."""

    def __init__(self, path: str, data: bytes) -> None:
        refuse_other_encodings(data)
        self.path = path
        self.data = data
        self.tree = _plain_slices(ast.parse(data))
        self.bom = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        self.starts = [0] + [match.end() for match in _BREAK.finditer(data)]
        self.newline = newline_of(data)
        self.parents: Dict[ast.AST, ast.AST] = {}
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                # Contexts such as Load are one shared object: their parent means nothing.
                if not isinstance(child, (ast.expr_context, ast.operator, ast.cmpop, ast.unaryop)):
                    self.parents[child] = node

    def offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column + (self.bom if line == 1 else 0)

    def span(self, node: ast.AST) -> Tuple[int, int]:
        """Bytes from `start` up to `end` of an expression or statement (decorators left out)."""
        start = self.offset(getattr(node, "lineno"), getattr(node, "col_offset"))  # noqa: B009
        return start, self.offset(getattr(node, "end_lineno"), getattr(node, "end_col_offset"))  # noqa: B009

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.data[start:end].decode("utf-8")

    def line_start(self, line: int) -> int:
        return self.starts[line - 1]

    def line_end(self, line: int) -> int:
        """Offset behind the last byte of a line, its line break included."""
        return self.starts[line] if line < len(self.starts) else len(self.data)

    def indent(self, node: ast.stmt) -> str:
        """The white space in front of a statement; what stands there when it shares its line."""
        start = self.offset(node.lineno, 0)
        return self.data[start : start + node.col_offset].decode("utf-8")

    def alone(self, node: ast.stmt) -> bool:
        """True when no other statement shares a line with this one, so that whole lines can be edited."""
        end = self.offset(_last_line(node), getattr(node, "end_col_offset", 0) or 0)
        rest = self.data[end : self.line_end(_last_line(node))].strip()
        return not self.indent(node).strip() and (not rest or rest.startswith(b"#"))

    def lines_of(self, node: ast.stmt) -> Tuple[int, int]:
        """Bytes of the whole lines of a statement, decorators and trailing comment included."""
        return self.line_start(first_line(node)), self.line_end(_last_line(node))

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        current = self.parents.get(node)
        while current is not None:
            yield current
            current = self.parents.get(current)

    def gap(self, left: ast.AST, right: ast.AST) -> Tuple[int, str]:
        """What stands between two neighbours, comments blanked, and its offset: an operator and parentheses."""
        start, end = self.span(left)[1], self.span(right)[0]
        raw = self.data[start:end]
        blank = re.sub(rb"#[^\r\n]*", lambda found: b" " * len(found.group()), raw)
        return start, blank.decode("utf-8")


def _plain_slices(tree: ast.Module) -> ast.Module:
    """Python 3.8 wraps an index into a node that stands nowhere; later versions do not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and type(node.slice).__name__ == "Index":
            node.slice = node.slice.value  # type: ignore[attr-defined]
    return tree


def refuse_other_encodings(data: bytes) -> None:
    """Raises ValueError unless the file is UTF-8 and says nothing else of itself."""
    for line in data.split(b"\n", 2)[:2]:
        named = _CODING.match(line)
        if named and named.group(1).lower().replace(b"_", b"-") not in (
            b"utf-8",
            b"utf8",
            b"ascii",
            b"us-ascii",
        ):
            raise ValueError("only UTF-8 sources are edited")
    data.decode("utf-8")


def newline_of(data: bytes) -> str:
    found = _BREAK.search(data)
    return found.group().decode("ascii") if found else "\n"


def _last_line(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def first_line(node: ast.stmt) -> int:
    """The line where a statement starts, counting its decorators."""
    decorators: List[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno] + [decorator.lineno for decorator in decorators])


def is_docstring(source: Source, node: ast.AST) -> bool:
    """True for a string that stands as a statement."""
    return isinstance(source.parents.get(node), ast.Expr)


def enclosing_function(source: Source, node: ast.AST) -> Optional[Function]:
    """The innermost function around a node, None at module or class level."""
    for ancestor in source.ancestors(node):
        if isinstance(ancestor, FunctionNode):
            return ancestor
        if isinstance(ancestor, ast.ClassDef):
            return None
    return None


def enclosing_class(source: Source, node: ast.AST) -> Optional[ast.ClassDef]:
    """The class whose method or body a node belongs to."""
    return next((a for a in source.ancestors(node) if isinstance(a, ast.ClassDef)), None)


@functools.lru_cache(maxsize=20_000)
def walked(node: ast.AST) -> Tuple[ast.AST, ...]:
    """`ast.walk` of a tree that nobody changes, as ours are; walked once."""
    return tuple(ast.walk(node))


def blocks(node: ast.AST) -> Iterator[List[ast.stmt]]:
    """The statement lists of a node: body, orelse, finalbody, handlers' and cases' bodies."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block
    for name in ("handlers", "cases"):
        for child in getattr(node, name, None) or []:
            yield child.body


def paired(one: Sequence[A], two: Sequence[B]) -> Iterator[Tuple[A, B]]:
    """`zip`, as far as the shorter of the two goes."""
    return zip(one, two)  # noqa: B905  Python 3.8 knows no `strict`


def neighbours(things: Sequence[A]) -> Iterator[Tuple[A, A]]:
    return paired(things, things[1:])


_QUOTED = re.compile(r"(?<!\w)(?:'[^'\n]{1,20}'|\"[^\"\n]{1,20}\")(?!\w)")


def quoted(function: ast.AST) -> List[str]:
    """Short texts that the description of a function has in quotes."""
    text = ast.get_docstring(function) if isinstance(function, FunctionNode) else None
    return list(dict.fromkeys(_QUOTED.findall(text or "")))
