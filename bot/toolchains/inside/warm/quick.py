"""Runs one collected test within pytest's own wrappers and without its reports, which cost more than the test."""

from __future__ import annotations

import contextlib
import linecache
import time
import unittest
from typing import Any, Callable, Dict, Generator, Iterator, List, Optional

import pytest
from _pytest.outcomes import Exit, XFailed

from ..report import ORDER, Reporter, tail

ODD, LATE = "odd", "late"
"""No result of the quick way: this test has to be run by the whole protocol; it took too long."""
_ODD = (Exit, XFailed, KeyboardInterrupt)
_SKIPS = (pytest.skip.Exception, unittest.SkipTest)


WAYS = ("direct", "hooked")
"""Set-up state and test function alone; or pytest's three hooks, for plugins that work in them. Quickest first."""


class Quick:
    """The plugin that stands in for pytest's runner while `way` is set; the wrappers around it stay as they are."""

    def __init__(self, reporter: Reporter) -> None:
        self.way = ""
        self.reporting = False
        self.told: Dict[str, Any] = {}
        self.reporter = reporter

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> Optional[bool]:
        if not self.way:
            return None
        started = time.perf_counter()
        self.told = {"id": item.nodeid, "result": "passed", "seconds": 0.0}
        self.told.update({"message": "", "exception": "", "frames": []})
        set_up, call, tear_down = _phases(self.way, item, nextitem)
        if not self._phase("error", set_up):
            self._phase("failed", call)
            self._kept(item)
        self._phase("error", tear_down)
        self.told["seconds"] = time.perf_counter() - started
        return True

    def _phase(self, bad: str, act: Callable[[], object]) -> bool:
        """Do one phase; True when it raised."""
        try:
            act()
        except BaseException as error:
            self._note(bad, error)
            return True
        return False

    def _kept(self, item: Any) -> None:
        """The failure that a unittest item keeps to itself."""
        kept = getattr(item, "_excinfo", None)
        if kept:
            self._note("failed", kept[0].value)

    def _note(self, bad: str, error: BaseException) -> None:
        """The worst phase counts, as in the report."""
        if type(error).__name__ == "OutOfTime" or isinstance(error, _ODD):
            self.told["result"] = LATE if type(error).__name__ == "OutOfTime" else ODD
            return
        result = "skipped" if isinstance(error, _SKIPS) else bad
        if self.told["result"] not in ORDER or ORDER.index(result) <= ORDER.index(self.told["result"]):
            return
        self.told["result"] = result
        if isinstance(error, unittest.SkipTest):  # pytest makes one of its own of it
            self.told.update({"message": tail("Skipped: %s" % error), "exception": "Skipped", "frames": []})
            return
        excinfo: Any = pytest.ExceptionInfo.from_exception(error)
        with self._report():
            self.told.update({"message": tail(excinfo.exconly()), "exception": excinfo.typename})
        self.told["frames"] = self.reporter.frames(error.__traceback__)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, None]:
        with self._report():
            yield

    @contextlib.contextmanager
    def _report(self) -> Iterator[None]:
        """Reports show source lines: that is not the test reading the file."""
        self.reporting = True
        try:
            yield
        finally:
            linecache.clearcache()
            self.reporting = False


def _phases(way: str, item: Any, following: Any) -> List[Callable[[], object]]:
    if way == "direct":
        state = item.session._setupstate
        return [lambda: state.setup(item), item.runtest, lambda: state.teardown_exact(following)]
    hooks = item.ihook
    return [
        lambda: hooks.pytest_runtest_setup(item=item),
        lambda: hooks.pytest_runtest_call(item=item),
        lambda: hooks.pytest_runtest_teardown(item=item, nextitem=following),
    ]


def run(quick: Quick, way: str, item: Any, following: Any) -> Dict[str, Any]:
    """One test in a quick way; on one that is expected to fail, only pytest's reports can decide."""
    if item.get_closest_marker("xfail") or getattr(
        getattr(item, "obj", None), "__unittest_expecting_failure__", False
    ):
        return whole(quick.reporter, item, following)
    renew(item)
    quick.way = way
    try:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    finally:
        quick.way = ""
    return quick.told


def whole(reporter: Reporter, item: Any, following: Any) -> Dict[str, Any]:
    """One test by the whole protocol, with its reports."""
    reporter.tests.pop(item.nodeid, None)
    renew(item)
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    return reporter.tests[item.nodeid]


def renew(item: Any) -> None:
    """As it was before its first run: fixtures are filled anew, a unittest item forgets its failures."""
    with contextlib.suppress(AttributeError):
        item._initrequest()
    vars(item).pop("_excinfo", None)
    item._report_sections = []
    with contextlib.suppress(ImportError):
        from _pytest.tmpdir import tmppath_result_key

        item.stash[tmppath_result_key] = {}


def same(one: List[Dict[str, Any]], two: List[Dict[str, Any]]) -> bool:
    """True when two runs came to the same results for the same reasons, at the same places."""
    keys = ("id", "result", "exception", "frames")
    return len(one) == len(two) and all(a.get(key) == b.get(key) for a, b in zip(one, two) for key in keys)  # noqa: B905
