"""Held-out targets: the same ones again after a crash, never all of them, and told to nobody who makes patches."""

from __future__ import annotations

import pytest
from factories import files, make_baseline, patch
from gateboxes import CountedBoxes, case_of, image
from hypothesis import given
from hypothesis import strategies as st

from bot.gate.layer import Case, Options
from bot.gate.layers import heldout, truth
from bot.nouns import Reason
from sandbox import Image


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


@given(st.integers(1, 40), st.text())
def test_a_third_is_hidden_at_least_one_and_never_all(count: int, seed: str) -> None:
    before = make_baseline({f"t.py::test_a[{number}]": "failed" for number in range(count)})
    hidden = heldout.choose(before, seed)
    assert hidden == heldout.choose(before, seed)
    assert set(hidden) < before.target_ids
    assert len(hidden) == (max(1, count // 3) if count >= heldout.LEAST_TARGETS else 0)


def test_another_job_hides_others() -> None:
    before = make_baseline({f"t.py::test_a[{number}]": "failed" for number in range(30)})
    assert len({heldout.choose(before, f"job {number}") for number in range(5)}) == 5


def test_what_cannot_be_deselected_alone_is_not_hidden() -> None:
    """pytest deselects by prefix, and a file that cannot be collected is no test."""
    before = make_baseline(
        {"t.py::test_a": "failed", "t.py::test_ab": "passed", "u.py": "error", "t.py::test_c": "failed"}
    )
    assert heldout.choose(before, "x") == ("t.py::test_c",)


ADD = "def add(a, b):\n    return a - b\n"
TESTS = (
    "import pytest\nfrom core import add\n\n\n"
    "@pytest.mark.parametrize('a, b, c', [(1, 2, 3), (2, 2, 4), (5, 1, 6), (0, 0, 0)])\n"
    "def test_add(a, b, c):\n    assert add(a, b) == c\n"
)
HIDDEN = ("test_core.py::test_add[5-1-6]",)


def test_patch_for_the_visible_tests_alone_is_rejected_without_naming_the_hidden_one(plain: Image) -> None:
    tree = {"core.py": ADD, "test_core.py": TESTS}
    boxes = CountedBoxes(plain, files(tree))
    overfit = {"core.py": "def add(a, b):\n    return {(1, 2): 3, (2, 2): 4}.get((a, b), a - b)\n"}
    case = case_of(boxes, tree, overfit, held_out=HIDDEN)
    (reason,) = truth.examine(case, boxes, Options()).reasons
    assert (reason.layer, reason.code) == ("hidden", "held-out-failed")
    assert "5-1-6" not in reason.detail


def test_patch_that_fails_visible_tests_too_gets_their_reasons(plain: Image) -> None:
    tree = {"core.py": ADD, "test_core.py": TESTS}
    boxes = CountedBoxes(plain, files(tree))
    case = case_of(boxes, tree, {"core.py": "def add(a, b):\n    return 0\n"}, held_out=HIDDEN)
    codes = {reason.code for reason in truth.examine(case, boxes, Options()).reasons}
    assert codes == {"target-still-fails"}


def test_reason_about_another_test_is_left_as_it_is() -> None:
    reasons = [Reason("tests", "test-broken", "t.py::test_a passed before and is red now (failed)")]
    assert heldout.told(reasons, ("t.py::test_a",)) == reasons


def test_deselected_test_is_not_run(plain: Image) -> None:
    tree = files({"core.py": ADD, "test_core.py": TESTS})
    _, run = CountedBoxes(plain, tree, heldout.deselected(HIDDEN)).suite(tree)
    assert run is not None
    assert set(run.results()) == {f"test_core.py::test_add[{row}]" for row in ("1-2-3", "2-2-4", "0-0-0")}


def test_record_names_what_was_hidden_and_says_so_where_nothing_was(plain: Image) -> None:
    before = make_baseline({f"t.py::test_{letter}": "failed" for letter in "abc"})
    case = Case({}, patch({}), before, ("t.py::test_b",))
    boxes = CountedBoxes(plain, {})
    assert (
        "1 of 3 failing tests were hidden from the engine: t.py::test_b"
        in heldout.examine(case, boxes, Options()).notes[0]
    )
    assert heldout.examine(Case({}, patch({}), before), boxes, Options()).unapplied == "no engine made this patch"
