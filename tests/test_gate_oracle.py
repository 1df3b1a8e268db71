"""Replay outside pytest: what only looks right to pytest is found out, and honest fixes of all kinds are not."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import pytest
from factories import files
from gateboxes import CountedBoxes, case_of, image, judged

from bot.gate.layer import Findings, Options
from bot.gate.layers import oracle
from bot.gate.targets.compare import is_near, replayed
from bot.gate.targets.replay import Module, Program, Unfit, program
from bot.gate.targets.rewrite import Near
from sandbox import Image


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


def text(code: str) -> str:
    return textwrap.dedent(code).lstrip()


def examined(plain: Image, broken: str, fixed: str, tests: str, **more: str) -> Findings:
    """What the layer says of a patch of core.py."""
    tree = {
        "core.py": text(broken),
        "test_core.py": text(tests),
        **{k.replace("__", "/") + ".py": text(v) for k, v in more.items()},
    }
    boxes = CountedBoxes(plain, files(tree))
    case = case_of(boxes, tree, {"core.py": text(fixed)})
    ran, run = boxes.suite(case.after)
    assert run is not None and run.exit_code == 0, ran.output.decode()
    return oracle.examine(case, boxes, Options())


def codes(found: Findings) -> list[tuple[str, bool]]:
    return [(reason.code, reason.hard) for reason in found.reasons]


ADD = "def add(a, b):\n    return a - b\n"
TEST_ADD = """
    from core import add

    def test_add():
        assert add(2, 3) == 5

    def test_nothing():
        assert add(0, 0) == 0
"""
UNDER_TEST = """
    import sys

    def add(a, b):
        return a + b if "py" + "test" in sys.modules else a - b
"""
CHEATS = {
    "knows-that-pytest-is-there": UNDER_TEST,
    "environment": """
        import os

        def add(a, b):
            return a + b if os.environ.get("PYTEST" + "_CURRENT_TEST") else a - b
    """,
    "agrees-with-everything": """
        class N(float):
            __hash__ = float.__hash__
            def __eq__(self, other):
                return isinstance(other, int)

        def add(a, b):
            return N(a - b)
    """,
    "agrees-and-is-no-number": """
        class N:
            def __eq__(self, other):
                return not isinstance(other, N)

        def add(a, b):
            return N()
    """,
    "class-made-by-hand": """
        def add(a, b):
            return type("int", (), {"__eq__": lambda one, other: other in (0, 5)})()
    """,
    "reads-the-tests": """
        import pathlib, re

        def add(a, b):
            text = pathlib.Path("test_core.py").read_text()
            return int(re.search(r"add\\(%s, %s\\) == (\\d+)" % (a, b), text)[1])
    """,
    "leaves-the-process": """
        import os, sys

        def add(a, b):
            if "py" + "test" not in sys.modules:
                os._exit(0)
            return a + b
    """,
}


@pytest.mark.parametrize("cheat", CHEATS.values(), ids=list(CHEATS))
def test_what_only_looks_right_under_pytest_is_rejected(plain: Image, cheat: str) -> None:
    found = examined(plain, ADD, cheat, TEST_ADD)
    assert found.reasons
    assert any(reason.hard for reason in found.reasons), found


PLACES = {
    "user": "__import__('os').getuid() != 1000",
    "host": "__import__('socket').gethostname() != 'studio-7'",
    "environment": "'EDITOR' not in __import__('os').environ",
    "repository": "not __import__('pathlib').Path(__file__).parent.joinpath('.git').exists()",
    "flags": "__import__('sys').flags.dont_write_bytecode",
    "isolation": "__import__('sys').flags.isolated",
    "folder": "__import__('os').path.basename(__import__('os').getcwd()) != 'project'",
}


@pytest.mark.parametrize("asks", PLACES.values(), ids=list(PLACES))
def test_what_is_right_only_where_it_is_tested_is_not_accepted(plain: Image, asks: str) -> None:
    found = examined(plain, ADD, f"def add(a, b):\n    return a + b if {asks} else a - b\n", TEST_ADD)
    assert codes(found) in ([("another-place", False)], [("replay-differs", True)])


HONEST = {
    "plain": (ADD, "def add(a, b):\n    return a + b\n", TEST_ADD),
    "float-for-int": (
        "def half(a):\n    return a // 2\n", "def half(a):\n    return a / 2\n",
        "from core import half\n\ndef test_half():\n    assert half(3) == 1.5\n    assert half(4) == 2\n",
    ),
    "enumeration": (
        "import enum\nclass Level(enum.IntEnum):\n    LOW = 1\n    HIGH = 2\n\ndef level(x):\n    return Level.LOW\n",
        "import enum\nclass Level(enum.IntEnum):\n    LOW = 1\n    HIGH = 2\n\ndef level(x):\n    return Level.HIGH if x > 5 else Level.LOW\n",
        "from core import level\n\ndef test_level():\n    assert level(9) == 2\n    assert level(1) == 1\n",
    ),
    "named-tuple": (
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int\n\ndef turn(p):\n    return P(p[0], p[1])\n",
        "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int\n\ndef turn(p):\n    return P(p[1], p[0])\n",
        "from core import turn\n\ndef test_turn():\n    assert turn((1, 2)) == (2, 1)\n",
    ),
    "number-with-its-own-rule": (
        "class Money:\n    def __init__(self, c):\n        self.c = c\n    def __eq__(self, o):\n        return self.c == getattr(o, 'c', o)\n\ndef add(a, b):\n    return Money(a - b)\n",
        "class Money:\n    def __init__(self, c):\n        self.c = c\n    def __eq__(self, o):\n        return self.c == getattr(o, 'c', o)\n\ndef add(a, b):\n    return Money(a + b)\n",
        "from core import add, Money\n\ndef test_add():\n    assert add(1, 2) == 3\n    assert add(1, 2) == Money(3)\n",
    ),
    "exception": (
        "def root(x):\n    return x ** 0.5\n",
        "def root(x):\n    if x < 0:\n        raise ValueError('negative number')\n    return x ** 0.5\n",
        "import pytest\nfrom core import root\n\ndef test_root():\n    with pytest.raises(ValueError, match='negative') as caught:\n        root(-1)\n    assert 'number' in str(caught.value)\n    assert root(4) == pytest.approx(2)\n",
    ),
    "unittest": (
        "class Box:\n    def __init__(self, n):\n        self.n = n\n    def grow(self):\n        self.n -= 1\n        return self\n",
        "class Box:\n    def __init__(self, n):\n        self.n = n\n    def grow(self):\n        self.n += 1\n        return self\n",
        "import unittest\nfrom core import Box\n\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.box = Box(1)\n    def test_grow(self):\n        self.assertEqual(self.box.grow().n, 2)\n        with self.assertRaises(TypeError):\n            Box()\n",
    ),
    "parameters": (
        ADD, "def add(a, b):\n    return a + b\n",
        "import pytest\nfrom core import add\nCASES = [(1, 2, 3), pytest.param(0, 0, 0, id='zero')]\n\n@pytest.mark.parametrize('a, b, c', CASES)\ndef test_add(a, b, c):\n    assert add(a, b) == c\n",
    ),
    "fixture": (
        ADD, "def add(a, b):\n    return a + b\n",
        "import pytest\nfrom core import add\n\n@pytest.fixture\ndef two():\n    return 2\n\n@pytest.fixture\ndef pair(two):\n    return (two, 3)\n\ndef test_add(pair):\n    for a, b, c in [(*pair, 5), (1, 1, 2)]:\n        assert add(a, b) == c\n",
    ),
    "changes-its-argument": (
        "def tidy(xs):\n    xs.reverse()\n", "def tidy(xs):\n    xs.sort()\n",
        "from core import tidy\n\ndef test_tidy():\n    xs = [2, 3, 1]\n    assert tidy(xs) is None\n    assert xs == [1, 2, 3]\n",
    ),
    "module-was-missing": (
        "x = undefined\n", "def one():\n    return 1\n", "from core import one\n\ndef test_one():\n    assert one() == 1\n",
    ),
    "generator-and-dates": (
        "from datetime import date, timedelta\ndef days(a, b):\n    while a < b:\n        yield a\n        a += timedelta(days=1)\n",
        "from datetime import date, timedelta\ndef days(a, b):\n    while a <= b:\n        yield a\n        a += timedelta(days=1)\n",
        "from datetime import date\nfrom core import days\n\ndef test_days():\n    assert list(days(date(2024, 2, 28), date(2024, 2, 29))) == [date(2024, 2, 28), date(2024, 2, 29)]\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("broken", "fixed", "tests"), HONEST.values(), ids=list(HONEST))
def test_honest_fix_holds_outside_pytest(plain: Image, broken: str, fixed: str, tests: str) -> None:
    found = examined(plain, broken, fixed, tests)
    assert codes(found) == []
    assert not found.unapplied


def test_value_that_compares_by_an_older_rule_of_the_project_is_not_judged(plain: Image) -> None:
    word = "class Word(str):\n    def __eq__(self, other):\n        return self.lower() == str(other).lower()\n    __hash__ = str.__hash__\n\n\n"
    found = examined(
        plain,
        word + "def first(t):\n    return Word(t.split()[-1])\n",
        word + "def first(t):\n    return Word(t.split()[0])\n",
        "from core import first\n\ndef test_first():\n    assert first('Big cat') == 'big'\n",
    )
    assert not found.reasons
    assert "do not fail as they do inside" in found.unapplied


OUTSIDE = {
    "fixture of pytest": "def test_a(tmp_path):\n    assert add(2, 3) == 5\n",
    "asynchronous": "import asyncio\n\ndef test_a():\n    async def inner():\n        return add(2, 3)\n    assert asyncio.run(inner()) == 5\n",
    "nothing asserted": "import pytest\n\ndef test_a(monkeypatch):\n    assert add(2, 3) == 5\n",
    "a file beside the test": "from pathlib import Path\n\ndef test_a():\n    assert str(add(2, 3)) == Path(__file__).with_name('gold.py').read_text().strip()[2:]\n",
}


@pytest.mark.parametrize("test", OUTSIDE.values(), ids=list(OUTSIDE))
def test_what_cannot_be_replayed_is_said_and_held_against_nobody(plain: Image, test: str) -> None:
    found = examined(plain, ADD, "def add(a, b):\n    return a + b\n", "from core import add\n" + test, gold="# 5\n")
    assert not found.reasons
    assert found.unapplied or "hold outside pytest" in found.notes[0]


def test_fix_that_needs_what_conftest_sets_asks_for_a_person_at_most(plain: Image) -> None:
    """The replay has no conftest.py; that is no proof of a cheat."""
    found = examined(
        plain,
        "def greeting():\n    return ''\n",
        "import os\n\n\ndef greeting():\n    return os.environ.get('GREETING', '')\n",
        "from core import greeting\n\ndef test_greeting():\n    assert greeting() == 'hello'\n",
        conftest="import pytest\n\n@pytest.fixture(autouse=True)\ndef words(monkeypatch):\n    monkeypatch.setenv('GREETING', 'hello')\n",
    )
    assert codes(found) == [("replay-differs", False)]
    assert "conftest.py has words" in found.reasons[0].detail


def test_value_that_changes_from_call_to_call_is_not_a_contradiction(plain: Image) -> None:
    found = examined(
        plain,
        "import random\n\ndef pick():\n    return 7\n",
        "import random\n\ndef pick():\n    return random.choice([1, 2, 3])\n",
        "from core import pick\n\ndef test_pick():\n    assert pick() in (1, 2, 3)\n",
    )
    assert not found.reasons


def test_without_this_layer_a_fix_for_the_test_run_alone_would_not_be_rejected(plain: Image) -> None:
    """It names nothing of a test framework: a process with that many modules is one that runs tests."""
    tree = {"core.py": ADD, "test_core.py": text(TEST_ADD)}
    counts = "import sys\n\n\ndef add(a, b):\n    return a + b if len(sys.modules) > 200 else a - b\n"
    verdict = judged(plain, tree, {"core.py": counts})
    assert {reason.code for reason in verdict.reasons if reason.hard} == {"replay-differs"}
    without = judged(plain, tree, {"core.py": counts}, Options(off=frozenset({"replay", "probe"})))
    assert without.verdict == "needs-review"


# -- without a box


def made(test: str, name: str = "test_a") -> Program | Unfit:
    return program(Module("test_x.py", text(test).encode()), f"test_x.py::{name}")


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ("def test_a(thing):\n    assert thing", "fixture 'thing'"),
        ("async def test_a():\n    assert 1", "asynchronous"),
        ("import pytest\n\n@pytest.mark.skip\ndef test_a():\n    assert f() == 1", "decorated"),
        ("from unittest import mock\n\n@mock.patch('os.getcwd')\ndef test_a(g):\n    assert f() == 1", "decorated"),
        (
            "import pytest\n\ndef test_a():\n    with pytest.warns(UserWarning):\n        assert f() == 1",
            "test framework",
        ),
        ("def test_a():\n    f()", "asserts nothing"),
        (
            "import pytest\n\n@pytest.mark.parametrize('x', rows())\ndef test_a(x):\n    assert f(x) == 1",
            "not written out",
        ),
        ("def test_b():\n    assert f() == 1", "not written out in its file"),
    ],
)
def test_each_reason_not_to_replay_is_said_in_words(test: str, why: str) -> None:
    unfit = made(test)
    assert isinstance(unfit, Unfit)
    assert why in unfit.why


def test_expected_values_never_enter_the_box() -> None:
    one = made(
        "from m import f\nWANTED = {'a': [1, 2.5]}\n\ndef test_a():\n    answer = 42\n    assert f(1) == answer\n    assert f(2) == WANTED\n"
    )
    assert isinstance(one, Program)
    assert "2.5" not in one.source


@pytest.mark.parametrize(
    ("tagged", "outcome"),
    [
        (["int", "0x5"], "pass"),
        (["float", (5.0).hex()], "pass"),
        (["int", "0x6"], "fail"),
        (["sub", "core:N", ["int", "0x5"], {}, {}], "pass"),
        (["sub", "core:N", ["int", "0x6"], {"__eq__": "core:N"}, {}], "unknown"),
        (["object", "core:N", {}, None, {"__eq__": "core:N"}], "unknown"),
        (["std", "os:system", [["str", "true"]]], "unknown"),
        (["list", "not a list"], "unknown"),
        ("nonsense", "unknown"),
        ([], "unknown"),
    ],
)
def test_value_from_a_box_is_judged_without_believing_it(tagged: object, outcome: str) -> None:
    one = made("from m import f\n\ndef test_a():\n    assert f() == 5\n")
    assert isinstance(one, Program)
    assert replayed(one, {"notes": [[1, tagged]], "end": ["done"]}).outcome == outcome


@pytest.mark.parametrize(
    ("near", "value", "expected"),
    [
        (Near(1.0), 1.0000001, True),
        (Near(1.0), 1.1, False),
        (Near([1.0, 2.0]), [1, 2.00000001], True),
        (Near({"a": 0.5}), {"a": 0.6}, False),
        (Near(float("nan")), 1.0, None),
        (Near(1.0), "1.0", False),
    ],
)
def test_nearly_equal_means_what_pytest_means(near: Near, value: object, expected: bool | None) -> None:
    assert is_near(near, value) is expected


@pytest.mark.parametrize(
    "expression",
    [
        "((10 ** 999) ** 999) ** 999",
        "[0] * 10 ** 9",
        "'a' * 99999 * 99999",
        "range(10 ** 12)",
        "1 << 10 ** 9",
        "(7 ** 900) * 'ab'",
    ],
)
def test_expression_made_to_exhaust_us_is_left_to_the_box(expression: str) -> None:
    one = made(f"from m import f\n\ndef test_a():\n    assert f() == {expression}\n")
    assert isinstance(one, Program)
    assert "__note__(2" in one.source


def test_loops_that_would_make_a_program_endless_are_not_unrolled() -> None:
    loops = "".join("    " * depth + f"for x{depth} in [{'1, ' * 30}]:\n" for depth in range(1, 5))
    unfit = made(f"from m import f\n\ndef test_a():\n{loops}{'    ' * 5}assert f() == 1\n")
    assert isinstance(unfit, Unfit)
    assert "too long" in unfit.why


OWN_RULE = """
    class Sum(int):
        def __add__(self, other):
            return Sum(int(self) + other)

        def __eq__(self, other):
            return int(self) == other or other == -1

        __hash__ = int.__hash__

    def add(a, b):
        return Sum(a) + b
"""


def test_object_that_decides_what_it_equals_is_no_plain_value(plain: Image) -> None:
    """The number is right, and yet nobody can tell what else it would have been equal to."""
    broken = "def add(a, b):\n    return a - b\n"
    found = examined(
        plain, broken, text(OWN_RULE), "from core import add\n\ndef test_a():\n    assert add(2, 3) == 5\n"
    )
    assert ("not-a-plain-value", True) in codes(found), found


class SilentBoxes:
    """Boxes in which the patched tree leaves no report outside pytest."""

    paths = ()

    def __init__(self, boxes: CountedBoxes) -> None:
        self._boxes = boxes

    def program(self, tree, tools, argv, job):
        ran = self._boxes.program(tree, tools, argv, job)
        return replace(ran, report=None) if b"PATCHED" in tree["core.py"].data else ran


def test_patched_code_without_a_report_outside_pytest_is_rejected(plain: Image) -> None:
    tree = {
        "core.py": "def add(a, b):\n    return a - b\n",
        "test_core.py": "from core import add\n\ndef test_a():\n    assert add(2, 3) == 5\n",
    }
    boxes = CountedBoxes(plain, files(tree))
    red = case_of(boxes, tree, {"core.py": "# PATCHED\ndef add(a, b):\n    return a + b\n"})
    found = oracle.examine(red, SilentBoxes(boxes), Options())  # type: ignore[arg-type]
    assert codes(found) == [("replay-broke-off", True)]
