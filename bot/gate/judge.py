"""The gate: a patch against a commit -> Verdict. Cheap layers first; the first hard reason ends it.

    structure   the shape of the patch: protected paths, modes, size, shadowing
    facts       what the patched code can do that it could not before
    tests       two runs in fresh boxes: every target green, no other test lost, the same result twice

Whoever wrote the patch has no say here. Anything that cannot be judged is rejected.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.gate import facts, structure, truth
from bot.gate.baseline import Baseline, file_of
from bot.nouns import Judgement, LayerRecord, Patch, Reason, Result, TestChange, TestRun, Verdict
from bot.workspace import patched
from sandbox import Files, Ran

RunSuite = Callable[[Files], tuple[Ran, TestRun | None]]
"""Runs the whole suite on a tree in a box that ran nothing before."""

_REPEATS = 2


@dataclass(frozen=True)
class Case:
    """What is judged: the pristine tree, the patch, and what the suite did before it."""

    tree: Files
    patch: Patch
    before: Baseline


def judge(case: Case, run_suite: RunSuite) -> Verdict:
    """Judge a patch. Raises SandboxError when a box breaks, which says nothing about the patch."""
    layers: list[LayerRecord] = []
    soft: list[Reason] = []
    for name, examine in (("structure", _structure), ("facts", _facts)):
        started = time.monotonic()
        reasons = examine(case)
        hard = [reason for reason in reasons if reason.hard]
        layers.append(LayerRecord(name, not hard, _summary(reasons), time.monotonic() - started))
        if hard:
            return Verdict("rejected", tuple(reasons), tuple(layers))
        soft += reasons
    started = time.monotonic()
    runs = list(_runs(case, run_suite))
    reasons, flaky = _repeated(case.before, runs)
    layers.append(LayerRecord("tests", not reasons, _summary(reasons), time.monotonic() - started))
    after = next((run for _, run in runs if run is not None), None)
    changes = _changes(case.before, after)
    total = len(after.cases) if after else 0
    judgement: Judgement = "rejected" if reasons else "needs-review" if soft else "accepted"
    return Verdict(judgement, tuple(reasons + soft), tuple(layers), changes, total, flaky)


def _summary(reasons: list[Reason]) -> str:
    return ", ".join(dict.fromkeys(reason.code for reason in reasons)) or "nothing found"


def _structure(case: Case) -> list[Reason]:
    return structure.examine(
        case.patch, case.tree, test_files=case.before.test_files, installed=case.before.installed
    )


def _facts(case: Case) -> list[Reason]:
    sources = tuple(
        case.tree[path].data.decode("utf-8", "replace")
        for path in sorted({file_of(target) for target in case.before.target_ids})
        if path in case.tree
    )
    doctests = any(file_of(test) in case.patch.files for test in case.before.doctests)
    return facts.examine(case.patch, case.tree, test_sources=sources, doctests=doctests)


def _runs(case: Case, run_suite: RunSuite) -> Iterator[tuple[Ran, TestRun | None]]:
    """Fresh boxes, one after the other; a run that already condemns the patch is not repeated for nothing."""
    tree = patched(case.tree, case.patch)
    for _ in range(_REPEATS):
        ran, run = run_suite(tree)
        yield ran, run
        if run is None:
            return


def _repeated(before: Baseline, runs: list[tuple[Ran, TestRun | None]]) -> tuple[list[Reason], bool]:
    """The reasons of all runs, and whether the runs contradict one another."""
    verdicts = [truth.examine(before, run) if run else [truth.no_report(ran)] for ran, run in runs]
    flaky = len(verdicts) > 1 and any(verdicts) and not all(verdicts)
    reasons = list(dict.fromkeys(reason for verdict in verdicts for reason in verdict))
    if flaky:
        detail = "the patched suite was green in one run and red in another"
        reasons.insert(0, Reason(truth.LAYER, "flaky", detail))
    return reasons, flaky


def _changes(before: Baseline, after: TestRun | None) -> tuple[TestChange, ...]:
    """Tests whose result differs, the targets always included."""
    if after is None:
        return ()
    results = after.results()
    names = [test for test in before.results if before.results[test] != results.get(test)]
    names += [test for test in results if test not in before.results]
    return tuple(
        TestChange(test, before.results.get(test, "absent"), _now(test, results)) for test in dict.fromkeys(names)
    )


def _now(test: str, results: dict[str, Result]) -> str:
    """Result after the patch; a file that could not be collected has no result of its own once it can be."""
    if test in results:
        return results[test]
    return "collected" if any(file_of(other) == test for other in results) else "absent"
