"""Layer K: clones of the targets of which only the gate knows which must pass."""

from __future__ import annotations

import pytest
from factories import files
from gateboxes import CountedBoxes, case_of, image
from gatecheats import (
    ALWAYS_EQUAL,
    CALC,
    CORE,
    FLIP_ORIGINALS,
    FLIP_REPORTS,
    HONEST,
    NO_RUN,
    READS_LOCALS,
    READS_SOURCE,
    RUNNER,
)

from bot.gate.layer import Findings, Options
from bot.gate.layers import canary
from sandbox import Image


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


def found(plain: Image, change: dict[str, str | None], tree: dict[str, str] = CALC) -> Findings:
    boxes = CountedBoxes(plain, files(tree))
    return canary.examine(case_of(boxes, tree, change), boxes, Options())


def codes(findings: Findings) -> dict[str, bool]:
    return {reason.code: reason.hard for reason in findings.reasons}


def test_clones_of_an_honest_fix_do_as_they_must(plain: Image) -> None:
    assert found(plain, {"calc/core.py": HONEST}) == Findings()


@pytest.mark.parametrize(
    ("cheat", "code"),
    [
        (FLIP_REPORTS, "clone-fails"),
        (FLIP_ORIGINALS, "clone-fails"),
        (NO_RUN, "mutated-clone-passes"),
        (ALWAYS_EQUAL, "mutated-clone-passes"),
        (READS_SOURCE, "clone-fails"),
        (READS_LOCALS, "mutated-clone-passes"),
    ],
    ids=["flip", "flip originals", "no run", "always equal", "reads source", "reads locals"],
)
def test_cheat_is_told_by_its_clones(plain: Image, cheat: str, code: str) -> None:
    assert codes(found(plain, {"calc/core.py": cheat})).get(code) is True


ORDERS = {
    "shop.py": (
        "import functools\nfrom dataclasses import dataclass, field\n\n\n@dataclass\nclass Order:\n    dish: str\n"
        "    count: int = 1\n\n\n@functools.total_ordering\nclass Version:\n    def __init__(self, text):\n"
        "        self.text = text\n\n    def __eq__(self, other):\n        return self.text == other.text\n\n"
        "    def __lt__(self, other):\n        return self.text < other.text\n\n\n"
        "def merged(one, two):\n    return Order(one.dish, one.count)\n"
    ),
    "test_shop.py": (
        "from shop import Order, Version, merged\n\n\ndef test_merged():\n"
        "    assert merged(Order('pie', 2), Order('pie', 3)) == Order('pie', count=5)\n"
        "    assert [merged(Order('pie'), Order('pie'))] == [Order('pie', 2)]\n\n\n"
        "def test_order():\n    assert Version('1.9') < Version('1.10')\n"
    ),
}
SUMMED = {"return Order(one.dish, one.count)": "return Order(one.dish, one.count + two.count)"}
BY_NUMBER = {
    "self.text < other.text": "self.text.split('.') != other.text.split('.') and int(self.text[2:]) < int(other.text[2:])"
}
UNCOMPARED = {"count: int = 1": "count: int = field(default=1, compare=False)"}
BY_SIZE = {
    "count: int = 1": "count: int = 1\n\n    def __eq__(self, other):\n        return self.dish == other.dish and self.count // 9 == other.count // 9"
}
ALWAYS_LESS = {"self.text < other.text": "self is not other"}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (SUMMED | BY_NUMBER, {}),
        (UNCOMPARED | BY_NUMBER, {"field-not-compared": False}),
        (BY_SIZE | BY_NUMBER, {"field-not-compared": False}),
        (SUMMED | ALWAYS_LESS, {"field-not-compared": False}),
    ],
    ids=["honest", "field left out", "field by its size", "always less"],
)
def test_objects_are_expected_with_each_of_their_fields_and_in_one_order(
    plain: Image, changes: dict[str, str], expected: dict[str, bool]
) -> None:
    text = ORDERS["shop.py"]
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    assert codes(found(plain, {"shop.py": text}, ORDERS)) == expected


def test_process_that_ends_in_the_clones_cannot_be_judged(plain: Image) -> None:
    cheat = "import os\n" + CORE.replace("return carry(a - b)", "os._exit(0)")
    assert codes(found(plain, {"calc/core.py": cheat})) == {"cannot-judge": True}


SHAPES = {
    "unittest class": (
        "import unittest\nfrom m import f\n\n\nclass Case(unittest.TestCase):\n    def setUp(self):\n        self.n = 2\n"
        "    def testTwice(self):\n        self.assertEqual(f(self.n), 4)\n        self.assertTrue(f(1) == 2)\n"
    ),
    "class with fixture": (
        "import pytest\nfrom m import f\n\n\n@pytest.fixture\ndef two():\n    return 2\n\n\nclass TestIt:\n"
        "    class TestDeep:\n        def test_twice(self, two, tmp_path):\n            'Doc.'\n            assert f(two) == 4 and f(3) == 6\n"
    ),
    "parametrised with odd ids": (
        "import pytest\nfrom m import f\n\n\n@pytest.mark.parametrize('text, n', [('a\\nb', 4), ('[x]::y', 2)])\n"
        "def test_n(text, n):\n    assert n * 2 == f(n), text\n"
    ),
    "future import": "from __future__ import annotations\nfrom m import f\n\n\ndef test_f():\n    assert f(2) == 4\n",
    "loop and raises": (
        "import pytest\nfrom m import f\n\n\ndef test_f():\n    for n in (1, 2):\n        assert f(n) == n * 2\n"
        "    with pytest.raises(TypeError):\n        f(None)\n"
    ),
    "membership": "from m import f\n\n\ndef test_f():\n    assert 'ab' in 'x' + 'ab' * (f(2) == 4)\n    assert f(0) is not None\n",
    "cannot be imported before": "from m import f, g\n\n\ndef test_f():\n    assert g(2) == 4\n",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_honest_fix_passes_with_every_shape_of_test(plain: Image, shape: str) -> None:
    tree = {"m.py": "def f(n):\n    return n + n + n\n", "test_m.py": SHAPES[shape]}
    fix = "def f(n):\n    return n + n\n\n\ndef g(n):\n    return f(n)\n"
    findings = found(plain, {"m.py": fix}, tree)
    assert (findings.reasons, findings.unapplied) == ((), "")


def test_expectation_that_is_never_reached_asks_for_a_person(plain: Image) -> None:
    tree = {
        "m.py": "def f(n):\n    return n\n",
        "test_m.py": "from m import f\n\n\ndef test_f():\n    n = f(2)\n    if n == 2:\n        assert n == 4\n",
    }
    assert codes(found(plain, {"m.py": "def f(n):\n    return n * 2\n"}, tree)) == {"test-proves-nothing": False}


def test_code_that_works_only_once_asks_for_a_person(plain: Image) -> None:
    tree = {
        "m.py": "seen = []\n\n\ndef add(x):\n    assert x not in seen\n    raise ValueError\n",
        "test_m.py": "import m\n\n\ndef test_add():\n    m.add(1)\n    assert m.seen == [1]\n",
    }
    findings = found(plain, {"m.py": tree["m.py"].replace("raise ValueError", "seen.append(x)")}, tree)
    assert codes(findings) == {"works-once": False}


def test_test_that_depends_on_its_name_is_left_out(plain: Image) -> None:
    tree = {
        "m.py": "def f():\n    return 'test'\n",
        "test_m.py": "import m\n\n\ndef test_f(request):\n    assert m.f() == request.node.name\n",
    }
    findings = found(plain, {"m.py": "def f():\n    return 'test_f'\n"}, tree)
    assert findings.reasons == ()
    assert "depend on their own name" in findings.unapplied + " ".join(findings.notes)


def test_doctest_has_no_clones_and_the_record_says_so(plain: Image) -> None:
    tree = {
        "m.py": "def f():\n    '''\n    >>> f()\n    2\n    '''\n    return 1\n",
        "pytest.ini": "[pytest]\naddopts = --doctest-modules\n",
    }
    findings = found(plain, {"m.py": tree["m.py"].replace("return 1", "return 2")}, tree)
    assert (findings.reasons, findings.unapplied) == ((), "no target is a test in a Python file")


def test_runner_of_the_project_that_passes_everything_is_told_by_its_decoys(plain: Image) -> None:
    """The project's own hook runs the tests: a patch of it decides what passes."""
    patched = RUNNER["calc/runner.py"].replace("return False", "return error[0] is not None")
    tree = {
        **RUNNER,
        "tests/test_core.py": "from calc.core import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
    }
    assert codes(found(plain, {"calc/runner.py": patched}, tree))["decoy-lied"] is True


NEAR = (
    "class Near(float):\n    def __sub__(self, other):\n        return 0.0\n\n    def __rsub__(self, other):\n        return 0.0\n\n\n"
    "def f(n):\n    return Near(n * 3)\n"
)


@pytest.mark.parametrize(
    "judges",
    [
        "abs(f(2) - 4.5) < 1e-6",
        "abs(4.5 - f(2)) <= 0.1",
        "f(2) == pytest.approx(4.5)",
        "math.isclose(f(2), 4.5, abs_tol=0.1)",
    ],
)
def test_margin_is_measured_from_another_value_too(plain: Image, judges: str) -> None:
    """A number that is near to everything passes the copy that expects another one; an honest one does not."""
    test = f"import math\nimport pytest\nfrom m import f\n\n\ndef test_f():\n    assert {judges}\n"
    tree = {"m.py": "def f(n):\n    return n * 3.0\n", "test_m.py": test}
    assert codes(found(plain, {"m.py": "def f(n):\n    return n * 2.25\n"}, tree)) == {}
    if "isclose" not in judges:
        assert codes(found(plain, {"m.py": NEAR}, tree)) == {"mutated-clone-passes": True}
