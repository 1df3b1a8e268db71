"""The slow path, always right: the delta is written, and pytest starts in a fork that has imported nothing of it."""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from types import ModuleType
from typing import Any, Dict, List, NamedTuple, Optional, Set

from ..report import Reporter
from .child import Child, Say
from .frames import DIED, DONE, TIMED_OUT, Delta, Report
from .pristine import Pristine

LIMIT_FACTOR, LIMIT_FLOOR_S = 10.0, 2.0
"""A test may take so many times what it took before any change, and so much more."""


class Ground(NamedTuple):
    """What all runs stand on."""

    tools: str
    """Folder of the toolchain's own files."""
    job: Dict[str, Any]
    launch: ModuleType
    tree: Pristine


class SlowRuns:
    """Runs deltas one by one. Learns from an untouched run how long each test may take, and keeps its byte code.

    Byte code of a file is thrown away before a run in which the file differs: its time stamp, in whole seconds,
    and its size could be the same.
    """

    def __init__(self, ground: Ground, seconds: Dict[str, float]) -> None:
        self._ground = ground
        self._seconds = seconds
        self._learned: Set[Any] = set()
        self.caches_changed = False
        self.preloaded: Set[str] = set()
        """Top-level names of libraries that a run finds imported."""

    def run(self, delta: Delta) -> Report:
        return self._run(delta)

    def learn(self, delta: Delta) -> None:
        """Once for each set of tests: run them without a delta."""
        known = delta.tests is not None and set(delta.tests) <= set(self._seconds)
        if delta.tests in self._learned or (known and self._learned):
            return
        self._learned.add(delta.tests)
        report = self._run(delta._replace(files={}, stop=False), learning=True)
        self.caches_changed = True
        if report.kind == DONE:
            for test in json.loads(report.data)["tests"]:
                self._seconds.setdefault(test["id"], test["seconds"])

    def _run(self, delta: Delta, *, learning: bool = False) -> Report:
        started = time.monotonic()
        alone = self._shadows(delta)
        answer = _Answer(self._seconds, started + delta.wall_s)
        work = _replaced if alone else functools.partial(_forked, learning=learning)
        child = Child(lambda say: work(self._ground, delta, say), cpu_s=delta.cpu_s)
        child.follow(answer.raw if alone else answer.hear, answer.end)
        if alone:
            answer.raw(child.rest)
        seconds = time.monotonic() - started
        if child.timed_out:
            return Report(delta.number, TIMED_OUT, seconds)
        clean = child.status is not None and os.WIFEXITED(child.status)
        data = answer.record() if clean else None
        return Report(delta.number, DIED, seconds) if data is None else Report(delta.number, DONE, seconds, data)

    def _shadows(self, delta: Delta) -> bool:
        """True when a new file could take the place of a library that is imported already."""
        names = {
            part.partition(".")[0] for path in delta.files if path not in self._ground.tree.kept
            for part in path.split("/")
        }  # fmt: skip
        return not names.isdisjoint(self.preloaded)


class _Answer:
    """What one run says: tests that start, then the report."""

    def __init__(self, seconds: Dict[str, float], end: float) -> None:
        self._seconds = seconds
        self._end = end
        self._test_end = end
        self._parts: List[bytes] = []

    def hear(self, line: bytes) -> None:
        if line[:1] == b"t":
            known = self._seconds.get(line[1:].decode("utf-8", "surrogateescape"))
            limit_s = float("inf") if known is None else LIMIT_FACTOR * known + LIMIT_FLOOR_S
            self._test_end = time.monotonic() + limit_s
        elif line[:1] == b"r":
            self._parts = [line[1:]]

    def raw(self, line: bytes) -> None:
        """Of a process of its own, which knows nothing of our lines."""
        self._parts.append(line)

    def end(self) -> float:
        return min(self._end, self._test_end)

    def record(self) -> Optional[bytes]:
        whole = b"\n".join(self._parts).rstrip()
        return whole[:-1] + b', "path": "slow"}' if whole.endswith(b"}") else None


def _forked(ground: Ground, delta: Delta, say: Say, *, learning: bool) -> None:
    """In the child: what launch.py does, from where everything but the project is imported."""
    import pytest

    ground.tree.apply(delta.files)
    _use_caches(ground, delta, learning)
    sys.argv[:] = [os.path.join(ground.tools, "launch.py")]
    reporter = Reporter(ground.tree.root, None if delta.tests is None else list(delta.tests))
    arguments: List[str] = ground.launch.pytest_arguments(ground.job)
    arguments += ["--maxfail=1"] if delta.stop else []
    ground.launch.enter_tree(ground.job)
    started = time.monotonic()
    code = int(pytest.main(arguments, plugins=[reporter, Progress(say), *_chosen(delta)]))
    record = reporter.record()
    if delta.stop:
        record["collected"] = [name for name in record["collected"] if name in reporter.tests]
    record.update({"exit": code, "seconds": time.monotonic() - started, "finished": True})
    say(b"r" + json.dumps(record).encode("ascii"))


def _use_caches(ground: Ground, delta: Delta, learning: bool) -> None:
    """Where byte code lies; in folders of our own, beside the tree. Only the untouched run writes it."""
    sys.pycache_prefix = os.path.join(ground.tools, "cache")
    sys.dont_write_bytecode = not learning
    for path in delta.files:
        folder, name = os.path.split(os.path.join(ground.tree.root, path))
        place = sys.pycache_prefix + folder
        for entry in os.listdir(place) if os.path.isdir(place) else []:
            if entry.startswith(name.partition(".")[0] + "."):
                os.unlink(os.path.join(place, entry))


def _replaced(ground: Ground, delta: Delta, say: Say) -> None:
    """In the child: become a new process, as a fresh run would be."""
    ground.tree.apply(delta.files)
    job = {**ground.job, "only": None if delta.tests is None else list(delta.tests)}
    with open(os.path.join(ground.tools, "job.json"), "w", encoding="utf-8") as stream:
        json.dump(job, stream)
    os.dup2(say.descriptor, 1)
    os.execv(sys.executable, [sys.executable, "-I", "-B", os.path.join(ground.tools, "launch.py")])


class Progress:
    """Says which test starts, so that one that hangs is found out."""

    def __init__(self, say: Say) -> None:
        self._say = say

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._say(b"t" + nodeid.encode("utf-8", "surrogateescape").replace(b"\n", b" "))


class Chosen:
    """Keeps pytest from collecting files that none of the wanted tests is in."""

    def __init__(self, tests: "tuple[str, ...]") -> None:
        self._files = {name.split("::")[0] for name in tests}

    def pytest_ignore_collect(self, collection_path: Any, config: Any) -> Optional[bool]:
        if os.path.isdir(str(collection_path)) or os.path.basename(str(collection_path)) == "__init__.py":
            return None
        path = os.path.relpath(str(collection_path), str(config.rootpath)).replace(os.sep, "/")
        return None if path in self._files else True


def _chosen(delta: Delta) -> List[object]:
    return [] if delta.tests is None else [Chosen(delta.tests)]
