"""Tests that run the code in a process of its own: its lines are seen there, and repairs reach it."""

from __future__ import annotations

from pathlib import Path

import pytest
from searchbox import FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of

from bot.engines.search.engine import SearchEngine

TOOL = {
    "tally/__init__.py": "",
    "tally/__main__.py": """
        import sys

        from tally.count import words

        if __name__ == "__main__":
            print(words(sys.argv[1]))
    """,
    "tally/count.py": """
        def lines(text):
            return len(text.splitlines())


        def words(text):
            return len(text.split()) - 1
    """,
    "tally/other.py": "\n".join(f"def f{n}(a, b):\n    return a < b or a + {n}\n\n" for n in range(30)),
}

RUNS = {
    "inherited environment": """
        import subprocess
        import sys


        def said(*words):
            return subprocess.run([sys.executable, "-m", "tally", *words], capture_output=True, text=True).stdout


        def test_words():
            assert said("one two three") == "3\\n"


        def test_no_words():
            assert said("one") != "1"
    """,
    "environment of its own": """
        import subprocess
        import sys


        def test_words():
            command = [sys.executable, "-m", "tally", "one two three"]
            assert subprocess.run(command, capture_output=True, env={}, text=True).stdout == "3\\n"
    """,
}


@pytest.mark.parametrize("test", RUNS.values(), ids=list(RUNS))
def test_code_that_runs_in_a_process_of_its_own_is_repaired(test: str, tmp_path: Path) -> None:
    tree = tree_of({**TOOL, "tests/test_tool.py": test})
    failure = failure_of(run_suite(FolderSession(tmp_path / "before"), tree, launch_of(tree)))
    assert [case.id for case in failure.targets] == ["tests/test_tool.py::test_words"]
    session = FolderSession(tmp_path / "search")
    proposals = SearchEngine().propose(failure, workbench_of(tree, session, budget_s=40.0))
    assert proposals.candidates, (proposals.stats, session.output.decode()[-2000:])
    assert b"len(text.split())\n" in (proposals.candidates[0].patch.files["tally/count.py"] or b"")
