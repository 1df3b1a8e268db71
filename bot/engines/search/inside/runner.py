"""Runs single collected tests, as cheaply as gives the same result as pytest's own protocol."""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from .kinds import Config, Item, Report

MESSAGE_CHARS = 400


class Fault(NamedTuple):
    """Why a test did not pass."""

    kind: str
    message: str
    line: int = 0
    """Where in the test's own file it ended; 0 when that is not known."""


Run = Callable[[Any], Optional[Fault]]
"""Runs one item alone, with set-up and tear-down; None when it passed."""


class Recorder:
    """The plugin that keeps the reports of one protocol run."""

    def __init__(self) -> None:
        self.reports: List[Any] = []

    def pytest_runtest_logreport(self, report: Report) -> None:
        self.reports.append(report)


def _fault(error: BaseException, item: Item) -> Fault:
    try:
        message = str(error)
    except Exception:
        message = "?"
    return Fault(type(error).__name__, message[:MESSAGE_CHARS], _line(error, str(getattr(item, "path", ""))))


def _line(error: BaseException, path: str) -> int:
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            return trace.tb_lineno
        trace = trace.tb_next
    return 0


def _renew(item: Item) -> None:
    """Fixtures are filled anew; a unittest item forgets the failures of its last run."""
    renew = getattr(item, "_initrequest", None)
    if renew is not None:
        renew()
    _forget_fixtures(item)
    _do_without_reports(item)
    # Taken out of the item, not set to None: pytest's own expectedFailure would stumble over that.
    item.__dict__.pop("_excinfo", None)


def _do_without_reports(item: Item) -> None:
    """The tear-down of `tmp_path` asks how the test went, which only the report of a protocol run leaves behind."""
    with contextlib.suppress(ImportError):
        from _pytest.tmpdir import tmppath_result_key

        item.stash[tmppath_result_key] = {}


def _forget_fixtures(item: Item) -> None:
    """All fixtures are torn down after each run here; one whose tear-down was cut short would refuse to be set up."""
    for definitions in getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {}).values():
        for definition in definitions:
            finalizers = getattr(definition, "_finalizers", None)
            if finalizers:
                finalizers.clear()
                definition.cached_result = None


def _kept(item: Item) -> Optional[Fault]:
    """The failure that a unittest item keeps to itself."""
    kept = getattr(item, "_excinfo", None)
    return _fault(kept[0].value, item) if kept else None


def _let_go(item: Item) -> None:
    """After a tear-down that was cut short pytest thinks that the test still runs, and would refuse the next."""
    stack = getattr(item.session._setupstate, "stack", None)
    if stack is not None:
        stack.clear()


def direct(item: Item) -> Optional[Fault]:
    """Set-up state and `runtest()`, no hooks: enough for plain functions and unittest methods."""
    state = item.session._setupstate
    fault: Optional[Fault] = None
    try:
        _renew(item)
        state.setup(item)
        item.runtest()
        fault = _kept(item)
    except BaseException as error:
        fault = _fault(error, item)
    try:
        state.teardown_exact(None)
    except BaseException as error:
        fault = fault or _fault(error, item)
        _let_go(item)
    return fault


def hooked(item: Item) -> Optional[Fault]:
    """The three hooks of a test, for plugins that work in them; still no report."""
    fault: Optional[Fault] = None
    hooks = item.ihook
    try:
        _renew(item)
        hooks.pytest_runtest_setup(item=item)
        hooks.pytest_runtest_call(item=item)
        fault = _kept(item)
    except BaseException as error:
        fault = _fault(error, item)
    try:
        hooks.pytest_runtest_teardown(item=item, nextitem=None)
    except BaseException as error:
        fault = fault or _fault(error, item)
        _let_go(item)
    return fault


class Protocol:
    """The whole protocol with reports: the truth that the cheap ways are measured by."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def __call__(self, item: Item) -> Optional[Fault]:
        self._recorder.reports = []
        try:
            _renew(item)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        except BaseException as error:
            return _fault(error, item)
        for report in self._recorder.reports:
            if report.outcome != "passed" and not hasattr(report, "wasxfail"):
                return Fault(report.outcome, str(getattr(report, "longrepr", ""))[-MESSAGE_CHARS:])
        called = any(r.when == "call" and r.outcome == "passed" for r in self._recorder.reports)
        expected = any(hasattr(r, "wasxfail") for r in self._recorder.reports)
        return None if called or expected else Fault("skipped", "")


WAYS: Dict[str, Run] = {"direct": direct, "hooked": hooked}


class Scratch:
    """pytest's temporary folder, one for each child, emptied after each candidate: thousands would fill the disk."""

    def __init__(self, config: Config) -> None:
        self._base: Optional[str] = None
        factory = getattr(config, "_tmp_path_factory", None)
        if factory is None:
            return
        with contextlib.suppress(Exception):
            own = factory.getbasetemp() / ("child-%d" % os.getpid())
            own.mkdir()
            factory._basetemp = own
            self._base = str(own)

    def empty(self) -> None:
        if self._base is not None:
            with contextlib.suppress(OSError):
                for name in os.listdir(self._base):
                    shutil.rmtree(os.path.join(self._base, name), ignore_errors=True)

    def remove(self) -> None:
        if self._base is not None:
            shutil.rmtree(self._base, ignore_errors=True)
