"""The pytest plugin that records what each test came to, from pytest's own exceptions, not from its text."""

from __future__ import annotations

import dis
import os
import sys
import sysconfig
import traceback
from types import TracebackType
from typing import Any, Generator

import pytest

MESSAGE_CHARS = 4000
FRAMES = 40

# When several phases or repeats of one test disagree, the worst one counts.
ORDER = ["passed", "xfailed", "xpassed", "skipped", "failed", "error"]


class Reporter:
    """Collects ids, results, messages and in-tree frames. `only`: ids to run, None for all."""

    def __init__(self, tree: str, only: list[str] | None) -> None:
        self.tree = os.path.realpath(tree) + os.sep
        self.only = None if only is None else set(only)
        self.collected: list[str] = []
        self.doctests: list[str] = []
        self.tests: dict[str, dict[str, Any]] = {}
        self.broken: dict[str, tuple[str, str, list[Any]]] = {}
        self.unloaded: BaseException | None = None
        """Why the first conftest.py that could not be imported ended pytest before it collected anything."""
        self._places: dict[str, str] = {}
        self._phases: dict[str, list[str]] = {}
        self._raised: set[str] = set()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_load_initial_conftests(self) -> Generator[None, Any, None]:
        outcome = yield
        error: BaseException | None = outcome.excinfo[1] if outcome.excinfo is not None else None
        if error is not None and type(error).__name__ == "ConftestImportFailure":
            self.unloaded = error.__cause__ or error

    def pytest_configure(self, config: Any) -> None:
        """With `only`, collect just the files that hold those tests: a run must not grow with the suite."""
        if self.only is not None:
            files = sorted({nodeid.split("::")[0] for nodeid in self.only})
            config.args = [os.path.join(str(config.rootpath), *name.split("/")) for name in files]

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        kept: list[Any]
        dropped: list[Any]
        if self.only is not None:
            # The id of a file means all of its tests.
            kept, dropped = [], []
            for item in items:
                wanted = item.nodeid in self.only or item.nodeid.split("::")[0] in self.only
                (kept if wanted else dropped).append(item)
            items[:] = kept
            if dropped:
                config.hook.pytest_deselected(items=dropped)

    def pytest_collection_finish(self, session: Any) -> None:
        self.doctests = [item.nodeid for item in session.items if type(item).__name__ == "DoctestItem"]
        self.collected = [item.nodeid for item in session.items]

    def pytest_exception_interact(self, call: Any, report: Any) -> None:
        """pytest calls this before `pytest_collectreport`, which only has text: keep the exception itself."""
        if report.when == "collect":
            self.broken[report.nodeid] = self._import_failed(call.excinfo.value.__cause__ or call.excinfo.value)

    def without_conftest(self, files: list[str]) -> None:
        """Every test file is red for the reason why conftest.py could not be imported."""
        assert self.unloaded is not None
        for file in files:
            self._note(file, "error", 0.0, *self._import_failed(self.unloaded))

    def _import_failed(self, cause: BaseException) -> tuple[str, str, list[Any]]:
        return tail(f"{type(cause).__name__}: {cause}"), type(cause).__name__, self.frames(cause.__traceback__)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            unknown: tuple[str, str, list[Any]] = (tail(str(report.longrepr)), "", [])
            self._note(report.nodeid, "error", 0.0, *self.broken.get(report.nodeid, unknown))
        elif report.skipped:
            self._note(report.nodeid, "skipped", 0.0, tail(str(report.longrepr)), "", [])

    def pytest_runtest_logreport(self, report: Any) -> None:
        result = _result(report)
        if result is not None:
            extra: tuple[str, str, list[Any]] = getattr(report, "_regreen", ("", "", []))
            self._note(report.nodeid, result, report.duration, *extra)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, call: Any) -> Generator[None, Any, None]:
        """Outermost, so that the exception is read before and whatever another plugin makes of it."""
        raised = call.excinfo
        outcome = yield
        report = outcome.get_result()
        if raised is None:
            raised = call.excinfo  # of a unittest class: pytest puts it there only now
        self._phases.setdefault(report.nodeid, []).append(call.when)
        if raised is not None:
            if report.outcome == "failed" or (report.outcome == "passed" and not hasattr(report, "wasxfail")):
                self._raised.add(report.nodeid)
            report._regreen = (self._said(raised), raised.typename, self.frames(raised.tb))
            if report.outcome == "passed" and not hasattr(report, "wasxfail"):
                report.outcome = "failed"  # a plugin turned an exception into a pass

    def _said(self, raised: Any) -> str:
        """The error, and a line for each one behind it: the network's failure often comes under another name."""
        behind, known = [], {id(raised.value)}
        error = _before(raised.value)
        while error is not None and id(error) not in known:
            known.add(id(error))
            if not self._is_played(error.__traceback__):
                behind.append("from " + "".join(traceback.format_exception_only(type(error), error)).strip())
            error = _before(error)
        return tail("\n".join([raised.exconly(), *behind]))

    def _is_played(self, trace: TracebackType | None) -> bool:
        """True where a `raise` of the project, or a mock, made the error: it may stand for a real one."""
        if trace is None:
            return True
        while trace.tb_next is not None:
            trace = trace.tb_next
        code = trace.tb_frame.f_code
        ours = self._place(code.co_filename).startswith(self.tree)
        raises = dis.opname[code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"
        return (ours and raises) or code.co_filename.endswith("unittest/mock.py")

    def _note(
        self, nodeid: str, result: str, seconds: float, message: str, exception: str, frames: list[Any]
    ) -> None:
        known = self.tests.get(nodeid)
        if known is None:
            known = {"id": nodeid, "result": result, "seconds": 0.0}
            known.update({"message": message, "exception": exception, "frames": frames})
            self.tests[nodeid] = known
        elif ORDER.index(result) > ORDER.index(known["result"]):
            known.update({"result": result, "message": message, "exception": exception, "frames": frames})
        known["seconds"] += seconds

    def frames(self, traceback: TracebackType | None) -> list[Any]:
        frames: list[Any] = []
        while traceback is not None:
            code = traceback.tb_frame.f_code
            path = self._place(code.co_filename)
            if path.startswith(self.tree) and not code.co_filename.startswith("<"):
                frames.append([path[len(self.tree) :], traceback.tb_lineno, code.co_name])
            traceback = traceback.tb_next
        return frames[-FRAMES:]

    def _place(self, filename: str) -> str:
        if filename not in self._places:
            self._places[filename] = os.path.realpath(filename)
        return self._places[filename]

    def _doubt(self) -> None:
        """A pass needs all three phases, and no exception in any of them, as we saw it ourselves."""
        for nodeid, test in self.tests.items():
            if test["result"] != "passed":
                continue
            phases = self._phases.get(nodeid, [])
            if nodeid in self._raised or not {"setup", "call", "teardown"} <= set(phases):
                test.update({"result": "error", "message": "the report of this test does not tell what it did"})

    def record(self) -> dict[str, Any]:
        self._doubt()
        return {
            "schema": 1,
            "collected": self.collected,
            "doctests": self.doctests,
            "installed": sorted({name.split(".")[0] for name in os.listdir(sysconfig.get_path("purelib"))}),
            "python": "%d.%d" % sys.version_info[:2],
            "tests": list(self.tests.values()),
        }


class Files:
    """Collects the names of all test files, whether they can be imported or not."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_collectreport(self, report: Any) -> None:
        if "::" not in report.nodeid and os.path.isfile(report.nodeid):
            self.names.append(report.nodeid)


def _before(error: BaseException) -> BaseException | None:
    """The error that led to this one, as a traceback shows it."""
    if error.__cause__ is not None or error.__suppress_context__:
        return error.__cause__
    return error.__context__


def _result(report: Any) -> str | None:
    """The result of one phase, or None where it says nothing new."""
    if hasattr(report, "wasxfail"):
        return "xfailed" if report.skipped else "xpassed"
    if report.failed:
        return "failed" if report.when == "call" else "error"
    if report.skipped:
        return "skipped"
    if not report.passed:
        return None  # "rerun": what the test comes to is still to be said
    return "passed" if report.when == "call" else None


def tail(text: str) -> str:
    half = MESSAGE_CHARS // 2
    return text if len(text) <= MESSAGE_CHARS else text[:half] + "\n[...]\n" + text[-half:]
