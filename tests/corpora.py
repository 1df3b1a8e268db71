"""Small corpora in the layouts that the readers know, written for the tests."""

from __future__ import annotations

import json
from pathlib import Path

from factories import git, make_checkout, write

MIDDLE = (
    'def middle(values, low):\n    return sorted(values)[len(values) // {by}] + low\n\n\n"""\nThe middle one.\n"""\n'
)
COUNT = "from .node import Node  # noqa: F401\n\n\ndef count(node):\n    return 0 if node is None else {one} + count(node.next)\n"


def quixbugs(folder: Path) -> Path:
    """Two programs with data (one without a test file), one on nodes, one that nobody tests."""
    cases = [[[[3, 1, 2], 0], 2], [[[5], 1], 6], [[[4, 9, 1, 7, 2], 0], 4]]
    write(
        folder,
        {
            "README.md": "",
            "python_programs/middle.py": MIDDLE.format(by=3),
            "correct_python_programs/middle.py": MIDDLE.format(by=2),
            "json_testcases/middle.json": "".join(f"{json.dumps(case)}\n" for case in cases),
            "python_programs/node.py": "class Node:\n    def __init__(self, next=None):\n        self.next = next\n",
            "python_programs/count.py": COUNT.format(one=2),
            "correct_python_programs/count.py": COUNT.format(one=1),
            "python_testcases/node.py": "class Node:\n    def __init__(self, next=None):\n        self.next = next\n",
            "python_testcases/test_count.py": (
                "import pytest\nfrom node import Node\n\n"
                "if pytest.use_correct:\n    from correct_python_programs.count import count\n"
                "else:\n    from python_programs.count import count\n\n\n"
                "def test_count():\n    assert count(Node(Node())) == 2\n"
            ),
            "python_programs/untested.py": "A = 1\n",
            "correct_python_programs/untested.py": "A = 2\n",
        },
    )
    return folder


def humaneval(path: Path) -> Path:
    """One function with example tests as a function, one with bare asserts, one without any."""
    add = {
        "task_id": "Python/0",
        "declaration": "from typing import List\n\n\ndef total(values: List[int]) -> int:\n",
        "buggy_solution": "    return sum(values) + 1\n",
        "canonical_solution": "    return sum(values)\n",
        "example_test": "def check(total):\n    assert total([1, 2]) == 3\ncheck(total)\n",
        "test": "def check(total):\n    assert total([1, 2]) == 3\n    assert total([]) == 0\n\ncheck(total)\n",
        "entry_point": "total",
        "bug_type": "excess logic",
        "failure_symptoms": "incorrect output",
    }
    bare = {
        **add,
        "task_id": "Python/1",
        "example_test": "assert total([1]) == 1\n",
        "test": "\nassert total([]) == 0",
    }
    none = {**add, "task_id": "Python/2", "example_test": ""}
    path.write_text("".join(f"{json.dumps(one)}\n" for one in (add, bare, none)))
    return path


class History:
    """A repository with a bug, its fix and the test of the fix, in a folder of mirrors."""

    def __init__(self, folder: Path, name: str = "ada__sums.git") -> None:
        source = make_checkout(
            folder / "source",
            {
                "sums.py": "def total(values):\n    return sum(values) + 1\n",
                "test_old.py": "def test_old():\n    pass\n",
            },
        )
        self.base = git(source, "rev-parse", "HEAD")
        test = "from sums import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
        write(source, {"sums.py": "def total(values):\n    return sum(values)\n", "tests/test_sums.py": test})
        git(source, "add", "-A")
        git(source, "commit", "-q", "-m", "Fix")
        self.fixed = git(source, "rev-parse", "HEAD")
        self.patch = git(source, "diff", self.base, self.fixed, "--", "sums.py") + "\n"
        self.test_patch = git(source, "diff", self.base, self.fixed, "--", "tests") + "\n"
        self.mirrors = folder / "mirrors"
        self.mirrors.mkdir()
        git(folder, "clone", "-q", "--mirror", str(source), str(self.mirrors / name))

    def swebench(self, path: Path, **changes: object) -> Path:
        record = {
            "instance_id": "ada__sums-1",
            "repo": "ada/sums",
            "base_commit": self.base,
            "patch": self.patch,
            "test_patch": self.test_patch,
            "problem_statement": "The total is one too many\n\nAlways.",
            "FAIL_TO_PASS": json.dumps(["tests/test_sums.py::test_total"]),
            "PASS_TO_PASS": ["test_old.py::test_old"],
            **changes,
        }
        path.write_text(json.dumps(record) + "\n")
        return path

    def bugsinpy(self, folder: Path, command: str = "pytest tests/test_sums.py::test_total") -> Path:
        write(
            folder,
            {
                "projects/sums/project.info": 'github_url="https://github.com/ada/sums"\nstatus="OK"\n',
                "projects/sums/bugs/1/bug.info": (
                    f'python_version="3.8.3"\nbuggy_commit_id="{self.base}"\nfixed_commit_id="{self.fixed}"\n'
                    'test_file="tests/test_sums.py"\n'
                ),
                "projects/sums/bugs/1/bug_patch.txt": self.patch,
                "projects/sums/bugs/1/run_test.sh": f"{command}\n",
                "projects/sums/bugs/1/requirements.txt": "attrs\n",
            },
        )
        return folder
