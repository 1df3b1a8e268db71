"""A test run as feedback for a model: what it means, what has changed, and the first failures whole."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.engines.agent.outputs import cut
from bot.engines.contract import Observed
from bot.nouns import Result, TestCase, TestRun

_WHOLE = 3
_AS_LINES = 10
_MESSAGE_CHARS = 2500
_RED = ("failed", "error")
_STOPPED = {
    "deadline": "the run took longer than its time limit and was killed: look for an endless loop",
    "memory": "the run used more memory than its limit and was killed",
    "output": "the run printed more than its limit and was killed",
    "report": "the report was larger than its limit",
    "cancelled": "the run was cancelled",
}
_MEANING = {
    0: "all passed",
    1: "some tests are red",
    2: "interrupted, most likely while collecting",
    3: "internal error of pytest",
    4: "wrong usage of pytest",
    5: "no tests were collected, which is not a success",
}
_VOLATILE = re.compile(
    r"0x[0-9a-fA-F]+|/tmp/[^\s'\"]+|\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b"
    r"|\b\d+(?:\.\d+)?\s?(?:ms|s|seconds?|us|ns)\b|\bpid[ =:]\d+"
)


@dataclass(frozen=True)
class Report:
    """A run in words: `note` is ours, `data` quotes the project, `red` are the ids that are red."""

    note: str
    data: str
    red: tuple[str, ...]
    signature: str
    """Names the set of failures, whatever differs from run to run."""
    ran: bool


def report(observed: Observed, before: Mapping[str, Result], *, wanted: Sequence[str] = ()) -> Report:
    """Words for a run. `before`: the last known result of each test. `wanted`: ids that had to run."""
    run = observed.run
    if run is None:
        why = _STOPPED.get(observed.stopped, f"the test process ended with code {observed.code} before its report")
        return Report(f"There is no report: {why}.", cut(observed.output, 4000), (), f"no report: {why}", False)
    missing = [test for test in wanted if test not in run.results() and "::" in test]
    red = run.red()
    parts = [_status(run), *_missing(missing), *_compared(run, before)]
    return Report(
        "\n".join(parts), _failures(red), tuple(case.id for case in red), signature(red),
        bool(run.cases) and not missing,
    )  # fmt: skip


def signature(red: Sequence[TestCase]) -> str:
    """A failing set by id without parameters, exception, and the last function of the repository that it passed."""
    parts = set()
    for case in red:
        place = f"{case.frames[-1].path}:{case.frames[-1].function}" if case.frames else ""
        parts.add(f"{case.id.split('[', 1)[0]}|{case.exception}|{place}")
    return "\n".join(sorted(parts))


def normal(text: str) -> str:
    """A text without what differs from run to run: addresses, times, temporary names."""
    return _VOLATILE.sub("#", text)


def _status(run: TestRun) -> str:
    counted = [f"{sum(case.result == kind for case in run.cases)} {kind}" for kind in _kinds(run)]
    meaning = _MEANING.get(run.exit_code, "unknown")
    return f"pytest ended with {run.exit_code} ({meaning}): {', '.join(counted) or 'nothing ran'}."


def _kinds(run: TestRun) -> list[Result]:
    order: tuple[Result, ...] = ("failed", "error", "passed", "skipped", "xfailed", "xpassed")
    return [kind for kind in order if any(case.result == kind for case in run.cases)]


def _missing(missing: Sequence[str]) -> list[str]:
    if not missing:
        return []
    return [f"{len(missing)} of the tests that were asked for did not run: this is not a success."]


def _compared(run: TestRun, before: Mapping[str, Result]) -> list[str]:
    """How many tests changed since the last run; their names are the project's text and stand in the data."""
    now = run.results()
    known = {test: before[test] for test in now if test in before}
    fixed = [test for test in known if known[test] in _RED and now[test] == "passed"]
    broken = [test for test in known if known[test] == "passed" and now[test] in _RED]
    still = [test for test in known if known[test] in _RED and now[test] in _RED]
    parts = []
    for label, tests in (("newly broken", broken), ("still failing", still), ("fixed", fixed)):
        if tests:
            parts.append(f"{label}: {len(tests)}")
    return ["Since the last run: " + ", ".join(parts) + "."] if parts else []


def _failures(red: Sequence[TestCase]) -> str:
    """The first failures whole, some more as lines, the rest counted."""
    parts = []
    for case in red[:_WHOLE]:
        frames = "".join(f"\n  at {frame.path}:{frame.line} in {frame.function}" for frame in case.frames[-8:])
        parts.append(f"{case.id}: {case.result}\n{cut(case.message, _MESSAGE_CHARS)}{frames}")
    for case in red[_WHOLE : _WHOLE + _AS_LINES]:
        first = case.message.split("\n", 1)[0][:160]
        parts.append(f"{case.id}: {case.result}: {first}")
    rest = len(red) - _WHOLE - _AS_LINES
    return "\n".join(parts) + (f"\n… and {rest} more" if rest > 0 else "")
