"""The warm pytest: it says what a fresh run says, by both of its paths, and leaves nothing behind."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping

import pytest
from factories import files
from warmprojects import PROJECTS, STATE, SWAPS, Project

from bot.nouns import TestRun
from bot.toolchains import python, python_warm
from sandbox import Delta, DeltaReport, Limits, Sandbox, Session

LIMITS = Limits(timeout_s=240)
ADDRESS = re.compile("0x[0-9a-f]+")


@pytest.fixture(scope="module")
def session(backend) -> Session:
    """Boxes with pytest in them."""
    sandbox: Sandbox = backend.sandbox
    recipe, _notes = python.recipe(files({"requirements.txt": ""}))
    return sandbox.session(sandbox.prepare(recipe))


def stream(
    session: Session, contents: Mapping[str, str], deltas: Iterable[Delta], *, fast: bool = True, workers: int = 1
) -> dict[str, DeltaReport]:
    tree = files(contents)
    server = python_warm.warm(tree, python.launch(tree), fast=fast)
    return {report.id: report for report in session.run_many(server, deltas, LIMITS, workers=workers)}


def read(report: DeltaReport) -> TestRun:
    run = None if report.report is None else python.read(report.report)
    assert run is not None, report
    return run


def path_of(report: DeltaReport) -> str:
    assert report.report is not None, report
    return json.loads(report.report)["path"]


def fresh(session: Session, contents: Mapping[str, str]) -> TestRun:
    tree = files(contents)
    ran = session.run(python.suite(tree, python.launch(tree)), LIMITS)
    run = python.parse(ran)
    assert run is not None, ran.output.decode()
    return run


def told(run: TestRun, only: Iterable[str] | None = None) -> dict[str, object]:
    """All that a run says of its tests, besides how long they took."""
    cases = [case for case in run.cases if only is None or case.id in only]
    return {
        case.id: dataclasses.replace(case, seconds=0.0, message=ADDRESS.sub("0x", case.message)) for case in cases
    }


def delta(name: str, contents: Mapping[str, str | None], **rest) -> Delta:
    return Delta(name, {path: None if text is None else text.encode() for path, text in contents.items()}, **rest)


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_warm_run_says_what_a_fresh_run_says(session: Session, project: Project) -> None:
    """Unchanged; with a changed function, by both paths; with a change that no function holds."""
    changed = {**project.files, **project.changed}
    new = {path: text for path, text in {**project.files, **project.moved}.items() if text is not None}
    once, patched, moved = (fresh(session, each) for each in (project.files, changed, new))
    red = [case.id for case in patched.red() if "::" in case.id]
    found = stream(
        session,
        project.files,
        [
            delta("fast", project.changed),
            delta("some", project.changed, tests=tuple(red)),
            delta("moved", project.moved),
            delta("same", {}),
        ],
    )
    slow = stream(session, project.files, [delta("slow", project.changed)], fast=False)
    assert red
    assert told(read(found["same"])) == told(once)
    assert told(read(found["fast"])) == told(patched)
    assert told(read(slow["slow"])) == told(patched)
    assert told(read(found["moved"])) == told(moved)
    assert told(read(found["some"]), red) == told(patched, red)
    assert [read(found[name]).exit_code for name in ("same", "fast")] == [once.exit_code, patched.exit_code]
    assert (path_of(found["moved"]), path_of(slow["slow"])) == ("slow", "slow")
    assert path_of(found["fast"]) == project.path


@pytest.mark.parametrize("stop", [True, False], ids=["stop at first", "run all"])
def test_both_paths_agree_on_every_candidate(session: Session, stop: bool) -> None:
    """Wrong ones, right ones, such that raise, loop, leave, print, recurse, and such that only the slow path can do."""
    deltas = [
        Delta(name, {"shop.py": text.encode()}, None, stop, cpu_s=2.0, wall_s=30.0)
        for name, (text, _path) in SWAPS.candidates.items()
    ]
    by_fast, by_slow = (stream(session, SWAPS.files, deltas, fast=fast, workers=2) for fast in (True, False))
    assert set(by_fast) == set(by_slow) == set(SWAPS.candidates)
    for name, (_text, path) in SWAPS.candidates.items():
        one, two = by_fast[name], by_slow[name]
        assert (one.died, one.timed_out) == (two.died, two.timed_out), name
        if one.report is not None and two.report is not None:
            assert told(read(one)) == told(read(two)), name
            assert path_of(one) == path, name
        else:
            assert one.report is two.report is None, name


def test_candidates_of_one_batch_do_not_meet(session: Session) -> None:
    """One of them spoils a global that a later one depends on: the fork shows it, and all of them run alone."""
    base = "SEEN = []\n\n\ndef add(a, b):\n    return a - b\n\n\ndef seen():\n    return SEEN\n"
    contents = {
        "shop.py": base,
        "test_shop.py": "import shop\n\ndef test_add():\n    assert not shop.seen()\n    assert shop.add(1, 2) == 3\n",
    }
    bodies = {"spoil": "SEEN.append(1)", "right": "return a + b", "wrong": "return a * b"}
    deltas = [delta(name, {"shop.py": base.replace("return a - b", body)}) for name, body in bodies.items()]
    found = {name: read(report).results() for name, report in stream(session, contents, deltas).items()}
    assert {name: result["test_shop.py::test_add"] for name, result in found.items()} == {
        "spoil": "failed",
        "right": "passed",
        "wrong": "failed",
    }


def state(report: DeltaReport) -> dict[str, object]:
    """What the looking test saw, out of its message."""
    (case,) = [case for case in read(report).cases if case.id.endswith("test_look")]
    found: dict[str, object] = json.loads(case.message.partition("STATE")[2].partition("END")[0])
    return found


@pytest.mark.parametrize("outside", [False, True], ids=["function", "module"])
def test_nothing_is_left_behind(session: Session, outside: bool) -> None:
    """After each misdeed, by either path, the next run sees what the first one saw."""
    deltas = [delta("look 0", {})]
    for name, body in STATE.misdeeds.items():
        text = STATE.with_body(body, outside=outside)
        deltas.append(delta(name, {"deed.py": text}, cpu_s=1.0, wall_s=5.0))
        deltas.append(delta(f"look after {name}", {}))
    found = stream(session, STATE.files, deltas)
    first = state(found["look 0"])
    assert first["modules"] is False
    for name, report in found.items():
        if name.startswith("look"):
            seen = state(report)
            assert {key: (seen[key], first[key]) for key in first if seen[key] != first[key]} == {}, name
    assert {name for name in STATE.misdeeds if found[name].report is None} == STATE.without_report


def test_killing_the_server_costs_only_the_culprit(session: Session) -> None:
    """By its own parent's number; the box is replaced."""
    kill = STATE.with_body(
        "import os, signal\n    for pid in (os.getppid(),):\n        os.kill(pid, 9)", outside=True
    )
    deltas = [delta("a", {}), delta("kill", {"deed.py": kill}), delta("b", {}), delta("c", {})]
    found = stream(session, STATE.files, deltas)
    assert {name for name, report in found.items() if report.report is None} == {"kill"}
    assert found["kill"].died


def test_new_file_may_take_the_place_of_a_library(session: Session) -> None:
    """A library that is imported already would hide it."""
    contents = {
        "shop.py": "import colorsys\n\n\ndef name():\n    return colorsys.__name__ + str(hasattr(colorsys, 'mine'))\n",
        "test_shop.py": "import shop\n\ndef test_name():\n    assert shop.name() == 'colorsysTrue'\n",
    }
    found = stream(session, contents, [delta("before", {}), delta("after", {"colorsys.py": "mine = 1\n"})])
    assert [read(found[name]).exit_code for name in ("before", "after")] == [1, 0]


def test_changed_configuration_is_obeyed(session: Session) -> None:
    contents = {"test_a.py": "def test_a():\n    pass\n", "pytest.ini": "[pytest]\n"}
    ini = {"pytest.ini": "[pytest]\npython_functions = check_*\n"}
    more = {"conftest.py": "import pytest\n\n@pytest.fixture(autouse=True)\ndef all():\n    pytest.skip('no')\n"}
    found = stream(session, contents, [delta("ini", ini), delta("conftest", more), delta("none", {})])
    assert read(found["ini"]).exit_code == 5
    assert read(found["conftest"]).results() == {"test_a.py::test_a": "skipped"}
    assert read(found["none"]).results() == {"test_a.py::test_a": "passed"}


def test_test_that_hangs_is_stopped_long_before_the_run_is(session: Session) -> None:
    """It took no time before the change; so it gets a few seconds, not the ten minutes of the run."""
    contents = {
        "shop.py": "WAIT_S = 0\n",
        "test_shop.py": "import shop, time\n\ndef test_a():\n    time.sleep(shop.WAIT_S)\n",
    }
    hang = delta("hang", {"shop.py": "WAIT_S = 600\n"}, wall_s=600.0)
    found = stream(session, contents, [hang, delta("fine", {})])
    assert (found["hang"].report, found["hang"].timed_out) == (None, True)
    assert read(found["fine"]).exit_code == 0
