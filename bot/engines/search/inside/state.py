"""What outlives a test inside one process: module globals, class attributes, the environment. Put back each time."""

from __future__ import annotations

import contextlib
import functools
import operator
import os
import random
import sys
from types import CodeType, ModuleType
from typing import Any, Callable, Dict, Iterable, List, Set, Tuple

from .kinds import Item, Raw
from .live import NotExact, Undo, restore
from .table import Table
from .trace import Paths

MOST_ITEMS = 2000
DEEP = 3
"""Containers in containers are followed so far."""


class State:
    """Snapshot of the tree's mutable state. `restore()` costs microseconds where nothing has changed.

    Followed are names of modules and classes, parameters of tests, and lists, dicts, sets and objects of the tree's
    own classes that these hold. What else leaks, the drift check notices.
    """

    def __init__(self, paths: Paths, items: Iterable[Item] = ()) -> None:
        self._spaces: List[Tuple[Any, Dict[str, Any]]] = []
        self._containers: List[Tuple[Any, Any]] = []
        self._environment = dict(os.environ)
        self._random = random.getstate()
        self._seen: Set[int] = set()
        modules = [module for module in list(sys.modules.values()) if _is_of_tree(module, paths)]
        self._ours = {module.__name__ for module in modules}
        for module in modules:
            self._note_space(module)
            for thing in list(vars(module).values()):
                if isinstance(thing, type) and thing.__module__ == module.__name__:
                    self._note_class(thing)
        for item in items:
            for value in getattr(getattr(item, "callspec", None), "params", {}).values():
                self._note_container(value, DEEP)
        self._seen.clear()

    def _note_class(self, klass: type) -> None:
        """The class and its bases, of libraries too: a candidate may write to any of them."""
        for base in klass.__mro__:
            if base.__module__ != "builtins" and id(base) not in self._seen:
                self._seen.add(id(base))
                self._note_space(base)

    def _note_space(self, owner: Raw) -> None:
        kept = dict(vars(owner))
        self._spaces.append((owner, kept))
        for name, value in kept.items():
            if not _is_magic(name):
                self._note_container(value, DEEP)

    def _note_container(self, value: Raw, depth: int) -> None:
        if type(value).__module__ in self._ours:
            value = getattr(value, "__dict__", None)
        if type(value) is tuple and depth:
            for inner in value[:MOST_ITEMS]:
                self._note_container(inner, depth - 1)
        if type(value) not in (list, dict, set) or id(value) in self._seen or len(value) > MOST_ITEMS:
            return
        self._seen.add(id(value))
        self._containers.append((value, value.copy()))
        if depth:
            for inner in value.values() if type(value) is dict else value:
                self._note_container(inner, depth - 1)

    def rebound(self, table: Table, code: CodeType) -> Undo:
        """Give a name of a module or class another value, wherever it was imported under that name.

        Raises NotExact where nobody can say what an import would do: a value that something made of the table.
        """
        places = [(owner, kept) for owner, kept in self._spaces if table.name in kept and self._holds(owner, table)]
        if not places:
            raise NotExact
        owner, kept = places[0]
        old = kept[table.name]
        scope = vars(sys.modules[getattr(owner, "__module__", owner.__name__)])
        if type(_worked_out(table.pristine, scope)) is not type(old):
            raise NotExact
        new = _worked_out(code, scope)
        undo: Undo = []
        for other, names in self._spaces:
            if names.get(table.name, undo) is old:
                try:
                    setattr(other, table.name, new)
                except (AttributeError, TypeError):
                    restore(undo)
                    raise NotExact from None
                names[table.name] = new
                undo += [functools.partial(names.__setitem__, table.name, old)]
                undo += [functools.partial(setattr, other, table.name, old)]
        return undo

    @staticmethod
    def _holds(owner: Raw, table: Table) -> bool:
        """Whether it is the module or class in whose body the table stands."""
        module = sys.modules.get(owner.__module__) if isinstance(owner, type) else owner
        path = os.path.realpath(str(getattr(module, "__file__", "")))
        named = owner.__qualname__.split(".") if isinstance(owner, type) else []
        return named == table.classes and path.endswith("/" + table.source.path)

    def restore(self) -> None:
        for owner, kept in self._spaces:
            _restore_space(owner, kept)
        for container, kept in self._containers:
            if not _same(container, kept):
                _FILL[type(container)](container, kept)
        if os.environ != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        random.setstate(self._random)


def _worked_out(code: CodeType, scope: Dict[str, Any]) -> Raw:
    try:
        return eval(code, dict(scope))  # in a child that runs the project's own code anyway
    except Exception as error:
        raise ValueError("the import would fail") from error


def _is_of_tree(module: Raw, paths: Paths) -> bool:
    file = getattr(module, "__file__", None)
    return isinstance(module, ModuleType) and isinstance(file, str) and paths.inside(file)


def _restore_space(owner: Raw, kept: Dict[str, Any]) -> None:
    now = vars(owner)
    if len(now) == len(kept) and all(now.get(name, owner) is value for name, value in kept.items()):
        return
    for name in [name for name in now if name not in kept and not _is_magic(name)]:
        with contextlib.suppress(AttributeError, TypeError):
            delattr(owner, name)
    for name, value in kept.items():
        if now.get(name, owner) is not value and not _is_magic(name):
            with contextlib.suppress(AttributeError, TypeError):
                setattr(owner, name, value)


def _is_magic(name: str) -> bool:
    """Names that Python itself writes, such as the register of warnings."""
    return name[:2] == "__"


def _same(container: Raw, kept: Raw) -> bool:
    """Whether the very same things are in it: asking for equality would run the tree's own code."""
    if len(container) != len(kept):
        return False
    if type(container) is set:
        return sorted(map(id, container)) == sorted(map(id, kept))
    if type(container) is dict:
        return all(map(operator.is_, container, kept)) and all(map(operator.is_, container.values(), kept.values()))
    return all(map(operator.is_, container, kept))


def _fill_list(container: List[Any], kept: List[Any]) -> None:
    container[:] = kept


def _fill_other(container: Raw, kept: Raw) -> None:
    container.clear()
    container.update(kept)


_FILL: Dict[type, Callable[[Any, Any], None]] = {list: _fill_list, dict: _fill_other, set: _fill_other}
