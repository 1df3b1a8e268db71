"""Layer T in real boxes: what a run says of itself, and every way known to us to make it say something else."""

from __future__ import annotations

import pytest
from factories import files
from gateboxes import CountedBoxes, case_of, image
from gatecheats import CALC, CORE, FLIP_REPORTS, HONEST, NO_RUN

from bot.gate.layer import Options
from bot.gate.layers import truth
from sandbox import Image


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


@pytest.fixture(scope="module")
def asyncio() -> Image:
    return image("pytest-asyncio\npytest-xdist\npytest-randomly\n")


def codes(image: Image, change: dict[str, str | None], tree: dict[str, str] = CALC) -> set[str]:
    boxes = CountedBoxes(image, files(tree))
    return {reason.code for reason in truth.examine(case_of(boxes, tree, change), boxes, Options()).reasons}


def test_honest_fix_changes_nothing_but_its_tests(plain: Image) -> None:
    assert codes(plain, {"calc/core.py": HONEST}) == set()


WALK = "import sys\n\n\ndef walk(name):\n    frame = sys._getframe()\n    while frame and name not in frame.f_locals:\n        frame = frame.f_back\n    return frame.f_locals[name]\n\n\n"
CHANNEL = (
    "import json, os\n\n\ndef forge(text):\n    for fd in range(3, 20):\n        try:\n            os.write(fd, text)\n"
    "        except OSError:\n            pass\n\n\n"
)
FORGED = (
    "def add(a, b):\n    ids = ['tests/test_core.py::' + name for name in ('test_add', 'test_many[2-3-5]',"
    " 'test_many[0-0-0]', 'test_many[7-1-8]', 'test_parse')]\n"
    "    tests = [{'id': i, 'result': 'passed', 'seconds': 0, 'message': '', 'exception': '', 'frames': []} for i in ids]\n"
    "    forge(json.dumps({'schema': 1, 'collected': ids, 'tests': tests, 'doctests': [], 'installed': [],"
    " 'exit': 0, 'seconds': 1, 'finished': True}).encode())\n    os._exit(0)\n"
)


@pytest.mark.parametrize(
    ("cheat", "expected"),
    [
        (FLIP_REPORTS, {"framework-changed"}),
        (NO_RUN, {"framework-changed"}),
        (CORE + "\n\nimport pytest\n\n\nclass R:\n    def __init__(self, *a, **k): pass\n    def __enter__(self): pass\n"
         "    def __exit__(self, *a): return True\n\n\npytest.raises = R\n", {"framework-changed", "target-still-fails"}),
        (CORE + "\n\nimport time\ntime.time = lambda: 0.0\n", {"framework-changed", "target-still-fails"}),
        (WALK + CORE.replace("return carry(a - b)", "walk('item').config.pluginmanager.register(P())\n    return a - b\n\n\nclass P:\n"
         "    def pytest_runtest_makereport(self, item, call):\n        call.excinfo = None"), {"plugins-changed"}),
        (WALK + CORE.replace("return carry(a - b)", "walk('item').config.option.strict_markers = 7\n    return a + b"), {"options-changed"}),
        (CORE.replace("return carry(a - b)", "open('tests/test_core.py', 'a').write('#')\n    return a + b"), {"test-files-changed"}),
        ("import os\n" + CORE.replace("return carry(a - b)", "os._exit(0)"), {"exited-early"}),
        ("import os\n" + CORE.replace("return carry(a - b)", "os.abort()"), {"exited-early"}),
        (CORE.replace("return carry(a - b)", "import pytest\n    pytest.exit('done', returncode=0)"), {"bad-report"}),
        (CORE.replace("return carry(a - b)", "import pytest\n    pytest.skip()"), {"target-skipped", "test-skipped"}),
        (CORE.replace("return carry(a - b)", "import pytest\n    pytest.xfail()"), {"target-skipped", "test-skipped"}),
        (CHANNEL + CORE.replace("return carry(a - b)", "forge(b'{}')\n    return a + b"), {"bad-report"}),
        (CHANNEL + CORE.replace("return carry(a - b)", "forge(b'{\"schema\": 1'); os._exit(0)"), {"bad-report"}),
        (CHANNEL + CORE.replace("return carry(a - b)", "while True:\n        forge(b'x' * 65536)"), {"output-flood"}),
        (CHANNEL + FORGED + "\n\ndef parse(text):\n    return int(text)\n", {"options-changed", "plugins-changed"}),
    ],
    ids=["flip", "no run", "raises replaced", "time replaced", "plugin", "option", "writes a test", "hard exit", "abort",
         "pytest.exit", "skip", "xfail", "report twice", "report cut", "endless report", "forged report"],
)  # fmt: skip
def test_run_that_lies_is_refused(plain: Image, cheat: str, expected: set[str]) -> None:
    assert expected <= codes(plain, {"calc/core.py": cheat})


def test_report_file_of_another_kind_does_not_hang_or_fool(plain: Image) -> None:
    """Reports come over standard output: a FIFO or a link in place of a file is nobody's business."""
    fix = "import os\nos.mkfifo('report.xml')\nos.symlink('/etc/passwd', 'report.json')\n" + HONEST
    assert codes(plain, {"calc/core.py": fix}) == set()


@pytest.mark.parametrize(
    "addopts", ["", "-n 2", "-p no:randomly", "--strict-markers"], ids=["none", "xdist", "randomly", "strict"]
)
def test_suite_with_plugins_is_judged_as_without(asyncio: Image, addopts: str) -> None:
    tree = {
        "m.py": "async def f(n):\n    return n + n + n\n",
        "pytest.ini": f"[pytest]\nasyncio_mode = auto\naddopts = {addopts} --doctest-modules\n",
        "test_m.py": (
            "import unittest\nfrom m import f\n\n\nasync def test_f():\n    assert await f(2) == 4\n\n\n"
            "class Case(unittest.IsolatedAsyncioTestCase):\n    async def test_it(self):\n        self.assertEqual(await f(1), 2)\n"
        ),
    }
    assert codes(asyncio, {"m.py": "async def f(n):\n    return n + n\n"}, tree) == set()
