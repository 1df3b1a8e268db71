"""Corpora that a user brings become tasks: red before, green with the known fix, and judged by what the engine cannot see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import corpora
import pytest
from factories import write

from bench.readers import bugsinpy, humaneval, quixbugs, swebench
from bench.readers.place import Place
from bench.tasks import BenchTask
from bot.errors import Refused


@pytest.fixture
def history(tmp_path) -> corpora.History:
    return corpora.History(tmp_path)


def passes(folder: Path, tree: dict[str, bytes], *args: str) -> bool:
    """Whether pytest, as it is run by hand, is green on a tree."""
    write(folder, tree)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = {**plain, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    argv = [
        sys.executable,
        "-B",
        "-m",
        "pytest",
        "-q",
        "-c",
        os.devnull,
        f"--rootdir={folder}",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run([*argv, *args], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stdout
    return done.returncode == 0


def is_sound(task: BenchTask, folder: Path) -> None:
    """Red before, green with the known fix; what judges is red before and green after."""
    assert not passes(folder / "before", task.faulty(), *task.pytest_args)
    assert passes(folder / "after", task.fixed(), *task.pytest_args)
    judges = [path for path in task.hidden() if Path(path).name.startswith("test_")] or list(task.must_pass)
    assert not passes(folder / "judged", {**task.faulty(), **task.hidden()}, *judges)
    assert passes(folder / "proven", {**task.fixed(), **task.hidden()}, *judges)


def test_quixbugs_tasks_are_sound(tmp_path):
    suite = quixbugs.read(Place(corpora.quixbugs(tmp_path / "corpus")))
    assert [task.name for task in suite.tasks] == ["count", "middle"]
    assert suite.notes == ("untested is left out: it has neither python_testcases nor json_testcases",)
    for task in suite.tasks:
        is_sound(task, tmp_path / task.name)


def test_corrected_programs_of_quixbugs_stay_hidden(tmp_path):
    for task in quixbugs.read(Place(corpora.quixbugs(tmp_path))).tasks:
        assert not [path for path in task.faulty() if "correct" in path]
        assert task.expected_files == (f"python_programs/{task.name}.py",)


def test_answers_learned_by_heart_do_not_pass_for_a_repair(tmp_path):
    """They satisfy all cases of the corpus, and not what the corrected program says of recombined ones."""
    (task,) = quixbugs.read(Place(corpora.quixbugs(tmp_path / "corpus"), wanted=lambda name: name == "middle")).tasks
    known = "{str([3, 1, 2]) + '0': 2, '[5]1': 6, str([4, 9, 1, 7, 2]) + '0': 4}"
    by_heart = f"def middle(values, low):\n    return {known}.get(str(values) + str(low), 0)\n".encode()
    tree = {**task.faulty(), "python_programs/middle.py": by_heart}
    assert passes(tmp_path / "visible", tree)
    assert not passes(tmp_path / "hidden", {**tree, **task.hidden()}, "python_testcases/test_middle_judged.py")


def test_program_that_does_not_end_is_red_and_no_hang(tmp_path):
    (task,) = quixbugs.read(Place(corpora.quixbugs(tmp_path / "corpus"), wanted=lambda name: name == "middle")).tasks
    endless = b"def middle(values, low):\n    while True:\n        pass\n"
    shorter = task.faulty()["conftest.py"].replace(b"ITIMER_REAL, 5", b"ITIMER_REAL, 0.2")
    tree = {**task.faulty(), "conftest.py": shorter, "python_programs/middle.py": endless}
    assert not passes(tmp_path / "run", tree)


def test_humaneval_tasks_are_sound(tmp_path):
    suite = humaneval.read(Place(corpora.humaneval(tmp_path / "pack.jsonl")))
    assert [(task.name, task.kind) for task in suite.tasks] == [
        ("python-0", "excess logic"),
        ("python-1", "excess logic"),
    ]
    assert suite.notes == ("python-2 is left out: it has no example tests",)
    for task in suite.tasks:
        is_sound(task, tmp_path / task.name)


def test_only_file_of_a_humaneval_checkout_is_found(tmp_path):
    (tmp_path / "data/python/data").mkdir(parents=True)
    corpora.humaneval(tmp_path / "data/python/data/pack.jsonl")
    assert len(humaneval.read(Place(tmp_path)).tasks) == 2
    corpora.humaneval(tmp_path / "data/python/data/other.jsonl")
    with pytest.raises(Refused, match=r"several files: other.jsonl, pack.jsonl.*Give one"):
        humaneval.read(Place(tmp_path))


def test_swebench_tasks_are_sound(history, tmp_path):
    suite = swebench.read(Place(history.swebench(tmp_path / "some.jsonl")))
    (task,) = suite.tasks
    assert (task.name, task.title, task.kind) == ("ada__sums-1", "The total is one too many", "ada/sums")
    assert task.must_pass == ("tests/test_sums.py::test_total", "test_old.py::test_old")
    assert task.pytest_args == ("test_old.py", "tests/test_sums.py")
    assert task.expected_files == ("sums.py",)
    is_sound(task, tmp_path / "run")


def test_instances_with_other_test_names_are_left_out_and_named(history, tmp_path):
    path = history.swebench(tmp_path / "some.jsonl", PASS_TO_PASS=["test_old (tests.Old)"])
    path.write_text(path.read_text() + history.swebench(tmp_path / "other.jsonl", instance_id="two").read_text())
    suite = swebench.read(Place(path, history.mirrors))
    assert [task.name for task in suite.tasks] == ["two"]
    assert suite.notes == ("ada__sums-1 is left out: its tests are not named as pytest does",)


@pytest.mark.parametrize(
    "command",
    ["pytest tests/test_sums.py::test_total", "python -m pytest -q -s tests/test_sums.py::test_total  # one"],
)
def test_bugsinpy_tasks_are_sound(history, tmp_path, command):
    suite = bugsinpy.read(Place(history.bugsinpy(tmp_path / "corpus", command), history.mirrors))
    (task,) = suite.tasks
    assert (task.name, task.kind) == ("sums/1", "ada/sums")
    assert task.failing == task.must_pass == ("tests/test_sums.py::test_total",)
    assert task.faulty()["requirements.txt"] == b"attrs\n"
    is_sound(task, tmp_path / "run")


def test_unittest_names_of_bugsinpy_are_translated(history, tmp_path):
    corpus = history.bugsinpy(tmp_path / "corpus", "python -m unittest -q tests.test_sums.Sums.test_total")
    (task,) = bugsinpy.read(Place(corpus, history.mirrors)).tasks
    assert task.failing == ("tests/test_sums.py::Sums::test_total",)


def test_mirror_is_only_read(history, tmp_path):
    def state() -> set[str]:
        return {str(path) for path in history.mirrors.rglob("*")}

    before = state()
    swebench.read(Place(history.swebench(tmp_path / "some.jsonl"), history.mirrors))
    bugsinpy.read(Place(history.bugsinpy(tmp_path / "corpus"), history.mirrors))
    assert state() == before


@pytest.mark.parametrize(
    ("make", "reader", "message"),
    [
        (lambda folder: None, quixbugs, r"no folder python_programs\..*git clone"),
        (lambda folder: (folder / "python_programs").mkdir(), quixbugs, "no folder correct_python_programs"),
        (lambda folder: None, humaneval, "no JSON Lines file.*--from"),
        (lambda folder: (folder / "a.jsonl").write_text("nope"), humaneval, r"a.jsonl:1 is not JSON"),
        (lambda folder: (folder / "a.jsonl").write_text("3"), humaneval, r"a.jsonl:1 is no JSON object"),
        (
            lambda folder: (folder / "a.jsonl").write_text('\n{"task_id": 1}'),
            humaneval,
            "a.jsonl:2 has no declaration",
        ),
        (lambda folder: (folder / "a.jsonl").write_text(""), humaneval, "No task of HumanEvalPack"),
        (lambda folder: (folder / "a.jsonl").write_bytes(b"\xff"), humaneval, "is not UTF-8"),
        (lambda folder: (folder / "a.jsonl").write_text("{}"), swebench, "no folder of git mirrors.*--mirrors"),
        (lambda folder: None, bugsinpy, "no folder projects"),
    ],
)
def test_what_is_no_corpus_is_refused_with_a_remedy(tmp_path, make, reader, message):
    make(tmp_path)
    with pytest.raises(Refused, match=message):
        reader.read(Place(tmp_path))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"repo": "ada/other"}, "no mirror of ada/other.*git clone --mirror"),
        ({"base_commit": "0" * 40}, "has no commit 000000.*git fetch"),
        ({"patch": "--- a/nope.py\n+++ b/nope.py\n@@ -1 +1 @@\n-a\n+b\n"}, "does not apply"),
        ({"FAIL_TO_PASS": "nope"}, "FAIL_TO_PASS of ada__sums-1 is no list"),
    ],
)
def test_instance_that_does_not_fit_its_mirror_is_refused(history, tmp_path, changes, message):
    with pytest.raises(Refused, match=message):
        swebench.read(Place(history.swebench(tmp_path / "some.jsonl", **changes), history.mirrors))


def test_only_wanted_tasks_are_read(history, tmp_path):
    path = history.swebench(tmp_path / "some.jsonl", instance_id="broken", base_commit="0" * 40)
    with path.open("a") as stream:
        stream.write(json.dumps({**json.loads(path.read_text()), "instance_id": "fine", "base_commit": history.base}))
    assert [task.name for task in swebench.read(Place(path, wanted=lambda name: name == "fine")).tasks] == ["fine"]
