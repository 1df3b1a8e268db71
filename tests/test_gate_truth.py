"""Layer T, the baseline, and the judge that puts the layers together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from factories import FIXED, SHOP, TARGET, files, make_baseline, make_run, patch

from bot.gate import judge as gate
from bot.gate.baseline import compare
from bot.gate.layer import Case, Options
from bot.gate.layers import truth
from bot.nouns import Result, TestRun
from sandbox import Files, Ran

BEFORE: dict[str, Result] = {"t.py::a": "failed", "t.py::b": "passed", "t.py::c": "skipped"}


def codes(after: dict[str, Result], before: dict[str, Result] = BEFORE, exit_code: int | None = None) -> set[str]:
    return {reason.code for reason in truth.compare(make_baseline(before), make_run(after, exit_code=exit_code))}


@pytest.mark.parametrize(
    ("after", "code"),
    [
        ({"t.py::a": "failed", "t.py::b": "passed", "t.py::c": "skipped"}, "target-still-fails"),
        ({"t.py::a": "error", "t.py::b": "passed", "t.py::c": "skipped"}, "target-still-fails"),
        ({"t.py::a": "skipped", "t.py::b": "passed", "t.py::c": "skipped"}, "target-skipped"),
        ({"t.py::a": "xfailed", "t.py::b": "passed", "t.py::c": "skipped"}, "target-skipped"),
        ({"t.py::b": "passed", "t.py::c": "skipped"}, "target-missing"),
        ({"t.py::a": "passed", "t.py::b": "failed", "t.py::c": "skipped"}, "test-broken"),
        ({"t.py::a": "passed", "t.py::b": "skipped", "t.py::c": "skipped"}, "test-skipped"),
        ({"t.py::a": "passed", "t.py::c": "skipped"}, "test-missing"),
        ({"t.py::a": "passed", "t.py::b": "passed", "t.py::c": "failed"}, "test-broken"),
        ({"t.py::a": "passed", "t.py::b": "passed", "t.py::c": "skipped", "t.py::new": "failed"}, "test-broken"),
    ],
)  # fmt: skip
def test_lost_or_unproven_test_has_its_code(after: dict[str, Result], code: str) -> None:
    assert codes(after) == {code}


def test_green_target_and_nothing_lost_is_well() -> None:
    assert codes({"t.py::a": "passed", "t.py::b": "passed", "t.py::c": "skipped"}) == set()
    assert codes({"t.py::a": "passed", "t.py::b": "passed", "t.py::c": "passed"}) == set()


def test_exit_code_must_agree_with_the_results() -> None:
    assert codes({"t.py::a": "passed", "t.py::b": "passed", "t.py::c": "skipped"}, exit_code=3) == {"exit-code"}


def test_file_that_could_not_be_collected_must_yield_tests_that_pass() -> None:
    before: dict[str, Result] = {"t.py": "error", "u.py::b": "passed"}
    assert codes({"t.py::x": "passed", "u.py::b": "passed"}, before) == set()
    assert codes({"u.py::b": "passed"}, before) == {"target-missing"}
    assert codes({"t.py::x": "failed", "u.py::b": "passed"}, before) == {"target-still-fails"}
    assert codes({"t.py": "skipped", "u.py::b": "passed"}, before) == {"target-skipped"}


@pytest.mark.parametrize(
    ("stopped", "code"),
    [(None, "exited-early"), ("deadline", "timed-out"), ("memory", "out-of-memory"), ("output", "output-flood")],
)
def test_run_without_a_report_is_never_a_pass(stopped: str | None, code: str) -> None:
    ran = Ran(None if stopped else 0, stopped, None, b"", 1.0)  # type: ignore[arg-type]
    assert truth.no_report(ran).code == code


def test_report_that_contradicts_itself_has_its_own_code() -> None:
    assert truth.no_report(Ran(0, None, b'{"schema": 1', b"", 1.0)).code == "bad-report"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"drift": frozenset({"_pytest.runner:call_and_report"})}, "framework-changed"),
        ({"plugins": frozenset({"pytest_cov", "P"})}, "plugins-changed"),
        ({"plugins": frozenset()}, "plugins-changed"),
        ({"options": (("option.keyword", "'not add'"),)}, "options-changed"),
        ({"options": ()}, "options-changed"),
        ({"written": frozenset({"tests/golden.json"})}, "test-files-changed"),
        ({"written": frozenset({"t.py"})}, "test-files-changed"),
    ],
)  # fmt: skip
def test_run_that_changes_its_own_framework_or_files_is_refused(change: dict[str, object], code: str) -> None:
    green = make_run({"t.py::a": "passed", "t.py::b": "passed", "t.py::c": "skipped"})
    before = replace(make_baseline(BEFORE), plugins=frozenset({"pytest_cov"}), options=(("option.keyword", "''"),))
    calm = replace(green, plugins=before.plugins, options=before.options)
    assert truth.compare(before, calm) == []
    assert [reason.code for reason in truth.compare(before, replace(calm, **change))] == [code]


def test_what_the_untouched_commit_does_too_is_not_held_against_a_patch() -> None:
    green = make_run({"t.py::a": "passed", "t.py::b": "passed", "t.py::c": "skipped"})
    same = {"drift": frozenset({"time:sleep"}), "written": frozenset({"tests/golden.json"})}
    assert truth.compare(replace(make_baseline(BEFORE), **same), replace(green, **same)) == []


def test_baseline_tells_targets_flaky_and_network_tests_apart() -> None:
    first = make_run({"a": "failed", "b": "failed", "c": "passed", "d": "passed"})
    second = make_run({"a": "failed", "b": "passed", "c": "failed", "d": "passed"})
    baseline = compare(first, second)
    assert baseline.target_ids == {"a"}
    assert set(baseline.unstable) == {"b", "c"}
    assert baseline.green == {"d"}
    unreachable = make_run({"n": "failed"}, message="OSError: [Errno 101] Network is unreachable")
    assert compare(unreachable, unreachable).network == ("n",)


class Suite:
    """A scripted suite: one result after the other, and a count of the runs."""

    def __init__(self, *runs: TestRun | None) -> None:
        self.runs = list(runs)
        self.trees: list[Files] = []

    paths = ()

    def suite(self, tree: Files, only: object = None) -> tuple[Ran, TestRun | None]:
        self.trees.append(tree)
        run = self.runs.pop(0)
        return Ran(0, None, b"" if run else None, b"", 0.1), run


SHOP_BEFORE: dict[str, Result] = {TARGET: "failed", "tests/test_pricing.py::test_total": "passed"}
GREEN = make_run({TARGET: "passed", "tests/test_pricing.py::test_total": "passed"})
RED = make_run(SHOP_BEFORE)


SCRIPTED = Options(off=frozenset({"canaries", "sabotage", "replay", "probe", "hidden"}))
"""What a scripted suite cannot answer."""


def case(text: str = FIXED, path: str = "shop/pricing.py") -> Case:
    return Case(files(SHOP), patch({path: text}), make_baseline(SHOP_BEFORE))


def test_right_fix_is_accepted_after_two_green_runs_of_the_patched_tree() -> None:
    suite = Suite(GREEN, GREEN)
    verdict = gate.judge(case(), suite, SCRIPTED)
    assert verdict.verdict == "accepted"
    assert [layer.layer for layer in verdict.layers] == [layer.LAYER for layer in gate.LAYERS]
    assert [tree["shop/pricing.py"].data.decode() for tree in suite.trees] == [FIXED, FIXED]
    assert [(change.before, change.after) for change in verdict.tests] == [("failed", "passed")]


def test_forbidden_patch_is_refused_before_anything_is_run() -> None:
    suite = Suite()
    assert gate.judge(case("x = 1\n", "tests/test_pricing.py"), suite, SCRIPTED).reasons[0].code == "test-changed"
    assert suite.trees == []


def test_contradicting_runs_are_flaky_and_rejected() -> None:
    verdict = gate.judge(case(), Suite(GREEN, RED), SCRIPTED)
    assert verdict.verdict == "rejected"
    assert verdict.flaky
    assert verdict.reasons[0].code == "flaky"


def test_run_that_ends_early_is_rejected_and_not_repeated() -> None:
    verdict = gate.judge(case(), Suite(None), SCRIPTED)
    assert [reason.code for reason in verdict.reasons] == ["exited-early"]


def test_soft_fact_asks_for_a_person() -> None:
    verdict = gate.judge(case(FIXED + "\nimport atexit\natexit.register(print)\n"), Suite(GREEN, GREEN), SCRIPTED)
    assert verdict.verdict == "needs-review"


def test_file_that_can_be_collected_again_is_shown_as_collected() -> None:
    broken = Case(files(SHOP), patch({"shop/pricing.py": FIXED}), make_baseline({"tests/test_pricing.py": "error"}))
    green = make_run({TARGET: "passed"})
    verdict = gate.judge(broken, Suite(green, green), SCRIPTED)
    assert verdict.verdict == "accepted"
    assert [(change.id, change.after) for change in verdict.tests] == [
        ("tests/test_pricing.py", "collected"),
        (TARGET, "passed"),
    ]
