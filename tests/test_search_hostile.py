"""Candidates that loop, fork, leave, delete, kill and flood: the search goes on, and the tree stays as it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from searchbox import FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of

from bot.engines.search.engine import SearchEngine
from bot.engines.search.inside.guard import Restored, TreeGuard

HAZARDS = {
    "leaves": "os._exit(0)",
    "exits": "sys.exit(0)",
    "kills its group": "os.killpg(0, 9)",
    "deletes the tree": "shutil.rmtree(os.getcwd())",
    "overwrites the tests": 'open("tests/test_sums.py", "w").write("def test_sum(): pass")',
    "forks": "os.fork()",
    "forks away": "os.fork() or os.setsid() or time.sleep(600)",
    "floods": 'os.write(1, b"x" * 10_000_000)',
    "sleeps": "time.sleep(600)",
    "hoards": "bytearray(10**11)",
    "ignores the clock": "spin()",
    "patches pytest": "pytest.raises.__globals__.clear()",
    "closes everything": "os.closerange(0, 256)",
    "changes folder": 'os.chdir("/")',
}

SUMS = """
import os
import shutil
import sys
import time

import pytest


def spin():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


def total(values, risky=False):
    result = 0
    if risky:
        HAZARD
    for value in values:
        result -= value
    return result


def first(values):
    return values[0]
"""
TESTS = """
from sums import first, total


def test_sum():
    assert total([1, 2]) == 3


def test_first():
    assert first([4, 5]) == 4
"""


@pytest.mark.parametrize("hazard", HAZARDS.values(), ids=HAZARDS)
def test_search_survives_a_candidate_that(hazard: str, tmp_path: Path):
    tree = tree_of({"sums.py": SUMS.replace("HAZARD", hazard), "tests/test_sums.py": TESTS})
    failure = failure_of(run_suite(FolderSession(tmp_path / "before"), tree, launch_of(tree)))
    session = FolderSession(tmp_path / "search")
    proposals = SearchEngine().propose(failure, workbench_of(tree, session, budget_s=20))
    assert proposals.candidates, (proposals.stats, session.output.decode()[-2000:])
    # `return -result` mends it too, and which of the two comes first is not what this test is about.
    mended = [candidate.patch.files["sums.py"] or b"" for candidate in proposals.candidates]
    assert any(b"result += value" in text for text in mended)
    for path, file in tree.items():
        assert (session.folder / "w" / path).read_bytes() == file.data


SLOW_HARM = """
import os
import time


def rated(amount, fresh=False):
    if fresh:
        os.remove("rates.txt")
        time.sleep(0.4)
    with open("rates.txt") as file:
        rate = int(file.read())
    return amount - rate
"""
RATED = """
from rates import rated


def test_rated():
    assert rated(3) == 5
    assert rated(10) == 12
"""


def test_search_tries_again_what_ran_while_another_candidate_had_spoiled_the_tree(tmp_path: Path):
    files = {"rates.py": SLOW_HARM, "rates.txt": "2", "tests/test_rates.py": RATED}
    tree = tree_of(files)
    failure = failure_of(run_suite(FolderSession(tmp_path / "before"), tree, launch_of(tree)))
    session = FolderSession(tmp_path / "search")
    proposals = SearchEngine().propose(failure, workbench_of(tree, session, budget_s=20))
    assert [b"return amount + rate" in (one.patch.files["rates.py"] or b"") for one in proposals.candidates[:1]] == [
        True
    ]
    assert (session.folder / "w" / "rates.txt").read_text() == "2"


def test_a_file_written_anew_with_the_same_contents_spoils_nothing(tmp_path: Path):
    for name in ("same.txt", "other.txt", "gone.txt"):
        (tmp_path / name).write_text("1")
    guard = TreeGuard(str(tmp_path))
    here = Path.cwd()
    try:
        assert guard.restore() == Restored()
        (tmp_path / "same.txt").write_text("1")
        (tmp_path / "new.txt").write_text("1")
        assert guard.restore() == Restored(anything=True)
        (tmp_path / "other.txt").write_text("2")
        (tmp_path / "gone.txt").unlink()
        assert guard.restore() == Restored(anything=True, spoiled=frozenset({"other.txt", "gone.txt"}))
    finally:
        os.chdir(here)
    assert sorted((path.name, path.read_text()) for path in tmp_path.iterdir()) == [
        ("gone.txt", "1"),
        ("other.txt", "1"),
        ("same.txt", "1"),
    ]
