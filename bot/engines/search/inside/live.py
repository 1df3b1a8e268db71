"""Live functions and their code: found once through the garbage collector, exchanged for a candidate's code."""

from __future__ import annotations

import functools
import gc
from types import CodeType, FrameType, FunctionType
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Tuple

from .kinds import Raw
from .source import paired
from .trace import Paths
from .unit import Unit

Key = Tuple[str, int, str]


Undo = List[Callable[[], None]]
"""How to put back what was exchanged, the last one first."""


class NotExact(Exception):
    """Swapping code cannot show what this candidate does; the slow path can."""


class Live:
    """All functions of the tree by (path, first line, name), and the caches that would remember old results."""

    def __init__(self, paths: Paths) -> None:
        self._functions: Dict[Key, List[FunctionType]] = {}
        self._caches: List[Any] = []
        for thing in gc.get_objects():
            if type(thing) is FunctionType:
                self._note(thing, paths)
            elif type(thing) is functools._lru_cache_wrapper and _in_tree(thing, paths):
                self._caches.append(thing)

    def _note(self, function: FunctionType, paths: Paths) -> None:
        code = function.__code__
        path = paths.of(code.co_filename)
        if path is not None:
            self._functions.setdefault((path, code.co_firstlineno, code.co_name), []).append(function)

    def called(self, key: Key, frame: FrameType) -> Optional[FunctionType]:
        """The function of this place that a frame runs: of several, the one with the frame's cells, if that tells."""
        found = [function for function in self._functions.get(key, ()) if _runs(function, frame)]
        return found[0] if len(found) == 1 else None

    def forget(self) -> None:
        """Empty the caches of the tree's functions: they hold what an earlier candidate computed."""
        for cache in self._caches:
            cache.cache_clear()

    def swapped(self, unit: Unit, new: CodeType) -> Undo:
        """Put the new code into the live functions; returns what was there. Raises NotExact."""
        undo: Undo = []
        shift = unit.first_line - unit.pristine.co_firstlineno
        found = False
        done: Set[Key] = set()
        for old_code, new_code in _pairs(unit.pristine, new):
            key = (unit.source.path, old_code.co_firstlineno + shift, old_code.co_name)
            for function in self._functions.get(key, ()):
                found = True
                # Two lambdas of one line cannot be told apart.
                if key in done or function.__code__.co_freevars != new_code.co_freevars:
                    restore(undo)
                    raise NotExact
                undo.append(functools.partial(setattr, function, "__code__", function.__code__))
                at = function.__code__
                function.__code__ = new_code.replace(co_filename=at.co_filename, co_firstlineno=at.co_firstlineno)
            done.add(key)
        if not found:
            raise NotExact
        return undo


def _runs(function: FunctionType, frame: FrameType) -> bool:
    if not function.__closure__:
        return True
    here = frame.f_locals
    try:
        held = [cell.cell_contents for cell in function.__closure__]
    except ValueError:  # a cell that is still empty
        return False
    return all(here.get(name, here) is value for name, value in paired(function.__code__.co_freevars, held))


def _in_tree(cache: Raw, paths: Paths) -> bool:
    code = getattr(getattr(cache, "__wrapped__", None), "__code__", None)
    return code is not None and paths.of(code.co_filename) is not None


def restore(undo: Undo) -> None:
    for step in reversed(undo):
        step()


def _inner(code: CodeType) -> List[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _pairs(old: CodeType, new: CodeType) -> Iterator[Tuple[CodeType, CodeType]]:
    """Codes that differ, outside in: an inner function lives on its own when it was made before the swap."""
    if signature(old) == signature(new):
        return
    yield old, new
    olds, news = _inner(old), _inner(new)
    if [code.co_name for code in olds] == [code.co_name for code in news]:
        for one, two in paired(olds, news):
            yield from _pairs(one, two)


def signature(code: CodeType) -> Tuple[Any, ...]:
    """What a code object does, its line numbers left out."""
    constants = tuple(
        signature(constant) if isinstance(constant, CodeType) else (type(constant).__name__, repr(constant))
        for constant in code.co_consts
    )
    counts = (code.co_argcount, code.co_kwonlyargcount, code.co_flags)
    return (code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, constants, counts)
