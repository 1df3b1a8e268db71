"""Tools that run the project in a box: run_tests for known tests, run_check for the project's own checkers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.engines.agent import feedback
from bot.engines.agent.feedback import Report
from bot.engines.agent.outputs import Outputs
from bot.engines.agent.refusal import EditRefused
from bot.engines.agent.tools import Param, Said, Tool
from bot.engines.agent.tree import Tree
from bot.engines.contract import Observed
from bot.nouns import Failure, Result
from sandbox import Files

RunTests = Callable[[Files, Sequence[str] | None], Observed]
RunCheck = Callable[[str, Files, Sequence[str]], Observed]
ALL = "all"


class Running:
    """Runs tests and checks on the tree as it stands, and remembers what the tests came to."""

    def __init__(
        self,
        tree: Tree,
        outputs: Outputs,
        failure: Failure,
        *,
        run_tests: RunTests,
        run_check: RunCheck,
        checks: Sequence[str],
    ) -> None:
        self._tree = tree
        self._outputs = outputs
        self._run_tests = run_tests
        self._run_check = run_check
        self._checks = tuple(checks)
        self._targets = tuple(case.id for case in failure.targets)
        self._known = (*self._targets, *failure.passing)
        self._results: dict[str, Result] = dict.fromkeys(failure.passing, "passed")
        self._results |= {case.id: case.result for case in failure.targets}
        self.green_at = ""
        """Digest of the tree on which the failing tests were last seen to pass."""
        self.last: Report | None = None

    def tools(self) -> list[Tool]:
        names = Param(
            "targets", "strings",
            "Ids of known tests, paths of test files, or 'all'. Left out: the tests that were red at the start.",
            ["tests/test_pricing.py::test_total"], required=False,
        )  # fmt: skip
        about = "Run tests on the files as they are now, in a box without network."
        found = [Tool("run_tests", about, (names,), self._tests)]
        if self._checks:
            which = Param("name", "string", "Which one.", self._checks[0])
            paths = Param(
                "paths", "strings", "Files to check; left out: those that you changed.", ["shop/a.py"], required=False
            )
            about = f"Run one of the project's own checkers: {', '.join(self._checks)}."
            found.append(Tool("run_check", about, (which, paths), self._check))
        return found

    def targets(self) -> Report:
        """Run the tests that were red at the start."""
        return self._ran(self._targets)

    def _tests(self, arguments: Mapping[str, Any]) -> Said:
        asked = arguments.get("targets") or list(self._targets)
        if ALL in asked:
            found = self._ran(None)
        else:
            wanted, unknown = self._expanded(asked)
            if unknown:
                shown = ", ".join(repr(name[:80]) for name in unknown[:5])
                return Said(
                    f"These are no known tests: {shown}. Give ids as the failures show them, paths of test files, or "
                    f"{ALL!r}. Nothing was run.", error="target",
                )  # fmt: skip
            found = self._ran(wanted)
        return Said(
            found.note, self._outputs.short(found.data), "results of tests", error="" if found.ran else "tests"
        )

    def _expanded(self, asked: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
        """Ids of known tests that the names stand for, and the names that stand for none."""
        wanted: dict[str, None] = {}
        unknown = []
        for name in asked:
            path = name.removeprefix("./")
            hits = [test for test in self._known if test == path or test.startswith((path + "::", path + "["))]
            if not hits or not path:
                unknown.append(name)
            wanted.update(dict.fromkeys(hits))
        return tuple(wanted), unknown

    def _ran(self, wanted: Sequence[str] | None) -> Report:
        # A file that could not be collected has no tests yet: only a run of everything finds the ones that it has.
        only = None if wanted is None or any("::" not in test for test in wanted) else list(wanted)
        observed = self._run_tests(self._tree.files(), only)
        found = feedback.report(observed, self._results, wanted=wanted or ())
        if observed.run is not None:
            self._results |= observed.run.results()
            if found.ran and set(self._targets) <= set(only or self._targets):
                self._note_green(found)
        self.last = found
        return found

    def _note_green(self, found: Report) -> None:
        files = {target.split("::", 1)[0] for target in self._targets if "::" not in target}
        bad = [test for test in found.red if test in self._targets or test.split("::", 1)[0] in files]
        self.green_at = "" if bad else self._tree.digest()

    def _check(self, arguments: Mapping[str, Any]) -> Said:
        name = arguments["name"]
        if name not in self._checks:
            return Said(f"There is no check {name[:40]!r}. There are: {', '.join(self._checks)}.", error="target")
        try:
            paths = [self._tree.resolve(path) for path in arguments.get("paths") or list(self._tree.patch().files)]
        except EditRefused as error:
            return Said("A path is not known.", str(error), "why", error=error.kind)
        paths = [path for path in paths if path.endswith((".py", ".pyi")) and not path.startswith("-")]
        if not paths:
            return Said("There is nothing to check: no Python file was changed.", error="target")
        observed = self._run_check(name, self._tree.files(), paths)
        if observed.stopped:
            return Said(f"{name} did not end: {observed.stopped}.", error="check")
        said = observed.output.strip()
        if not said:
            return Said(f"{name} ended with {observed.code} and printed nothing.")
        return Said(f"{name} ended with {observed.code}.", self._outputs.short(said), f"output of {name}")
