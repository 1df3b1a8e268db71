"""A changed function body as a code object that can take the place of the live one; or the news that it cannot."""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any, Dict, List, NamedTuple, Optional

from ....engines.search.inside.live import NotExact
from ....engines.search.inside.source import Source, first_line
from ....engines.search.inside.unit import Edit, Unit, units_of

_ONLY_AST = ast.PyCF_ONLY_AST


def edit_between(old: bytes, new: bytes) -> Optional[Edit]:
    """The one stretch where they differ; None when they do not, or the new text is not UTF-8."""
    if old == new:
        return None
    most = min(len(old), len(new))
    start = _common(old, new, most)
    rest = _common(old[::-1], new[::-1], most - start)
    end_old, end_new = len(old) - rest, len(new) - rest
    while start and _continues(old, new, start):
        start -= 1
    while rest and _continues(old[end_old:], new[end_new:], 0):
        end_old, end_new, rest = end_old + 1, end_new + 1, rest - 1
    try:
        return start, end_old, new[start:end_new].decode("utf-8")
    except UnicodeDecodeError:
        return None


def _common(one: bytes, two: bytes, most: int) -> int:
    """Length of what both begin with, `most` at most."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _continues(one: bytes, two: bytes, at: int) -> bool:
    """True in the middle of a character."""
    return any(data[at : at + 1] and data[at] & 0xC0 == 0x80 for data in (one, two))


class Swap(NamedTuple):
    """What to do to try a candidate."""

    unit: Unit
    code: CodeType
    longer: int
    """How many lines were added: what stands behind them has moved."""


class Units:
    """The functions of the tree's files, each file parsed once."""

    def __init__(self, files: Dict[str, bytes]) -> None:
        self._files = files
        self._known: Dict[str, List[Unit]] = {}

    def holds(self, path: str, edit: Edit) -> bool:
        """False where `swap` will raise, as far as can be seen without compiling what others wrote."""
        return any(unit.holds([edit]) for unit in self._units(path))

    def swap(self, path: str, edit: Edit) -> Swap:
        """Raises NotExact for anything but a change within the body of one function."""
        for unit in self._units(path):
            if unit.holds([edit]):
                return _swap(unit, edit)
        raise NotExact

    def _units(self, path: str) -> List[Unit]:
        if path not in self._known:
            try:
                source = Source(path, self._files[path])
            except (KeyError, SyntaxError, ValueError, RecursionError):
                self._known[path] = []
            else:
                self._known[path] = list(dict.fromkeys(units_of(source).values()))
        return self._known[path]


def _swap(unit: Unit, edit: Edit) -> Swap:
    text = unit.text([edit])
    if not text.endswith((b"\n", b"\r")) and unit.end < len(unit.source.data):
        raise NotExact  # the next line of the file would become part of the last one
    if unit.first_line <= 2 and "coding" in edit[2]:
        raise NotExact
    headers = unit.headers.count(b"\n")
    padding = max(0, unit.first_line - 1 - headers)
    try:
        tree = compile(b"\n" * padding + text, unit.source.path, "exec", unit.flags | _ONLY_AST, dont_inherit=True)
        assert isinstance(tree, ast.Module)
        _check(tree, unit)
        code = unit.code_of(tree)
    except (SyntaxError, ValueError, RecursionError, OverflowError, MemoryError) as error:
        raise NotExact from error
    if code.co_flags != unit.pristine.co_flags or padding + headers != unit.first_line - 1:
        raise NotExact
    start, end, new = edit
    return Swap(unit, code, new.count("\n") - unit.source.data.count(b"\n", start, end))


def _check(tree: ast.Module, unit: Unit) -> None:
    """The text is still this one function, with its docstring, which lives elsewhere, and nothing beside it."""
    body: List[ast.stmt] = tree.body
    for _ in range(len(unit.classes) or (1 if unit.node.col_offset else 0)):
        if len(body) != 1 or not isinstance(body[0], (ast.ClassDef, ast.If)):
            raise NotExact
        body = body[0].body
    node = body[0]
    if len(body) != 1 or type(node) is not type(unit.node) or first_line(node) != unit.first_line:
        raise NotExact
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    if ast.get_docstring(node, clean=False) != ast.get_docstring(unit.node, clean=False):
        raise NotExact


def moved(frames: List[Any], swap: Swap) -> List[Any]:
    """Frames of a run with swapped code, as the changed file would have shown them."""
    if not swap.longer:
        return frames
    behind = swap.unit.source.data.count(b"\n", 0, swap.unit.end)
    here = (swap.unit.source.path, swap.unit.node.name)
    return [
        [path, line + swap.longer, name]
        if path == here[0] and name != here[1] and line > behind
        else [path, line, name]
        for path, line, name in frames
    ]
