"""The boxes of the gate, real ones: whole runs, runs of a few tests, traces, and programs that are not pytest."""

from __future__ import annotations

import json

import pytest
from factories import SHOP, TARGET, files
from gateboxes import CountedBoxes, image

from bot.gate.layer import Called
from sandbox import File, Image


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


def boxes(plain: Image, tree: dict[str, str]) -> CountedBoxes:
    return CountedBoxes(plain, files(tree))


def test_run_of_one_test_collects_only_its_own_file(plain: Image) -> None:
    tree = {**SHOP, "tests/test_broken.py": "raise RuntimeError('collected')\n"}
    _, run = boxes(plain, tree).suite(files(tree), [TARGET])
    assert run is not None
    assert run.results() == {TARGET: "failed"}


def test_trace_names_functions_with_the_file_that_called_them(plain: Image) -> None:
    tree = {
        "deep.py": "def inner():\n    return 1\n\n\ndef outer():\n    return sorted([1], key=lambda _: inner())\n",
        "test_deep.py": "from deep import outer\n\n\ndef test_outer():\n    assert outer() == 2\n",
    }
    trace = boxes(plain, tree).trace(files(tree), ["test_deep.py::test_outer"])
    assert trace == {
        "test_deep.py::test_outer": (
            Called("test_deep.py", "test_outer", 4, ""),
            Called("deep.py", "outer", 5, "test_deep.py"),
            Called("deep.py", "inner", 1, "deep.py"),
        )
    }


def test_program_gets_its_job_and_a_process_without_pytest(plain: Image) -> None:
    tool = (
        "import json, os, sys\n"
        "job = json.load(open(os.path.join(os.path.dirname(__file__), 'job.json')))\n"
        "print(json.dumps([job, sys.argv[1:], os.getcwd(), 'pytest' in sys.modules]))\n"
    )
    ran = boxes(plain, SHOP).program(files(SHOP), {"ask.py": File(tool.encode())}, ("ask.py", "x"), b"[1]")
    assert ran.report is not None
    assert json.loads(ran.report) == [[1], ["x"], "/sbx/w", False]
