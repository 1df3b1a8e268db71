"""The slow path, always right: the file is changed and everything is imported anew, in a fork of a clean process."""

from __future__ import annotations

import contextlib
import importlib.machinery
import os
import shutil
import sys
import tempfile
from typing import Any, Callable, Dict, List, Optional, Set

from .guard import TreeGuard
from .kinds import Config, Raw, Report, Session
from .unit import spliced
from .wire import Wire

Pytest = Callable[[object], None]
"""Collects and runs the suite with a plugin of ours, in a process that has imported nothing of the tree."""


class SlowRun:
    """The pytest plugin of one slow run: collects only what is asked for, stops at the first test that is not green.

    A wanted id without `::` is a file that could not be collected: all its tests must pass then, one at least.
    """

    def __init__(self, wanted: List[str]) -> None:
        self._wanted = set(wanted)
        self._files = {name.split("::")[0] for name in wanted}
        self._whole = {name for name in wanted if "::" not in name}
        self.lost: Optional[str] = None
        self.passed: Set[str] = set()
        self._session: Any = None

    def pytest_collection(self, session: Session) -> None:
        self._session = session

    def pytest_ignore_collect(self, collection_path: Raw, config: Config) -> Optional[bool]:
        if os.path.isdir(str(collection_path)) or os.path.basename(str(collection_path)) == "__init__.py":
            return None
        path = os.path.relpath(str(collection_path), str(config.rootpath)).replace(os.sep, "/")
        return None if path in self._files else True

    def pytest_collection_modifyitems(self, items: List[Any]) -> None:
        items[:] = [item for item in items if self._asked_for(item.nodeid)]

    def _asked_for(self, name: str) -> bool:
        return name in self._wanted or name.split("::", maxsplit=1)[0] in self._whole

    def pytest_runtest_logreport(self, report: Report) -> None:
        if report.failed or (report.skipped and report.nodeid in self._wanted and not hasattr(report, "wasxfail")):
            self._lose(report.nodeid)
        elif report.when == "call":
            self.passed.add(report.nodeid)

    def pytest_collectreport(self, report: Report) -> None:
        if report.failed:
            self._lose(report.nodeid)

    def _lose(self, name: str) -> None:
        self.lost = self.lost or name
        self._session.shouldfail = "one is enough"

    def ok(self) -> bool:
        named = {name for name in self._wanted if "::" in name}
        files = {name.split("::")[0] for name in self.passed}
        return self.lost is None and named <= self.passed and self._whole <= files


def attempt(pytest_run: Pytest, guard: TreeGuard, wire: Wire, request: Dict[str, Any]) -> None:
    """In a child: make the edit, run the wanted tests, report."""
    changed = {
        path: spliced(guard.files[path][0], [(e[0], e[1], e[2]) for e in edits]) for path, edits in request["files"]
    }
    for path, data in changed.items():
        compile(data, path, "exec", dont_inherit=True)
    # Cached code is found by size and second of its source: an edit of one letter would not be seen.
    caches = tempfile.mkdtemp(prefix="search-")
    sys.pycache_prefix = caches
    os.environ["PYTHONPYCACHEPREFIX"] = caches  # for what the tests start
    if request["written"]:
        for path, data in changed.items():
            guard.write(path, data, guard.files[path][1])
    else:
        serve_from_memory({os.path.join(guard.root, path): data for path, data in changed.items()})
    plugin = SlowRun(request["wanted"])
    with contextlib.suppress(BaseException):
        pytest_run(plugin)
    shutil.rmtree(caches, ignore_errors=True)
    wire.send({"ok": plugin.ok(), "lost": plugin.lost})


def serve_from_memory(changed: Dict[str, bytes]) -> None:
    """Let imports see changed files that are not written: the tree stays whole for whoever runs beside us."""
    loader = importlib.machinery.SourceFileLoader
    real_data, real_stats = loader.get_data, loader.path_stats

    def get_data(self: Raw, path: Raw) -> bytes:
        data = changed.get(os.path.realpath(str(path)))
        return real_data(self, path) if data is None else data

    def path_stats(self: Raw, path: Raw) -> Raw:
        if os.path.realpath(str(path)) in changed:
            raise OSError("no cached code for a file that is served from memory")
        return real_stats(self, path)

    loader.get_data = get_data  # type: ignore[method-assign]
    loader.path_stats = path_stats  # type: ignore[method-assign]
