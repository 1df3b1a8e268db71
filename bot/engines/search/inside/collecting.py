"""Places of a failure at collection: broken files, what ran while importing, modules that the failure names."""

from __future__ import annotations

import ast
from typing import Callable, Dict, Iterator, List, Optional, Set

from .broken import broken_places
from .hints import Hints
from .places import Place
from .site import Site
from .source import Source, walked
from .unit import units_of

NAMED = (
    r"cannot import name '\w+' from (?:partially initialized module )?'([\w.]+)'",
    r"module '([\w.]+)' has no attribute",
)
FRAMED, NEAR, MENTIONED = 1.0, 0.4, 0.6
"""Weights: the very line of a frame, the function round it, a module that only the message names."""


def failing_places(
    files: Dict[str, bytes], source_of: Callable[[str], Optional[Source]], hints: Hints, collected: bool
) -> List[Place]:
    """What only an import can try, beside the statements at module level of the files in the traceback."""
    places = broken_places(files, hints)
    if collected:
        return places
    lines: Dict[str, Set[int]] = {}
    for path, line, _weight in hints.frames():
        lines.setdefault(path, set()).add(line)
    for path in files:
        source = source_of(path) if path in lines else None
        if source is not None:
            places += _running(source, hints, lines[path])
    for path in _mentioned(hints):
        source = source_of(path)
        if source is not None:
            places += _module(source, hints)
    return places


def _mentioned(hints: Hints) -> List[str]:
    names = [name for pattern in NAMED for name in hints.found(pattern)]
    return list(dict.fromkeys(hints.modules[name] for name in names if name in hints.modules))


def _running(source: Source, hints: Hints, lines: Set[int]) -> Iterator[Place]:
    """Statements that a frame stands on, and the other ones of their functions."""
    units = units_of(source)
    for node in walked(source.tree):
        if not isinstance(node, ast.stmt):
            continue
        site = Site(source, node, None, hints)
        around = site.function
        if any(site.first <= line <= site.last for line in lines):
            yield Place(site, FRAMED)
        elif around is not None and any(around.lineno <= line <= (around.end_lineno or 0) for line in lines):
            site.unit = units.get(around)
            yield Place(site, NEAR)


def _module(source: Source, hints: Hints) -> Iterator[Place]:
    """The module's own statements, and the module as a whole: a statement that stands nowhere."""
    for statement in source.tree.body:
        yield Place(Site(source, statement, None, hints), MENTIONED)
    yield Place(Site(source, ast.Pass(lineno=1, col_offset=0), None, hints), MENTIONED)
