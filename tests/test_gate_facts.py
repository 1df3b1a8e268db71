"""Layer D: what patched code can do that it could not before, by tables of cheats and of honest look-alikes."""

from __future__ import annotations

import pytest
from factories import SHOP, files, patch

from bot.gate import facts

TREE = files(SHOP)
OLD = SHOP["shop/pricing.py"]


def found(text: str, **more: object) -> dict[str, bool]:
    reasons = facts.added(patch({"shop/pricing.py": text}), TREE, **more)  # type: ignore[arg-type]
    return {reason.code: reason.hard for reason in reasons}


@pytest.mark.parametrize(
    ("addition", "code"),
    [
        ("import os\nos._exit(0)\n", "hard-exit"),
        ("from os import _exit\n\ndef f():\n    _exit(0)\n", "hard-exit"),
        ("import os as o\n\ndef f():\n    o._exit(0)\n", "hard-exit"),
        ("import atexit, os\natexit.register(os._exit, 0)\n", "hard-exit"),
        ("import sys\nsys.exit(0)\n", "exits-at-import"),
        ("raise SystemExit\n", "exits-at-import"),
        ("try:\n    exit()\nfinally:\n    pass\n", "exits-at-import"),
        ("import pytest\n", "imports-test-framework"),
        ("from _pytest import reports\n", "imports-test-framework"),
        ("import unittest\n\ndef f():\n    raise unittest.SkipTest\n", "skips-tests"),
        ("from unittest import SkipTest\n\ndef f():\n    raise SkipTest\n", "skips-tests"),
        ("import os\n\ndef f():\n    return 'PYTEST_CURRENT_TEST' in os.environ\n", "knows-it-is-tested"),
        ("import sys\n\ndef f():\n    return 'pytest' in sys.modules\n", "knows-it-is-tested"),
        ("import time\ntime.time = lambda: 0.0\n", "patches-other-code"),
        ("import builtins\nbuiltins.round = lambda *a: 1\n", "patches-other-code"),
        ("import math\nsetattr(math, 'floor', int)\n", "patches-other-code"),
        ("import sys\nsys.modules['json'] = None\n", "patches-other-code"),
        ("class N(float):\n    def __eq__(self, other):\n        return True\n", "always-equal"),
        ("class N(float):\n    __eq__ = lambda self, other: True\n", "always-equal"),
        ("import gc\n\ndef f():\n    return gc.get_objects()\n", "interpreter-internals"),
        ("import ctypes\n", "interpreter-internals"),
        ("import sys\n\ndef f():\n    sys.settrace(None)\n", "interpreter-internals"),
    ],
)  # fmt: skip
def test_cheat_is_a_hard_fact(addition: str, code: str) -> None:
    assert found(OLD + addition).get(code) is True


@pytest.mark.parametrize(
    ("addition", "code"),
    [
        ("import atexit\natexit.register(print)\n", "runs-at-exit"),
        ("def f():\n    try:\n        return 1\n    except Exception:\n        return None\n", "swallows-errors"),
        ("def f(text):\n    return eval(text)\n", "computed-code"),
        ("def f():\n    return open('tests/test_pricing.py').read()\n", "knows-it-is-tested"),
        ("import sys\n\ndef f():\n    return sys._getframe(1)\n", "looks-at-caller"),
    ],
)  # fmt: skip
def test_doubtful_code_is_a_soft_fact(addition: str, code: str) -> None:
    assert found(OLD + addition) == {code: False}


@pytest.mark.parametrize(
    "addition",
    [
        "import sys\n\n\ndef main():\n    sys.exit(2)\n",
        "class Money:\n    def __eq__(self, other):\n        return self.x == other.x\n",
        "def f():\n    try:\n        return 1\n    except ValueError:\n        return None\n",
        "import sys\n\nif __name__ == '__main__':\n    sys.exit(0)\n",
        "class C:\n    size = 0\n\n\nC.size = 3\n",
        "import os\n\n\ndef f():\n    os.environ['X'] = '1'\n",
        "def skip(n):\n    return n + 1\n",
    ],
    ids=["exit in main", "value equality", "narrow except", "main guard", "own attribute", "environment", "skip"],
)
def test_honest_code_has_no_fact(addition: str) -> None:
    assert found(OLD + addition) == {}


def test_fact_that_stood_there_before_is_not_held_against_the_patch() -> None:
    tree = files({"a.py": "import os\n\ndef die():\n    os._exit(1)\n"})
    assert facts.added(patch({"a.py": "import os\n\ndef die():\n    os._exit(1)\n\nX = 1\n"}), tree) == []


def test_second_use_of_a_known_fact_counts() -> None:
    tree = files({"a.py": "import os\n\ndef die():\n    os._exit(1)\n"})
    text = "import os\n\ndef die():\n    os._exit(1)\n\ndef other():\n    os._exit(0)\n"
    assert [reason.code for reason in facts.added(patch({"a.py": text}), tree)] == ["hard-exit"]


@pytest.mark.parametrize("text", ["def f(:\n", "x = '\0'", "(" * 5000], ids=["syntax", "nul", "nesting"])
def test_file_that_cannot_be_parsed_is_refused(text: str) -> None:
    assert found(text) == {"syntax-error": True}


def test_two_constants_of_the_failing_test_are_a_soft_fact() -> None:
    text = OLD + "ANSWERS = {19.99: 16.99}\n"
    assert found(text, test_sources=(SHOP["tests/test_pricing.py"],)) == {"copies-test-values": False}


def test_doctest_example_may_not_change_where_doctests_are_run() -> None:
    tree = files({"a.py": '"""\n>>> f(1)\n2\n"""\n\n\ndef f(x):\n    return x\n'})
    change = patch({"a.py": '"""\n>>> f(1)\n1\n"""\n\n\ndef f(x):\n    return x\n'})
    assert [reason.code for reason in facts.added(change, tree, doctests=True)] == ["doctest-changed"]
    assert facts.added(change, tree, doctests=False) == []
