"""The process that has collected the suite: it tries candidates in forks of itself, and answers in reports."""

from __future__ import annotations

import gc
import json
import linecache
import os
import sys
import sysconfig
import time
from typing import Any, Dict, List, Optional, Sequence, Tuple

import pytest

from ....engines.search.inside.live import Live
from ....engines.search.inside.trace import ImportTrace, Paths
from ..report import Reporter
from . import libraries, trial
from .child import Child, end_strays, shut_ourselves
from .frames import COLLECTED, DONE, SLOW, TIMED_OUT, Report, write_all
from .quick import Quick
from .slow import Ground
from .swap import Units
from .trial import Candidate, Case, Reference, Stage

LIMIT_FACTOR, LIMIT_FLOOR_S = 10.0, 0.05
"""Processor time of a test in a batch, measured by what it takes unchanged."""
MEASURE_S = 120.0
SILENT_S = 5.0
"""So long, beside what its tests may take, may a batch say nothing."""


class Collected:
    """The plugin that takes over where the tests would run."""

    def __init__(self, ground: Ground, link: int) -> None:
        self._ground, self._link = ground, link
        self._files = {
            path: kept.data
            for path, kept in ground.tree.kept.items()
            if path.endswith(".py") and kept.data is not None
        }
        self._paths = Paths(ground.tree.root, set(self._files))
        self._importing = ImportTrace(self._paths)
        self.reporter = Reporter(ground.tree.root, None)
        self.quick = Quick(self.reporter)
        self._references: Dict[Tuple[Any, bool], Optional[Reference]] = {}
        self._installed = sorted({name.split(".")[0] for name in os.listdir(sysconfig.get_path("purelib"))})
        self._alone: List[Candidate] = []

    def run(self) -> None:
        """Collect; after that, answer until the link ends."""
        arguments: List[str] = self._ground.launch.pytest_arguments(self._ground.job)
        self._ground.launch.enter_tree(self._ground.job)
        sys.argv[:] = [os.path.join(self._ground.tools, "launch.py")]
        with self._importing:
            pytest.main(arguments, plugins=[self.reporter, self.quick, self])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        sys.settrace(None)
        self._collection = list(self.reporter.tests.values())
        self._items = {item.nodeid: item for item in session.items}
        self._stage = self._made_stage(session.config)
        shut_ourselves()
        self._say_collected()
        linecache.clearcache()  # so that whoever asks for source text opens the file, and is seen
        gc.collect()
        gc.freeze()
        self._serve()
        return True

    def _made_stage(self, config: Any) -> Stage:
        rewritten = {
            self._paths.of(getattr(sys.modules[name], "__file__", None) or "") for name in libraries.rewritten()
        }
        return Stage(
            root=self._ground.tree.root,
            live=Live(self._paths),
            units=Units(self._files),
            called=self._importing.called,
            rewritten=rewritten,
            reporter=self.reporter,
            quick=self.quick,
            config=config,
        )

    def _say_collected(self) -> None:
        told = {"libraries": libraries.used(self._ground.tree.root), "rewritten": libraries.rewritten()}
        self._answer(Report(0, COLLECTED, 0.0, json.dumps(told).encode("ascii")))

    def _answer(self, report: Report) -> None:
        write_all(self._link, report.packed())

    def _serve(self) -> None:
        buffer = b""
        while True:
            data = os.read(self._link, 1 << 20)
            if not data:
                os._exit(0)
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                self._try_all(json.loads(line))

    def _try_all(self, request: Dict[str, Any]) -> None:
        tests = None if request["tests"] is None else tuple(request["tests"])
        candidates = [Candidate(n, path, tuple(edit), wall_s) for n, path, edit, wall_s in request["candidates"]]
        able = [one for one in candidates if self._stage.units.holds(one.path, one.edit)]
        reference = self._reference(tests, request["stop"]) if able else None
        for candidate in candidates:
            if reference is None or candidate not in able:
                self._answer(Report(candidate.number, SLOW, 0.0))
        if reference is not None:
            self._batches(reference, able)

    def _reference(self, tests: "Optional[Tuple[str, ...]]", stop: bool) -> Optional[Reference]:
        """None when these tests cannot be had on the fast path."""
        key = (tests, stop)
        if key not in self._references:
            self._references[key] = self._measure(tests, stop)
        return self._references[key]

    def _measure(self, tests: "Optional[Tuple[str, ...]]", stop: bool) -> Optional[Reference]:
        """Items run in the order in which they were collected, whatever the order of the request."""
        wanted = set(self._items) if tests is None else set(tests)
        items = [item for name, item in self._items.items() if name in wanted]
        if not items or len(items) < len(wanted):
            return None
        if stop and tests is None and any(map(trial.is_red, self._collection)):
            return None  # such a run stops before its first test
        told: Dict[str, Any] = {}
        end = time.monotonic() + MEASURE_S
        child = Child(lambda say: trial.measured(self._stage, items, say))
        child.follow(lambda line: told.update(json.loads(line)), lambda: end)
        self._tidy()
        if not told.get("cases"):
            return None
        limits = {case["id"]: LIMIT_FLOOR_S + LIMIT_FACTOR * case["seconds"] for case in told["cases"]}
        cases = told["cases"]
        if stop:
            red = next((n for n, case in enumerate(cases) if trial.is_red(case)), len(cases))
            cases = cases[: red + 1]
        return Reference(items, stop, cases, told.get("way", ""), limits)

    def _batches(self, reference: Reference, candidates: Sequence[Candidate]) -> None:
        """Fork per batch; a child that dies costs its culprit a run alone, and the rest a new child."""
        together = bool(reference.way) and len(candidates) > 1  # of one, proving the fork sound would cost as much
        rest = list(candidates) if together else []
        self._alone = [] if together else list(candidates)
        while rest:
            rest = self._batch(reference, rest)
        for candidate in self._alone:
            self._run_alone(reference, candidate)

    def _batch(self, reference: Reference, candidates: List[Candidate]) -> List[Candidate]:
        """One child. What is left when it died early."""
        told: List[Dict[str, Any]] = []
        heard = [time.monotonic()]
        patience_s = SILENT_S + 3 * sum(reference.limits.values())

        def hear(line: bytes) -> None:
            heard[0] = time.monotonic()
            told.append(json.loads(line))

        child = Child(lambda say: trial.Batch(self._stage, reference, say).run(candidates))
        child.follow(hear, lambda: heard[0] + patience_s)
        self._tidy()
        sound = bool(told) and told[-1].get("sound") is True
        done = [message for message in told if "n" in message]
        for candidate, message in zip(candidates, done):  # noqa: B905 - Python 3.8 knows no `strict`
            self._conclude(reference, candidate, message, sound)
        left = candidates[len(done) :]
        self._alone += left[:1]
        return left[1:]

    def _conclude(self, reference: Reference, candidate: Candidate, message: Dict[str, Any], sound: bool) -> None:
        kind = message["kind"]
        if kind == trial.SLOW:
            self._answer(Report(candidate.number, SLOW, 0.0))
        elif kind == trial.LATE:
            self._answer(Report(candidate.number, TIMED_OUT, message["s"]))
        elif kind == trial.FAILED and sound:
            self._answer(Report(candidate.number, DONE, message["s"], self._record(reference, message)))
        else:
            self._alone.append(candidate)

    def _run_alone(self, reference: Reference, candidate: Candidate) -> None:
        """Whatever does not end well here is for the slow path to say."""
        started = time.monotonic()
        told: Dict[str, Any] = {}
        end = started + min(candidate.wall_s, SILENT_S + 3 * sum(reference.limits.values()))
        child = Child(lambda say: trial.alone(self._stage, reference, candidate, say))
        child.follow(lambda line: told.update(json.loads(line)), lambda: end)
        self._tidy()
        seconds = time.monotonic() - started
        if child.late:
            self._answer(Report(candidate.number, TIMED_OUT, seconds))
        elif told.get("kind") != trial.FAILED:
            self._answer(Report(candidate.number, SLOW, seconds))
        else:
            told["s"] = seconds
            self._answer(Report(candidate.number, DONE, seconds, self._record(reference, told)))

    @staticmethod
    def _tidy() -> None:
        end_strays(set())

    def _record(self, reference: Reference, message: Dict[str, Any]) -> bytes:
        """The report in the shape of launch.py's."""
        cases: List[Case] = message["cases"]
        names = [case["id"] for case in cases]
        whole = len(reference.items) == len(self._items)
        tests = [*self._collection, *cases] if whole else cases
        record = {
            "schema": 1,
            "collected": names,
            "doctests": [name for name in self.reporter.doctests if name in set(names)],
            "installed": self._installed,
            "tests": tests,
            "exit": 1 if any(map(trial.is_red, tests)) else 0,
            "seconds": message["s"],
            "finished": True,
            "path": "fast",
        }
        return json.dumps(record).encode("ascii")
