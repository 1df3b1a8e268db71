"""What of the test framework, of the project's files and of pytest's own settings is other than it was at the start.

Everything here runs in the process of the code that it watches, so a determined forger can cheat it: it catches the
careless and names what they did. The layers that do not depend on it are another matter.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import types
from operator import attrgetter, is_, itemgetter
from typing import Any, Dict, Iterator, List, Mapping, Set, Tuple

import pytest

MAX_OPENED, MAX_WRITTEN, MAX_DRIFT = 5000, 1000, 200

_WATCHED = ("pytest", "_pytest", "pluggy", "unittest", "builtins", "time")
_EACH_TEST = {
    "_pytest.runner", "_pytest.reports", "_pytest.python", "_pytest.main", "_pytest.skipping", "_pytest.unittest",
    "_pytest.python_api", "_pytest.raises", "_pytest.outcomes", "_pytest.nodes", "pluggy._callers", "pluggy._hooks",
    "pluggy._manager", "unittest.case", "builtins", "time",
}  # fmt: skip
_CODE = (
    types.FunctionType, types.BuiltinFunctionType, classmethod, staticmethod, property, type,
)  # fmt: skip


class Integrity:
    """A plugin; made before anything of the project is imported."""

    def __init__(self) -> None:
        self.drift: Set[str] = set()
        self.plugins: Set[str] = set()
        self.options: Dict[str, str] = {}
        self._hooks: Dict[str, int] = {}
        self._config: Any = None
        self._all = list(_snapshot())
        self._often = _Quick([entry for entry in self._all if entry[0] in _EACH_TEST])
        inner = ("_pytest", "pluggy")
        self._inner = _Quick([entry for entry in self._all if entry[0] in _EACH_TEST and entry[0].startswith(inner)])

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: Any) -> None:
        self._config = config

    def pytest_plugin_registered(self, plugin: Any, manager: Any) -> None:
        name = manager.get_name(plugin) or ""
        self.plugins.add(type(plugin).__name__ if name.isdigit() else name)

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_makereport(self, call: Any) -> Any:
        """While fixtures still stand: of pytest's own code nothing may be replaced, not even for a test."""
        if call.when == "call" and not self._inner.same():
            self._compare(self._inner.entries)
        yield

    def pytest_runtest_logfinish(self) -> None:
        if not self._often.same():
            self._compare(self._often.entries)
        self._count_hooks()

    def _compare(self, entries: "List[Tuple[str, Mapping[str, Any], str, Any, Any]]") -> None:
        for module, holder, name, value, code in entries:
            now = holder.get(name)
            if now is not value or _code(now) is not code:
                if len(self.drift) < MAX_DRIFT:
                    self.drift.add(module + ":" + name)

    def _count_hooks(self) -> None:
        for name, hook in vars(self._config.hook).items():
            if name.startswith("pytest_"):
                self._hooks[name] = max(self._hooks.get(name, 0), len(hook.get_hookimpls()))

    def record(self) -> Dict[str, Any]:
        self._compare(self._all)
        if self._config is not None:
            self._count_hooks()
            self.options = _options(self._config)
        plugins = sorted(self.plugins) + ["%s=%d" % pair for pair in sorted(self._hooks.items())]
        return {"drift": sorted(self.drift), "plugins": plugins, "options": self.options}


class _Quick:
    """Some entries, laid out so that "all as they were" is found out fast: it is asked twice for each test."""

    def __init__(self, entries: "List[Tuple[str, Mapping[str, Any], str, Any, Any]]") -> None:
        self.entries = entries
        holders: Dict[int, Tuple[Mapping[str, Any], List[str], List[Any]]] = {}
        for _, holder, name, value, _ in entries:
            _, names, values = holders.setdefault(id(holder), (holder, [], []))
            names.append(name)
            values.append(value)
        # One name more, since a getter of one name gives no tuple.
        self._held = [(itemgetter(*names, names[0]), holder, values) for holder, names, values in holders.values()]
        functions = [(getattr(value, "__func__", value), code) for _, _, _, value, code in entries if code]
        self._functions = [function for function, _ in functions]
        self._codes = [code for _, code in functions]

    def same(self) -> bool:
        try:
            for get, holder, values in self._held:
                if not all(map(is_, get(holder), values)):
                    return False
        except KeyError:
            return False
        return all(map(is_, map(attrgetter("__code__"), self._functions), self._codes))


def _snapshot() -> "Iterator[Tuple[str, Mapping[str, Any], str, Any, Any]]":
    """(module, dict that holds it, name, value, code) of every function and class of the framework."""
    for name, module in sorted(sys.modules.items()):
        if name.split(".")[0] not in _WATCHED or not isinstance(module, types.ModuleType):
            continue
        holders: List[Mapping[str, Any]] = [vars(module)]
        # A class of one module also stands in those that import it.
        classes = [value for value in vars(module).values() if isinstance(value, type) and value.__module__ == name]
        holders += [vars(value) for value in classes]
        for holder in holders:
            for attribute, value in list(holder.items()):
                if isinstance(value, _CODE):
                    yield name, holder, attribute, value, _code(value)


def _code(value: Any) -> Any:
    return getattr(getattr(value, "__func__", value), "__code__", None)


def _options(config: Any) -> Dict[str, str]:
    """Every option and every line of the ini file, long ones as a digest."""
    found = {"option." + name: value for name, value in vars(config.option).items()}
    found.update({"ini." + str(name): value for name, value in dict(config.inicfg).items()})
    found["args"] = config.args
    return {name: _short(re.sub(r" at 0x[0-9a-f]+", "", repr(value))) for name, value in sorted(found.items())}


def _short(text: str) -> str:
    text = text.encode("ascii", "backslashreplace").decode()
    return text if len(text) <= 80 else text[:40] + hashlib.sha256(text.encode()).hexdigest()[:24]


class Ground:
    """The files of the tree as they lay there at the start."""

    def __init__(self, tree: str) -> None:
        self._tree = tree
        self._before = dict(self._stats())

    def _stats(self) -> "Iterator[Tuple[str, Tuple[int, ...]]]":
        for folder, _, names in os.walk(self._tree):
            for name in names:
                place = os.path.join(folder, name)
                try:
                    info = os.lstat(place)
                except OSError:
                    continue
                # The time of the last change of an inode cannot be set back without being root.
                yield os.path.relpath(place, self._tree), (info.st_ino, info.st_size, info.st_ctime_ns)

    def written(self) -> List[str]:
        """Files that are gone or are not what they were."""
        now = dict(self._stats())
        return sorted(path for path, stat in self._before.items() if now.get(path) != stat)[:MAX_WRITTEN]


class Openings:
    """Which files of the tree are opened, and by which file of the tree: golden files and the data of tests."""

    def __init__(self, tree: str) -> None:
        self._tree = os.path.realpath(tree) + os.sep
        self.pairs: Set[Tuple[str, str]] = set()
        self._busy = False
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: Any) -> None:
        if event != "open" or self._busy or not isinstance(arguments[0], (str, bytes)):
            return
        self._busy = True
        try:
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if path.startswith(self._tree) and not path.endswith((".py", ".pyc")) and len(self.pairs) < MAX_OPENED:
                self.pairs.add((path[len(self._tree) :], self._opener()))
        except (OSError, ValueError):
            pass
        finally:
            self._busy = False

    def _opener(self) -> str:
        frame: Any = sys._getframe(2)
        while frame is not None:
            place: str = os.path.realpath(frame.f_code.co_filename)
            if place.startswith(self._tree):
                return place[len(self._tree) :]
            frame = frame.f_back
        return ""
