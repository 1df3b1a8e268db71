"""Python projects: what they need, how they are started, and how their reports read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from factories import files, write

from bot.errors import Refused
from bot.gate.baseline import compare
from bot.nouns import TestRun
from bot.toolchains import python, requirements
from sandbox import Files, Ran


def needs(contents: dict[str, str]) -> list[str]:
    return requirements.read(files(contents)).lines


@pytest.mark.parametrize(
    ("contents", "lines"),
    [
        ({"requirements.txt": "attrs>=23\n# note\nrequests[socks] ; python_version > '3'  # why\n"},
         ["attrs>=23", "requests[socks] ; python_version > '3'"]),
        ({"requirements.txt": "-r requirements/base.txt\na\n", "requirements/base.txt": "-r ../more.txt\nb\n", "more.txt": "c"},
         ["c", "b", "a"]),
        ({"requirements.txt": "-r requirements.txt\na"}, ["a"]),
        ({"requirements.txt": "a==1 \\\n    --hash=sha256:00\n"}, ["a==1"]),
        ({"requirements-dev.txt": "dev", "requirements-test.txt": "test"}, ["test"]),
        ({"pyproject.toml": '[project]\nname="x"\ndependencies=["a"]\n[project.optional-dependencies]\ntest=["t"]\ndocs=["d"]'},
         ["a", "t"]),
        ({"pyproject.toml": '[dependency-groups]\ntest=["t", {include-group="base"}]\nbase=["b", {include-group="test"}]'},
         ["t", "b"]),
        ({"pyproject.toml": '[tool.poetry.dependencies]\npython="^3.9"\na="^1.2"\nb={version="~0.3.1"}\nc="*"\n'
          '[tool.poetry.group.test.dependencies]\nt=">=2"'},
         ["a>=1.2,<2", "b>=0.3.1,<0.4", "c", "t>=2"]),
        ({"setup.cfg": "[options]\ninstall_requires =\n  a\n  b>1\n[options.extras_require]\ntest =\n  t\n"}, ["a", "b>1", "t"]),
        ({"pyproject.toml": "not toml"}, []),
    ],
    ids=["lines", "includes", "loop", "hashes", "test before dev", "project", "groups", "poetry", "setup.cfg", "broken"],
)  # fmt: skip
def test_requirements_are_read_without_running_anything(contents: dict[str, str], lines: list[str]) -> None:
    assert needs(contents) == lines


@pytest.mark.parametrize(
    "line",
    ["--index-url http://evil", "-i http://evil", "-e git+https://evil/x", "git+https://evil/x", "x @ https://evil/x.whl",
     "./local", "-r /etc/passwd", "--find-links /", "file:///etc/passwd"],
)  # fmt: skip
def test_line_that_redirects_the_installer_is_left_out(line: str) -> None:
    found = requirements.read(files({"requirements.txt": f"good\n{line}\n"}))
    assert found.lines == ["good"]
    assert line.startswith("-r") or "left out" in found.notes[0]


def test_recipe_does_not_change_with_the_code_but_with_the_manifests() -> None:
    base = {"pyproject.toml": '[project]\nname="x"\nversion="1"\n', "src/x/__init__.py": "", "src/x/core.py": "a"}
    one, _ = python.recipe(files(base))
    two, _ = python.recipe(files({**base, "src/x/core.py": "b"}))
    three, _ = python.recipe(files({**base, "requirements.txt": "attrs"}))
    assert one == two != three
    assert "pytest" in one.files[".regreen-requirements.txt"].data.decode()


@pytest.mark.parametrize(
    ("check", "args"),
    [(None, ()), ("pytest", ()), ("pytest tests/unit -x", ("tests/unit", "-x")), ("python -m pytest 'a b'", ("a b",))],
)  # fmt: skip
def test_check_command_becomes_pytest_arguments(check: str | None, args: tuple[str, ...]) -> None:
    assert python.pytest_args(check) == args


@pytest.mark.parametrize("check", ["make test", "pytest 'unclosed", "", "bash -c pytest", "pytest; rm -rf /tmp/x #"])
def test_check_command_that_is_not_pytest_is_refused(check: str) -> None:
    if check.startswith("pytest;"):
        with pytest.raises(Refused, match="does not start pytest"):
            python.pytest_args(check)
        return
    with pytest.raises(Refused):
        python.pytest_args(check)


PROJECT = {
    "calc.py": "def add(a, b):\n    return a - b\n",
    "test_calc.py": (
        "import unittest\n\nimport pytest\n\nfrom calc import add\n\n\n"
        "def test_red():\n    print('noise')\n    assert add(1, 2) == 3\n\n\n"
        "def test_green():\n    assert add(1, 0) == 1\n\n\n"
        "@pytest.mark.xfail\ndef test_expected():\n    assert False\n\n\n"
        "def test_skipped():\n    pytest.skip('why')\n\n\n"
        "@pytest.fixture\ndef broken():\n    raise ValueError('set-up')\n\n\n"
        "def test_error(broken):\n    pass\n\n\n"
        "class Old(unittest.TestCase):\n    def test_unit(self):\n        self.assertEqual(add(1, 2), 3)\n"
    ),
    "test_broken.py": "import no_such_module\n",
}  # fmt: skip


def launch(folder: Path, contents: dict[str, str], *args: str, only: list[str] | None = None) -> Ran:
    """Lay the box out in a folder and start the launcher as a plain process."""
    tree: Files = files(contents)
    start = python.launch(tree, args)
    command = python.suite(tree, start, only=only)
    write(folder / "w", contents)
    write(folder / "r", {name: file.data for name, file in command.tools.items()})
    argv = [sys.executable, "-I", "-B", str(folder / "r" / "launch.py")]
    done = subprocess.run(argv, capture_output=True, timeout=60)
    return Ran(done.returncode, None, done.stdout, done.stderr, 1.0)


def run(folder: Path, contents: dict[str, str], *args: str, only: list[str] | None = None) -> TestRun:
    found = python.parse(launch(folder, contents, *args, only=only))
    assert found is not None
    return found


def test_report_says_what_each_test_came_to(tmp_path: Path) -> None:
    found = run(tmp_path, PROJECT)
    assert found.results() == {
        "test_broken.py": "error",
        "test_calc.py::test_red": "failed",
        "test_calc.py::test_green": "passed",
        "test_calc.py::test_expected": "xfailed",
        "test_calc.py::test_skipped": "skipped",
        "test_calc.py::test_error": "error",
        "test_calc.py::Old::test_unit": "failed",
    }
    cases = {case.id: case for case in found.cases}
    assert cases["test_calc.py::test_red"].message.startswith("AssertionError: assert -1 == 3")
    assert cases["test_calc.py::test_red"].frames[-1].path == "test_calc.py"
    unit = cases["test_calc.py::Old::test_unit"]
    assert (unit.message, unit.exception) == ("AssertionError: -1 != 3", "AssertionError")
    assert unit.frames[-1].function == "test_unit"
    assert cases["test_broken.py"].exception == "ModuleNotFoundError"
    assert cases["test_broken.py"].message == "ModuleNotFoundError: No module named 'no_such_module'"


WRAPPED = """
import socket
from unittest import mock


class Unavailable(Exception):
    pass


def fetch(explicit):
    try:
        socket.getaddrinfo("rates.example.invalid", 443)
    except OSError as error:
        if explicit:
            raise Unavailable("no rates") from error
        raise Unavailable("no rates")


def test_explicit():
    fetch(True)


def test_implicit():
    fetch(False)


def fake(*_):
    raise socket.gaierror(-2, "Name or service not known")


def test_played(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", fake)
    fetch(True)


def test_mocked():
    with mock.patch("socket.getaddrinfo", side_effect=socket.gaierror(-2, "Name or service not known")):
        fetch(True)


def test_hushed():
    try:
        fetch(True)
    except Unavailable:
        raise KeyError("rate") from None
"""


def test_error_of_the_network_is_found_behind_an_error_of_the_project(tmp_path: Path) -> None:
    """One that a test only plays says nothing about the network: a patch may cure what comes of it."""
    found = run(tmp_path, {"test_wrapped.py": WRAPPED})
    messages = {case.id.partition("::")[2]: case.message for case in found.cases}
    assert messages["test_explicit"].startswith("test_wrapped.Unavailable: no rates\nfrom socket.gaierror: [Errno ")
    assert "\nfrom socket.gaierror: [Errno " in messages["test_implicit"]
    alone = {"test_played": "test_wrapped.Unavailable: no rates", "test_mocked": "test_wrapped.Unavailable: no rates"}
    assert {name: messages[name] for name in alone} == alone
    assert messages["test_hushed"] == "KeyError: 'rate'"
    assert {test.partition("::")[2] for test in compare(found, found).network} == {"test_explicit", "test_implicit"}


UNLOADED = {
    "shop.py": "from cart import Cart\n",
    "tests/conftest.py": "import pytest\n\nimport shop\n\n\n@pytest.fixture\ndef cart():\n    return shop.Cart()\n",
    "tests/test_cart.py": "def test_empty(cart):\n    assert not cart\n",
    "tests/test_shop.py": "import shop\n\n\ndef test_cart():\n    assert shop.Cart\n",
}


def test_conftest_that_cannot_be_imported_makes_every_test_file_red(tmp_path: Path) -> None:
    found = run(tmp_path, UNLOADED, "tests")
    assert found.results() == {"tests/test_cart.py": "error", "tests/test_shop.py": "error"}
    (case, _) = found.cases
    assert (case.exception, case.message) == ("ModuleNotFoundError", "ModuleNotFoundError: No module named 'cart'")
    assert [frame.path for frame in case.frames] == ["tests/conftest.py", "shop.py"]
    assert (found.plugins, found.options) == (frozenset(), ())


def test_conftest_that_can_be_imported_again_brings_the_tests_back(tmp_path: Path) -> None:
    found = run(tmp_path, {**UNLOADED, "cart.py": "Cart = list\n"}, "tests")
    assert found.results() == {"tests/test_cart.py::test_empty": "passed", "tests/test_shop.py::test_cart": "passed"}


def test_only_the_tests_named_are_run_and_only_their_files_collected(tmp_path: Path) -> None:
    assert run(tmp_path, PROJECT, only=["test_calc.py::test_green"]).results() == {
        "test_calc.py::test_green": "passed"
    }


def test_early_stop_and_random_order_of_the_project_are_overruled(tmp_path: Path) -> None:
    found = run(tmp_path, {**PROJECT, "pytest.ini": "[pytest]\naddopts = -x --maxfail=1\n"})
    assert len(found.cases) == 7


@pytest.mark.parametrize(
    "product",
    ["import os\nos._exit(0)\n", "import sys\nsys.exit(0)\n", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
     "import atexit, os\natexit.register(os._exit, 0)\n\ndef add(a, b):\n    os._exit(0)\n",
     "import pytest\n\ndef add(a, b):\n    pytest.exit('done', returncode=0)\n"],
    ids=["_exit at import", "exit at import", "kill", "_exit when called", "pytest.exit"],
)  # fmt: skip
def test_process_that_ends_early_yields_no_report_or_no_pass(tmp_path: Path, product: str) -> None:
    found = python.parse(launch(tmp_path, {**PROJECT, "calc.py": product}))
    assert found is None or found.results().get("test_calc.py::test_red") != "passed"


def test_project_module_cannot_stand_in_for_the_test_framework(tmp_path: Path) -> None:
    fake = {
        "pytest.py": "def main(*a, **k): return 0\n",
        "pluggy.py": "",
        "json.py": "",
        "report.py": "",
        "os.py": "",
    }
    assert run(tmp_path, {**PROJECT, **fake}).results()["test_calc.py::test_red"] == "failed"


GOOD: dict[str, Any] = {
    "schema": 1, "finished": True, "exit": 0, "seconds": 0.1, "collected": ["t::a"], "doctests": [], "installed": [],
    "tests": [{"id": "t::a", "result": "passed", "seconds": 0, "message": "", "exception": "", "frames": []}],
}  # fmt: skip


def parsed(record: Any, code: int = 0) -> TestRun | None:
    data = record if isinstance(record, bytes) else json.dumps(record).encode()
    return python.parse(Ran(code, None, data, b"", 1.0))


def test_good_report_is_read() -> None:
    assert parsed(GOOD) is not None


@pytest.mark.parametrize(
    "record",
    [
        b"", b"{", b"[" * 100_000, b"null", b"[]", b"9" * 5000, b"\xff\xfe", b'{"schema": 1}',
        {**GOOD, "schema": 2}, {**GOOD, "finished": "yes"}, {**GOOD, "exit": "0"}, {**GOOD, "exit": 1},
        {**GOOD, "tests": GOOD["tests"] * 2}, {**GOOD, "collected": ["t::a", "t::b"]}, {**GOOD, "tests": {}},
        {**GOOD, "tests": [{**GOOD["tests"][0], "result": "great"}]},
        {**GOOD, "tests": [{**GOOD["tests"][0], "id": 5}]},
        {**GOOD, "tests": [{**GOOD["tests"][0], "message": "x" * 30_000}]},
        {**GOOD, "tests": [{**GOOD["tests"][0], "frames": [[1, 2]]}]},
    ],
)  # fmt: skip
def test_odd_report_is_no_report(record: Any) -> None:
    assert parsed(record) is None


def test_report_without_a_clean_end_is_no_report() -> None:
    data = json.dumps(GOOD).encode()
    assert python.parse(Ran(None, "deadline", None, b"", 1.0)) is None
    assert python.parse(Ran(137, None, data, b"", 1.0)) is None
    assert python.parse(Ran(1, None, data, b"", 1.0)) is None
