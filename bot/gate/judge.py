"""The gate: a patch against a commit -> Verdict. Cheap layers first; the first hard reason ends it.

    structure   the shape of the patch: protected paths, modes, size, shadowing
    facts       what the patched code can do that it could not before
    tests       the whole suite in a fresh box: every target green, no other test lost
    canaries    clones of the targets, of which only the gate knows which must pass
    sabotage    a function on the way of each target is broken: the target must fail
    replay      assertions again in a process without a test framework, judged on our side
    probe       inputs that no test uses: what the patch does to them, and whether it does anything
    hidden      failing tests that the engine never saw
    flakes      the whole suite again, with the same result

Whoever wrote the patch has no say here. Anything that cannot be judged is rejected.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from bot.gate.baseline import Baseline, file_of
from bot.gate.layer import Boxes, Case, Findings, Layer, Options
from bot.gate.layers import canary, facts, flake, heldout, oracle, probe, sabotage, structure, truth
from bot.nouns import Judgement, LayerRecord, Reason, Result, TestChange, TestRun, Verdict

LAYERS: tuple[Layer, ...] = (structure, facts, truth, canary, sabotage, oracle, probe, heldout, flake)
"""In the order in which they are asked. Adding one is one line here and one file."""

REQUIRED = frozenset({structure.LAYER, truth.LAYER, flake.LAYER})
"""Layers that a repository's policy may neither switch off nor make advisory: the promises rest on them."""

CLEARED_BY = {
    "attribute-by-name": {canary.LAYER, sabotage.LAYER},
    "constant-comparison": {canary.LAYER, sabotage.LAYER},
    "runs-at-exit": {canary.LAYER, sabotage.LAYER},
    # The replay is another process elsewhere, without the tests and their fixtures.
    "looks-at-caller": {canary.LAYER, sabotage.LAYER, "replay"},
    "reads-surroundings": {canary.LAYER, sabotage.LAYER, "replay"},
    # Right far away from the tests, too: then a table is no table of answers, and a guard was wrong.
    "copies-test-values": {"probe"},
    "removes-checks": {canary.LAYER, sabotage.LAYER, "probe"},
    # Other bounds were tried there, and other values of the argument.
    "bound-from-nowhere": {"probe"},
    "argument-unread": {"probe"},
}
"""Soft facts that are doubtful only as means of a lie: layers that were applied and found nothing clear them."""

_NO_TREE = "odd-path"
"""No box can hold such a tree: there is nothing that other layers could run."""

_OFF = "switched off by the policy of this repository"


def judge(case: Case, boxes: Boxes, options: Options | None = None) -> Verdict:
    """Judge a patch. Raises SandboxError when a box breaks, which says nothing about the patch."""
    asked = _cleared(list(_asked(case, boxes, options or Options())))
    findings = [found for _, found in asked]
    reasons = [reason for found in findings for reason in found.reasons]
    run = next((found.run for found in findings if found.run is not None), None)
    hard = any(reason.hard for reason in reasons)
    judgement: Judgement = "rejected" if hard else "needs-review" if reasons else "accepted"
    return Verdict(
        judgement, tuple(dict.fromkeys(sorted(reasons, key=lambda reason: not reason.hard))),
        tuple(record for record, _ in asked), _changes(case.before, run), len(run.cases) if run else 0,
        any(found.flaky for found in findings),
    )  # fmt: skip


def _cleared(asked: list[tuple[LayerRecord, Findings]]) -> list[tuple[LayerRecord, Findings]]:
    """The same, with soft facts that other layers have cleared turned into notes."""
    clean = {record.layer for record, found in asked if not found.reasons and not found.unapplied}
    result = []
    for record, found in asked:
        gone = [reason for reason in found.reasons if not reason.hard and CLEARED_BY.get(reason.code, {""}) <= clean]
        if gone:
            left = tuple(reason for reason in found.reasons if reason not in gone)
            notes = (*found.notes, *(f"cleared: {reason.code}, {reason.detail} ({reason.path})" for reason in gone))
            found = replace(found, reasons=left, notes=notes)  # noqa: PLW2901 - the cleared one takes its place
            record = _record(record.layer, found, record.seconds)  # noqa: PLW2901
        result.append((record, found))
    return result


def _asked(case: Case, boxes: Boxes, options: Options) -> Iterator[tuple[LayerRecord, Findings]]:
    """One layer after the other, until one rejects."""
    for layer in LAYERS:
        started = time.monotonic()
        found = Findings(unapplied=_OFF) if layer.LAYER in options.off else _ask(layer, case, boxes, options)
        if layer.LAYER in options.advisory:
            found = _advice(found)
        yield _record(layer.LAYER, found, time.monotonic() - started), found
        hard = {reason.code for reason in found.reasons if reason.hard}
        if hard and (not options.all_layers or _NO_TREE in hard):
            return


def _ask(layer: Layer, case: Case, boxes: Boxes, options: Options) -> Findings:
    try:
        return layer.examine(case, boxes, options)
    except (RecursionError, MemoryError, OverflowError) as error:
        # Text that parses and then exhausts whoever walks it: no layer may be passed by that.
        detail = f"the layer gave up with {type(error).__name__} on this input"
        return Findings((Reason(layer.LAYER, "cannot-judge", detail),))


def _advice(found: Findings) -> Findings:
    """Hard reasons become soft, soft ones notes."""
    hard = [reason for reason in found.reasons if reason.hard]
    soft = [f"{reason.code}: {reason.detail}" for reason in found.reasons if not reason.hard]
    advised = tuple(Reason(reason.layer, reason.code, reason.detail, reason.path, False) for reason in hard)
    return Findings(
        advised, found.unapplied, (*found.notes, *soft), found.changed, found.run, found.flaky and bool(hard)
    )


def _record(name: str, found: Findings, seconds: float) -> LayerRecord:
    codes = ", ".join(dict.fromkeys(reason.code for reason in found.reasons))
    rejects = any(reason.hard for reason in found.reasons)
    passed = None if found.unapplied and not rejects else not rejects
    said = codes or ("not applied" if found.unapplied else "nothing found")
    return LayerRecord(name, passed, said, round(seconds, 3), found.unapplied, found.notes, found.changed)


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
