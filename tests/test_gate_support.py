"""Layer S: tests that live outside test files are protected as well, and the functions under test are not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from factories import files, make_baseline, patch

from bot.gate.layer import Case
from bot.gate.source import support

TEST = "tests/test_core.py"


def codes(
    tree: dict[str, str], change: dict[str, str | None], opened: set[tuple[str, str]] = frozenset()
) -> dict[str, bool]:  # type: ignore[assignment]
    before = replace(make_baseline({f"{TEST}::test_add": "failed"}), opened=frozenset(opened))
    return {reason.code: reason.hard for reason in support.examine(Case(files(tree), patch(change), before))}


CORE = "def add(a, b):\n    return a - b\n"
CHECKS = "def close_to(a, b):\n    assert abs(a - b) < 1\n"


@pytest.mark.parametrize(
    ("module", "test", "old", "new", "hard"),
    [
        ("checks", "from calc.checks import close_to\n\n\ndef test_add():\n    close_to(add(2, 3), 5)\n", CHECKS, "def close_to(a, b):\n    return None\n", True),
        ("cases", "import pytest\nfrom calc.cases import CASES\n\n\n@pytest.mark.parametrize('n', CASES)\ndef test_add(n):\n    assert add(n, n)\n",
         "CASES = [1, 2]\n", "CASES = []\n", True),
        ("cases", "from calc import cases\n\n\ndef test_add():\n    for a, b in cases.CASES:\n        assert add(a, a) == b\n", "CASES = [(1, 2)]\n", "CASES = [(1, 0)]\n", True),
        ("cases", "from calc.cases import WANT\n\n\ndef test_add():\n    assert add(2, 3) == WANT\n", "WANT = 5\n", "WANT = -1\n", True),
        ("kit", "from calc.kit import sample\n", "import pytest\n\n\n@pytest.fixture\ndef sample():\n    return 1\n", "import pytest\n\n\n@pytest.fixture\ndef sample():\n    return 2\n", True),
        ("testing", "from calc.testing import sample\n", "def sample():\n    return 1\n", "def sample():\n    return 2\n", True),
        ("checks", "from calc.checks import near\n\n\ndef test_add():\n    assert near(add(2, 3), 5)\n", "def near(a, b):\n    return a == b\n", "def near(a, b):\n    return a\n", False),
    ],
    ids=["assertion helper", "parameters", "table", "expected value", "fixture", "testing module", "predicate"],
)  # fmt: skip
def test_what_tests_judge_by_is_protected_in_the_product_too(
    module: str, test: str, old: str, new: str, hard: bool
) -> None:
    tree = {
        "calc/__init__.py": "",
        "calc/core.py": CORE,
        f"calc/{module}.py": old,
        TEST: f"from calc.core import add\n{test}",
    }
    assert codes(tree, {f"calc/{module}.py": new}) == {"test-support-changed": hard}


@pytest.mark.parametrize(
    ("test", "old", "new"),
    [
        ("def test():\n    assert core.f(1) == 2\n", "def f(n):\n    return n\n", "def f(n):\n    return n + 1\n"),
        ("import pytest\n\n\ndef test():\n    with pytest.raises(AssertionError):\n        core.f(-1)\n", "def f(n):\n    assert n\n", "def f(n):\n    assert n > 0\n"),
        ("def test():\n    assert core.RATE == 3\n", "RATE = 2\n", "RATE = 3\n"),
        ("def test():\n    assert core.roman(4) == core.TABLE[4]\n", "TABLE = {}\n\n\ndef roman(n):\n    return TABLE[n]\n", "TABLE = {4: 'IV'}\n\n\ndef roman(n):\n    return TABLE[n]\n"),
        ("def test():\n    assert core.valid('x')\n", "def valid(t):\n    return False\n", "def valid(t):\n    return True\n"),
        ("def test():\n    for n in core.numbers():\n        assert abs(n) == n\n", "def numbers():\n    return [-1]\n", "def numbers():\n    return [1]\n"),
    ],
    ids=["function", "raises AssertionError", "constant", "table that is used", "predicate alone", "generator"],
)  # fmt: skip
def test_functions_under_test_are_free(test: str, old: str, new: str) -> None:
    tree = {"calc/__init__.py": "", "calc/core.py": old, TEST: f"from calc import core\n\n\n{test}"}
    assert codes(tree, {"calc/core.py": new}) == {}


def test_file_that_only_tests_open_is_protected() -> None:
    tree = {"calc/core.py": CORE, "golden.json": "1", "rates.json": "1", TEST: ""}
    opened = {
        ("golden.json", TEST),
        ("rates.json", TEST),
        ("rates.json", "calc/core.py"),
        ("own.json", "calc/core.py"),
    }
    assert codes(tree, {"golden.json": "2"}, opened) == {"test-data-changed": True}
    assert codes(tree, {"rates.json": "2"}, opened) == {}
    assert codes(tree, {"own.json": "2"}, opened) == {}


def test_module_of_the_product_that_knows_pytest_is_free_when_the_product_uses_it() -> None:
    tree = {
        "calc/plugin.py": "import pytest\n\n\ndef f():\n    return 1\n",
        "calc/__init__.py": "from calc.plugin import f\n",
        TEST: "from calc.plugin import f\n",
    }
    assert codes(tree, {"calc/plugin.py": "import pytest\n\n\ndef f():\n    return 2\n"}) == {}
