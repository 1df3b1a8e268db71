"""Bounds that a patch brings and that nothing decides: whatever the number, the tests would go the same way.

`12` in `len(text) > 12` is right for tests of eleven and of eighteen letters, and so is `15`: it was chosen to tell
them apart, or to leave all else as it was. A bound that somebody asked for is decided by tests on both sides of it,
or stands in the code or the documents.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.gate.layer import Boxes, Case
from bot.gate.outside import bare, results
from bot.gate.probing.compared import LAYER, Compared
from bot.gate.probing.compared import bare as bare_result
from bot.gate.probing.forks import Taken, leaves, text_of
from bot.gate.source.helpers import helpers
from bot.gate.source.news import changed_modules
from bot.gate.source.origins import Mentions, is_usual, value_of
from bot.gate.source.origins import compared as compared_with
from bot.gate.source.paths import parse
from bot.nouns import Reason
from sandbox import File

MOST, LARGE = 3, 10


@dataclass(frozen=True)
class Bound:
    """A number that a new condition compares with, or that holds on one side of it."""

    path: str
    place: int
    """Which number of its file."""
    value: int | float
    text: str
    asks: frozenset[str]
    """The conditions that it belongs to."""


def undecided(case: Case, boxes: Boxes, compared: Compared, taken: Taken, texts: Sequence[str]) -> Iterator[Reason]:
    """The first bound that may be another one as far as the tests can tell, though red ones come to it."""
    reached = [one for one in _bounds(case) if _is_reached(one, compared, taken, texts)]
    mentioned = Mentions(bare(case.tree, case.before.test_files))
    for bound in [one for one in reached if abs(one.value) not in mentioned][:MOST]:
        # One that everybody knows needs a test on one side of it alone; a small one may be any.
        free = all if bound.value >= LARGE and is_usual(bound.value) else any
        if free(_is_the_same(case, boxes, bound, compared, value) for value in _neighbours(bound.value)):
            detail = f"no test decides the number in `{bound.text}`, and outside the tests it stands nowhere"
            yield Reason(LAYER, "undecided-bound", detail, bound.path, hard=False)
            return


def _bounds(case: Case) -> Iterator[Bound]:
    for path, new, known in changed_modules(case):
        places = {id(node): place for place, node in enumerate(_numbers(new))}
        for node in ast.walk(new):
            if isinstance(node, ast.expr) and ast.dump(node) not in known:
                for one in _chosen(node):
                    value = _value(one)
                    if value is not None and id(one) in places:
                        yield Bound(path, places[id(one)], value, ast.unparse(node)[:80], _asks(node))


def _chosen(node: ast.expr) -> Iterator[ast.AST]:
    """Numbers that a comparison compares with, or that stand in one of two arms."""
    yield from compared_with(node)
    if isinstance(node, ast.IfExp):
        yield from (*_numbers(node.body), *_numbers(node.orelse))


def _asks(node: ast.expr) -> frozenset[str]:
    tests = leaves(node.test) if isinstance(node, ast.IfExp) else [] if isinstance(node, ast.Call) else [node]
    return frozenset(text_of(test) for test in tests)


def _numbers(node: ast.AST) -> Iterator[ast.AST]:
    """Numbers as they are written: `2**32` is one."""
    if _value(node) is not None:
        yield node
        return
    for inner in ast.iter_child_nodes(node):
        yield from _numbers(inner)


def _value(node: ast.AST) -> int | float | None:
    """The number that an expression without names says; None for others, and for those that are of their kind."""
    value = value_of(node)
    return None if value in (0, 1, -1) else value


class _Other(ast.NodeTransformer):
    """Puts another number in the place of one."""

    def __init__(self, node: ast.AST, value: float) -> None:
        self._node, self._value = node, value

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.Constant(self._value) if node is self._node else self.generic_visit(node)


def _is_reached(bound: Bound, compared: Compared, taken: Taken, texts: Sequence[str]) -> bool:
    """Whether failing tests come to its condition; `min` and `max` are none, and whoever calls the function may."""
    if not bound.asks:
        return bool(compared.seen())
    return any(texts[way[0]] in bound.asks for entry in compared.seen() for way in taken.get(id(entry[0]), ()))


def _neighbours(value: float) -> tuple[float, float]:
    return (value - 1, value + 1) if isinstance(value, int) else (value * 0.95, value * 1.05)


def _is_the_same(case: Case, boxes: Boxes, bound: Bound, compared: Compared, value: float) -> bool:
    """Whether all calls of the tests come to the same with another number in its place."""
    seen = [entry for entry in compared.entries() if entry[0].seen]
    module = parse(case.after[bound.path].data)
    assert module is not None
    node = next(node for place, node in enumerate(_numbers(module)) if place == bound.place)
    other = ast.fix_missing_locations(_Other(node, value).visit(module))
    tree = {**case.after, bound.path: File(ast.unparse(other).encode("utf-8", "surrogatepass"))}
    tasks = [{**entry[0].task("call"), "times": 1} for entry in seen]
    found = results(boxes, case, tree, tasks, helpers=helpers(case)) or [None] * len(tasks)
    return all(_came(result) == entry[2][0] for entry, result in zip(seen, found, strict=True))


def _came(result: object) -> object:
    return bare_result(result[0]) if isinstance(result, list) and result else None
