"""Layer T: a complete report, in which every target passes and no other test was lost."""

from __future__ import annotations

from collections.abc import Iterator

from bot.gate.baseline import Baseline, file_of
from bot.gate.layer import Boxes, Case, Findings, Options
from bot.gate.layers import heldout
from bot.gate.protected import why_protected
from bot.nouns import Reason, Result, TestRun
from sandbox import Ran

LAYER = "tests"

_STOPPED = {
    "deadline": ("timed-out", "the suite did not end within its time limit"),
    "output": ("output-flood", "the suite printed more than its limit"),
    "report": ("output-flood", "the report is larger than its limit"),
    "memory": ("out-of-memory", "the suite used more memory than its limit"),
    "cancelled": ("cancelled", "the run was cancelled"),
}


def no_report(ran: Ran) -> Reason:
    """Why a run has no TestRun. "No report" is never a pass."""
    if ran.stopped is not None:
        code, detail = _STOPPED[ran.stopped]
        return Reason(LAYER, code, detail)
    if ran.report and ran.code in (0, 1):
        return Reason(LAYER, "bad-report", "the report is not complete, or it contradicts itself or the exit code")
    detail = f"the test process ended with code {ran.code} before it had reported every test"
    return Reason(LAYER, "exited-early", detail)


def examine(case: Case, boxes: Boxes, options: Options) -> Findings:
    """One run of the whole patched suite."""
    ran, run = boxes.suite(case.after)
    return Findings(tuple(heldout.told(of_run(case.before, ran, run), case.held_out)), run=run)


def of_run(before: Baseline, ran: Ran, run: TestRun | None) -> list[Reason]:
    """What a run has against the patch, a run without a report included."""
    return compare(before, run) if run is not None else [no_report(ran)]


def compare(before: Baseline, after: TestRun) -> list[Reason]:
    """What one run of the patched tree has against the patch."""
    results = after.results()
    reasons = [reason for target in sorted(before.target_ids) for reason in _target(target, before, results)]
    reasons += _lost(before, results)
    reasons += _new_red(before, results)
    reasons += _tampered(before, after)
    if not reasons and after.exit_code != 0 and not _excused(before, after):
        reasons.append(
            Reason(LAYER, "exit-code", f"every test is accounted for, yet pytest ended with {after.exit_code}")
        )
    return reasons


def _target(target: str, before: Baseline, results: dict[str, Result]) -> Iterator[Reason]:
    """A target that was a collection error has the id of its file: then its tests must exist and pass."""
    is_file = "::" not in target and before.results[target] == "error"
    if is_file and target not in results:
        inner = {test: result for test, result in results.items() if file_of(test) == target}
        if not inner:
            yield Reason(LAYER, "target-missing", "none of its tests is collected any more", target)
        for test, result in sorted(inner.items()):
            yield from _must_pass(test, result)
        return
    yield from _must_pass(target, results.get(target))


def _must_pass(test: str, result: Result | None) -> Iterator[Reason]:
    if result is None:
        yield Reason(LAYER, "target-missing", f"{test} is not collected any more")
    elif result in ("skipped", "xfailed", "xpassed"):
        yield Reason(LAYER, "target-skipped", f"{test} is {result}, not passed")
    elif result != "passed":
        yield Reason(LAYER, "target-still-fails", f"{test} is still red ({result})")


def _lost(before: Baseline, results: dict[str, Result]) -> Iterator[Reason]:
    for test in sorted(before.green):
        result = results.get(test)
        if result is None:
            yield Reason(LAYER, "test-missing", f"{test} passed before and is not collected any more")
        elif result in ("failed", "error"):
            yield Reason(LAYER, "test-broken", f"{test} passed before and is red now ({result})")
        elif result != "passed":
            yield Reason(LAYER, "test-skipped", f"{test} passed before and is {result} now")


def _new_red(before: Baseline, results: dict[str, Result]) -> Iterator[Reason]:
    """Red now and neither red nor green before: skipped ones that broke, or files that no longer collect."""
    excused = set(before.network) | set(before.unstable) | before.target_ids | before.green
    for test, result in sorted(results.items()):
        if result in ("failed", "error") and test not in excused and file_of(test) not in before.target_ids:
            yield Reason(
                LAYER,
                "test-broken",
                f"{test} is red now ({result}); before it was {before.results.get(test, 'absent')}",
            )


def _tampered(before: Baseline, after: TestRun) -> Iterator[Reason]:
    """What the run did to its own framework, settings and files that the untouched commit does not do."""
    drift = sorted(after.drift - before.drift)
    if drift:
        yield Reason(LAYER, "framework-changed", f"the run replaced {_some(drift)}")
    # A count of listeners ("hook=3") that went down is a plugin fewer: as telling as one more.
    plugins = sorted(after.plugins ^ before.plugins)
    if before.plugins and plugins:
        yield Reason(LAYER, "plugins-changed", f"other pytest plugins than before: {_some(plugins)}")
    options = dict(after.options)
    changed = sorted(name for name, value in before.options if options.get(name) != value)
    if changed:
        yield Reason(LAYER, "options-changed", f"pytest went by other options than before: {_some(changed)}")
    for path in sorted(after.written - before.written)[:5]:
        if path in before.test_files or why_protected(path) is not None:
            yield Reason(LAYER, "test-files-changed", "the run changed this file, which no repair may touch", path)


def _some(names: list[str]) -> str:
    return ", ".join(names[:4]) + (" …" if len(names) > 4 else "")


def _excused(before: Baseline, after: TestRun) -> bool:
    """True when the tests that are still red are the ones that never counted."""
    red = {case.id for case in after.red()}
    return bool(red) and red <= set(before.network) | set(before.unstable)
