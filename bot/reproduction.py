"""What a new test must be to stand for an issue: new, a test, and red on the untouched commit by the code's fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bot import syntax
from bot.gate.baseline import Baseline, file_of
from bot.gate.protected import why_protected
from bot.nouns import Patch, Reason, TestCase, TestRun, Verdict
from sandbox import Files

LAYER = "reproduction"
MAX_FILES = 2
MAX_LINES = 120
COMMIT_DATE = "2000-01-01T00:00:00+0000"
"""Of the commit that holds the test on this machine: the same after a restart. GitHub gets a commit of its own."""

# A test that fails so is wrong itself, or asks for something that is not there to be called.
_OF_THE_TEST = {
    "SyntaxError", "IndentationError", "ImportError", "ModuleNotFoundError", "NameError", "FixtureLookupError",
    "UnboundLocalError", "Skipped", "Failed",
}  # fmt: skip


def why_not(tree: Files, path: str) -> str | None:
    """Why a file cannot be written for a reproduction, in words; None where it can."""
    if path in tree:
        return "files that exist are not for a reproduction to change"
    if not path.endswith(".py") or why_protected(path) != "test-changed":
        return "only a new test file can be written here, such as tests/test_issue.py"
    return None


def shape(patch: Patch, tree: Files) -> list[Reason]:
    """What is wrong with a test before it is run; an empty list when nothing is."""
    reasons = [_reason("not-a-new-test", why, path) for path in patch.files if (why := why_not(tree, path))]
    if not patch.files or len(patch.files) > MAX_FILES or patch.modes:
        reasons.append(_reason("too-large", f"one new test file is enough; at most {MAX_FILES} are taken"))
    for path, data in patch.files.items():
        text = (data or b"").decode("utf-8", "replace")
        if text.count("\n") > MAX_LINES:
            reasons.append(_reason("too-large", f"the test has more than {MAX_LINES} lines", path))
        try:
            syntax.parse(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            reasons.append(_reason("no-python", f"it is no Python: {type(error).__name__}", path))
    return reasons


def judge(patch: Patch, tree: Files, baseline: Baseline, run: Callable[[], TestRun | None]) -> Verdict:
    """Whether the test shows a fault of the untouched code. `run` runs the whole suite with it in a fresh box."""
    reasons = shape(patch, tree)
    if reasons:
        return Verdict("rejected", tuple(reasons))
    first, second = run(), run()
    if first is None or second is None:
        return Verdict("rejected", (_reason("no-report", "with the new test, the suite does not come to its end"),))
    reasons = [*_red(patch, first), *_stable(patch, first, second), *_others(baseline, (first, second))]
    return Verdict("rejected", tuple(reasons)) if reasons else Verdict("accepted")


def _mine(patch: Patch, run: TestRun) -> list[TestCase]:
    return [case for case in run.cases if file_of(case.id) in patch.files]


def _red(patch: Patch, run: TestRun) -> Iterable[Reason]:
    """Each new test fails, by the code's fault as far as its exception tells."""
    mine = _mine(patch, run)
    if not mine:
        yield _reason("no-test", "no test was found in the new file")
    for case in mine:
        if case.result == "passed":
            yield _reason("passes-already", f"{case.id} passes on the untouched code, so that it shows nothing")
        elif case.result != "failed" or case.exception in _OF_THE_TEST:
            said = case.exception or case.result
            yield _reason("fails-by-itself", f"{case.id} ends with {said}, which is a mistake of the test")


def _stable(patch: Patch, first: TestRun, second: TestRun) -> Iterable[Reason]:
    again = second.results()
    for case in _mine(patch, first):
        if again.get(case.id) != case.result:
            yield _reason("unstable", f"{case.id} did not come to the same result twice")


def _others(baseline: Baseline, runs: Iterable[TestRun]) -> Iterable[Reason]:
    for run in runs:
        results = run.results()
        lost = sorted(test for test in baseline.green if results.get(test) != "passed")
        if lost:
            yield _reason("disturbs-others", f"with the new file, {lost[0]} does not pass any more")
            return


def _reason(code: str, detail: str, path: str | None = None) -> Reason:
    return Reason(LAYER, code, detail, path)
