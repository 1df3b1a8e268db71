"""Suites that are hard to judge: the right verdict or a clear "cannot judge", and never `accepted` by default."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories import files
from gateboxes import CountedBoxes, case_of, image, judged

from bench.score import committed
from bot.gate.layer import Options
from bot.nouns import Patch
from bot.work import Means, Prepared, Task, Work
from sandbox import Image, Limits


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


FAULTY = "def f(n):\n    return n + n + n\n"
FIXED = "def f(n):\n    return n + n\n"


@pytest.mark.parametrize(
    "test",
    [
        "import os\nimport tempfile\nfrom m import f\n\nos.mkdir(tempfile.gettempdir() + '/only-once')\n\n\ndef test_f():\n    assert f(2) == 4\n",
        "import socket\nfrom m import f\n\nserver = socket.create_server(('127.0.0.1', 8123))\n\n\ndef test_f():\n    assert f(2) == 4\n",
        "import pytest\nfrom m import f\n\n\n@pytest.mark.parametrize('n', [1, 2], ids=['a\\nb', 'c::d[e]'])\ndef test_f(n):\n    assert f(n) == 2 * n\n",
        "def load():\n    '''\n    >>> load()(2)\n    4\n    '''\n    from m import f\n    return f\n",
        "import unittest\nfrom m import f\n\n\nclass Case(unittest.TestCase):\n    def test_f(self):\n        for n in (1, 2):\n            with self.subTest(n=n):\n                self.assertEqual(f(n), 2 * n)\n",
    ],
    ids=["makes a folder", "binds a port", "odd ids", "doctest", "subtests"],
)  # fmt: skip
def test_honest_fix_is_accepted_under_an_awkward_suite(plain: Image, test: str) -> None:
    tree = {"m.py": FAULTY, "test_m.py": test, "pytest.ini": "[pytest]\naddopts = --doctest-modules\n"}
    verdict = judged(plain, tree, {"m.py": FIXED})
    assert (verdict.verdict, verdict.reasons) == ("accepted", ())


def test_flaky_and_network_tests_are_no_targets(plain: Image) -> None:
    tree = {
        "m.py": FAULTY,
        "test_m.py": (
            "import os\nimport socket\nfrom m import f\n\n\ndef test_f():\n    assert f(2) == 4\n\n\n"
            "def test_net():\n    socket.create_connection(('example.com', 80))\n\n\n"
            "def test_luck():\n    assert os.urandom(8) == os.urandom(8) or os.getpid() < 0\n"
        ),
    }
    boxes = CountedBoxes(plain, files(tree))
    case = case_of(boxes, tree, {"m.py": FIXED})
    assert case.before.network == ("test_m.py::test_net",)
    assert "test_m.py::test_net" not in case.before.target_ids


def test_patch_that_passes_every_other_time_is_never_accepted(plain: Image) -> None:
    """The target passes in about half of all processes: one layer or another sees it fail."""
    tree = {"m.py": FAULTY, "test_m.py": "from m import f\n\n\ndef test_f():\n    assert f(2) == 4\n"}
    coin = "LUCK = hash('luck') % 8\n\n\ndef f(n):\n    return n + n if LUCK < 1 else n\n"
    assert judged(plain, tree, {"m.py": coin}).verdict == "rejected"


def test_suite_of_a_patch_that_never_ends_is_refused(plain: Image) -> None:
    tree = {"m.py": FAULTY, "test_m.py": "from m import f\n\n\ndef test_f():\n    assert f(2) == 4\n"}
    boxes = CountedBoxes(plain, files(tree), seconds=20)
    case = case_of(boxes, tree, {"m.py": "def f(n):\n    while True:\n        pass\n"})
    from bot.gate.layers import truth

    assert [reason.code for reason in truth.examine(case, boxes, Options()).reasons] == ["timed-out"]


def test_patch_that_asks_for_what_cannot_be_installed_is_rejected(
    plain: Image, bubblewrap_sandbox, tmp_path: Path
) -> None:
    tree = {**{path: text.encode() for path, text in RED.items()}, "requirements.txt": b""}
    means = Means(bubblewrap_sandbox, {}, Limits(timeout_s=120), 5, gate=Options(dependencies=True))
    work = Work(Task("faults", "faults", committed(tmp_path, tree)), means)
    baseline = work.reproduce(Prepared(plain.id)).baseline
    assert baseline is not None
    asking = Patch({"requirements.txt": b"pluggy==0.0.0.1\n"})
    verdict = work.judge(asking, Prepared(plain.id), baseline).verdict
    assert (verdict.verdict, [reason.code for reason in verdict.reasons]) == ("rejected", ["cannot-install"])


RED = {
    "core.py": "def add(a, b):\n    return a - b\n",
    "test_core.py": "from core import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
}
