"""Tests that the file asks somewhere, taken apart at `and`, `or` and `not`: what one condition lacks, another has."""

from __future__ import annotations

import ast
import builtins
import functools
from typing import Dict, FrozenSet, Iterator, List, NamedTuple, Tuple

from ..site import Site
from ..source import Source, walked

LONGEST = 60
MOST_ATOMS = 24
_BUILTINS = frozenset(dir(builtins))


class Atom(NamedTuple):
    """One test: its text, the names that it reads, and the line where it stands."""

    text: str
    names: FrozenSet[str]
    line: int


def parts_of(test: ast.expr) -> Iterator[ast.expr]:
    """The smallest tests that a condition is made of, each without its `not`."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from parts_of(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from parts_of(test.operand)
    else:
        yield test


def _conditions(tree: ast.AST) -> Iterator[ast.expr]:
    for node in walked(tree):
        if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            yield node.test
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
        elif isinstance(node, ast.BoolOp):
            yield node


@functools.lru_cache(maxsize=100)
def atoms(source: Source) -> Tuple[Atom, ...]:
    """All of a file, each once at each line."""
    found: Dict[Tuple[str, int], Atom] = {}
    for condition in _conditions(source.tree):
        for part in parts_of(condition):
            text = source.text(part)
            if isinstance(part, ast.Constant) or len(text) > LONGEST or "\n" in text:
                continue
            names = frozenset(node.id for node in walked(part) if isinstance(node, ast.Name))
            found.setdefault((text, part.lineno), Atom(text, names, part.lineno))
    return tuple(found.values())


def at_hand(site: Site) -> List[Tuple[float, str]]:
    """Tests of the file that the statement could ask too, with what they cost: those of its function first."""
    function = site.function
    known = set(site.scope) | _BUILTINS | {"self", "cls"}
    ranked: Dict[str, float] = {}
    for atom in atoms(site.source):
        if not atom.names <= known or not atom.names - _BUILTINS:
            continue
        own = function is not None and function.lineno <= atom.line <= (function.end_lineno or 0)
        cost = 0.0 if own else 0.4
        cost += 0.01 * min(40, abs(atom.line - site.first))
        ranked[atom.text] = min(cost, ranked.get(atom.text, 9.0))
    return sorted((cost, text) for text, cost in ranked.items())[:MOST_ATOMS]
