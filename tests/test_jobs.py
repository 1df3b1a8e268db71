"""Durable jobs on a real SQLite file: memory of steps, one job for a key, one process for a database."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot import jobs
from bot.engines.contract import Proposals
from bot.errors import Refused, TryLater
from bot.gate.baseline import Baseline
from bot.jobs import JobEngine, decode, encode
from bot.nouns import Candidate, Frame, Patch, SearchStats, TestCase
from bot.pipeline import StepRunner
from bot.work import Prepared, Proposed, Reproduced


def eventually(holds: Callable[[], bool], *, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "this did not come true in time"
        time.sleep(0.05)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., JobEngine]]:
    running: list[JobEngine] = []

    def make(flows: dict[str, jobs.Flow], **more: Any) -> JobEngine:
        engine = JobEngine(tmp_path / "jobs.sqlite", flows, **more)
        engine.start()
        running.append(engine)
        return engine

    yield make
    for engine in running:
        engine.stop()


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Proposed, Proposed(Proposals((Candidate(Patch({"a": b"\xff\0", "b": None}), "e", "o", "r"),), SearchStats()))),
        (Reproduced, Reproduced("red", Baseline((TestCase("a", "failed", frames=(Frame("x", 1, "f"),)),), frozenset({"b"}), {"a": "failed"}))),
        (bool, True),
    ],
    ids=["bytes and deletions", "sets and frames", "plain"],
)  # fmt: skip
def test_step_results_survive_storage(kind: type[Any], value: Any) -> None:
    assert decode(kind, encode(kind, value)) == value


def test_one_key_is_one_flow(start: Callable[..., JobEngine]) -> None:
    seen: list[Any] = []
    engine = start({"note": lambda payload, step: seen.append(payload)})
    assert engine.submit("note", "k", {"n": 1}, partition="p")
    assert not engine.submit("note", "k", {"n": 2}, partition="p")
    eventually(lambda: engine.state("k") == "SUCCESS")
    assert not engine.submit("note", "k", {"n": 3}, partition="p")
    assert seen == [{"n": 1}]


def test_flow_that_starts_a_known_one_goes_on(start: Callable[..., JobEngine]) -> None:
    """Two reports of one failure: the second finds the repair that the first one started."""
    told: list[bool] = []

    def report(payload: dict[str, Any], step: StepRunner) -> None:
        told.append(engine.submit("repair", "the-repair", {}, partition="p"))

    engine = start({"report": report, "repair": lambda payload, step: None})
    for key in ("one", "two"):
        engine.submit("report", key, {}, partition="q")
        eventually(lambda key=key: engine.state(key) in ("SUCCESS", "ERROR"))
    assert told == [True, False]
    assert engine.state("two") == "SUCCESS"


def test_waiting_flow_is_listed_and_never_runs_once_it_is_cancelled(start: Callable[..., JobEngine]) -> None:
    seen: list[Any] = []
    engine = start({"note": lambda payload, step: seen.append(payload["n"])})
    engine.submit("note", "later:1", {"n": 1}, partition="p", delay_s=1.5)
    engine.submit("note", "later:2", {"n": 2}, partition="p", delay_s=1.5)
    assert [payload["n"] for payload in engine.active("note", "later:")] == [1, 2]
    engine.cancel("later:1")
    eventually(lambda: seen == [2])
    assert engine.state("later:1") == "CANCELLED"
    eventually(lambda: engine.active("note", "later:") == [])


def test_short_flows_do_not_wait_for_long_ones(start: Callable[..., JobEngine]) -> None:
    free = threading.Event()
    engine = start({"long": lambda payload, step: free.wait(20) and None, "short": lambda payload, step: free.set()})
    engine.submit("long", "l", {}, partition="p")
    eventually(lambda: engine.state("l") == "PENDING")
    engine.submit("short", "s", {}, partition="p", queue=jobs.DOOR)
    eventually(lambda: engine.state("l") == "SUCCESS", seconds=15)


def test_flows_of_one_partition_run_one_after_the_other(start: Callable[..., JobEngine]) -> None:
    running: list[str] = []
    overlaps: list[list[str]] = []

    def flow(payload: dict[str, Any], step: StepRunner) -> None:
        running.append(payload["id"])
        overlaps.append(list(running))
        time.sleep(0.2)
        running.remove(payload["id"])

    engine = start({"slow": flow}, workers=4)
    for number in range(4):
        engine.submit("slow", f"k{number}", {"id": str(number)}, partition="same")
    eventually(lambda: engine.counts().get("SUCCESS") == 4)
    assert all(len(together) == 1 for together in overlaps)


def test_busy_other_side_is_tried_again(start: Callable[..., JobEngine]) -> None:
    tries: list[int] = []

    def act() -> Prepared:
        tries.append(1)
        if len(tries) < 3:
            raise TryLater("busy", after_s=0.01)
        return Prepared("image")

    engine = start({"f": lambda payload, step: step("one", Prepared, act) and None})
    engine.submit("f", "k", {}, partition="p")
    eventually(lambda: engine.state("k") == "SUCCESS")
    assert len(tries) == 3


def test_failed_flow_is_told_of(start: Callable[..., JobEngine]) -> None:
    told: list[tuple[str, dict[str, Any], str]] = []

    def flow(payload: dict[str, Any], step: StepRunner) -> None:
        raise RuntimeError("broken")

    engine = start({"f": flow}, failed=lambda name, payload, error: told.append((name, payload, str(error))))
    engine.submit("f", "k", {"a": 1}, partition="p")
    eventually(lambda: engine.state("k") == "ERROR")
    assert told == [("f", {"a": 1}, "broken")]


def test_second_process_on_one_database_is_refused(start: Callable[..., JobEngine], tmp_path: Path) -> None:
    start({})
    with pytest.raises(Refused, match="Another process"):
        JobEngine(tmp_path / "jobs.sqlite", {}).start()


WORKER = """
import os, sys, time
from pathlib import Path
from bot.jobs import JobEngine

folder = Path(sys.argv[1])

def step_of(name, seconds):
    def act():
        with (folder / "ran").open("a") as stream:
            stream.write(name + "\\n")
        time.sleep(seconds)
        return True
    return act

def flow(payload, step):
    step("one", bool, step_of("one", 0))
    step("two", bool, step_of("two", 2))
    step("three", bool, step_of("three", 0))

engine = JobEngine(folder / "jobs.sqlite", {"f": flow})
engine.start()
engine.submit("f", "k", {}, partition="p")
while engine.state("k") != "SUCCESS":
    time.sleep(0.05)
os._exit(0)
"""


def test_killed_process_loses_no_job_and_repeats_no_finished_step(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", WORKER, str(tmp_path)]
    ran = tmp_path / "ran"
    first = subprocess.Popen(argv, cwd=Path(jobs.__file__).parent.parent)
    eventually(lambda: ran.exists() and "two" in ran.read_text())
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    subprocess.run(argv, cwd=Path(jobs.__file__).parent.parent, check=True, timeout=60)
    assert ran.read_text().split() == ["one", "two", "two", "three"]
