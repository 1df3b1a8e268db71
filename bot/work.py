"""The acts of one repair: prepare, reproduce, propose, judge. Each returns plain data that can be stored."""

from __future__ import annotations

import dataclasses
import math
import secrets
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from bot import redaction, reproduction
from bot.engines.contract import Dialogue, Engine, Launch, Proposals, Workbench
from bot.errors import OutOfBudget
from bot.escape import plain
from bot.gate import judge as gate
from bot.gate import lot
from bot.gate.baseline import Baseline, compare
from bot.gate.layer import Called, Case, Options, Trace
from bot.gate.layers import heldout
from bot.gate.layers.truth import no_report
from bot.gate.protected import covers, why_protected
from bot.nouns import Failure, Patch, Reason, SearchStats, TestRun, Verdict
from bot.toolchains import python, undeclared
from bot.workspace import Commit, patched
from sandbox import (
    BuildFailed,
    Command,
    Files,
    Image,
    Limits,
    Ran,
    Sandbox,
    SandboxError,
    SandboxUnavailable,
    Session,
)

T = TypeVar("T")

BOX_TRIES = 3
_GATE_RUNS = 64
"""More than the gate makes, so that there is always a box waiting for it; one is made in vain."""
_PATIENCE_S, _PATIENCE = 60.0, 10.0
"""A patched suite that takes this long, and so many times as long as the untouched one, hangs."""

OVER = "The time for this repair is over (`--timeout`)."
_LAST_LINES, _LAST_CHARS = 15, 300
_MOST_OF_IT = 0.9
"""A search ends a little before its time does."""


@dataclass(frozen=True)
class Task:
    """What is to be repaired: one commit, and the pytest arguments that show the failure."""

    id: str
    repo: str
    commit: Commit
    pytest_args: tuple[str, ...] = ()
    told: str = ""
    """What a person wrote about the fault, where somebody did."""
    base: Commit | None = None
    """Where the failure may come from: the head of the branch that the commit is to go into."""


@dataclass(frozen=True)
class Means:
    """What a repair may use."""

    sandbox: Sandbox
    engines: Mapping[str, Engine | Dialogue]
    limits: Limits
    search_s: float
    base_image: str = ""
    until: float = float("inf")
    """When all of it must be over, on the clock of time.monotonic()."""
    progress: Callable[[str, str], None] = lambda stage, detail: None
    """Called with the step's name and a line of text."""
    cancelled: Callable[[], bool] = lambda: False
    gate: Options = field(default_factory=Options)
    """How strict the gate is, by the repository's policy."""
    key: str = field(default_factory=lambda: secrets.token_hex(lot.BYTES), repr=False)
    """Secret of the installation, from which the gate draws its lots; engines are not given their means."""


@dataclass(frozen=True)
class Prepared:
    """Result of `prepare`: the image, or why there is none."""

    image: str = ""
    notes: tuple[str, ...] = ()
    refusal: str = ""
    log: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Reproduced:
    """Result of `reproduce`. `baseline` is there unless the suite cannot be run."""

    state: Literal["red", "green", "flaky", "broken", "network"] = "broken"
    baseline: Baseline | None = None
    detail: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Shared:
    """Result of `shared`: ids of the red tests that fail on the base in the same way."""

    tests: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Proposed:
    """Result of one engine."""

    proposals: Proposals = field(default_factory=lambda: Proposals((), SearchStats()))
    seconds: float = 0.0


@dataclass(frozen=True)
class Judged:
    """Result of the gate on one candidate."""

    verdict: Verdict
    seconds: float = 0.0


class Work:
    """One repair's acts. OutOfBudget goes up when the time is over, SandboxError when boxes keep breaking."""

    def __init__(self, task: Task, means: Means) -> None:
        self.task = task
        self.means = means
        self.tree: Files = task.commit.files()

    def prepare(self) -> Prepared:
        """Build or find the dependency image."""
        started = time.monotonic()
        if not python.recognises(self.tree):
            return Prepared(refusal="No project of a known kind was found. Python projects tested with pytest are.")
        recipe, notes = python.recipe(self.tree, base=self.means.base_image or None)
        try:
            image = steady(lambda: self.means.sandbox.prepare(recipe, progress=self._tell("prepare")))
        except BuildFailed as error:
            return Prepared(
                refusal=f"The dependencies cannot be installed: the step {error.step!r} failed. "
                "Correct the requirement that it names, or make the package reachable from this machine."
                + _last_words(error.log),
                log=error.log,
                seconds=time.monotonic() - started,
            )
        return Prepared(image.id, (*notes, *image.notes), seconds=time.monotonic() - started)

    def reproduce(self, prepared: Prepared) -> Reproduced:
        """Run the untouched suite twice."""
        started = time.monotonic()
        runs: list[TestRun] = []
        with self.means.sandbox.session(Image(prepared.image), runs=2) as session:
            for number in (1, 2):
                self.means.progress("reproduce", f"running the suite on the untouched commit ({number} of 2)")
                ran = self._fresh(session, python.suite(self.tree, self._launch(), observe=True))
                run = python.parse(ran)
                if run is None:
                    return Reproduced(detail=_unrunnable(ran), seconds=time.monotonic() - started)
                runs.append(run)
        found = _classify(runs[0], runs[1], self.task.pytest_args)
        return dataclasses.replace(found, seconds=time.monotonic() - started)

    def shared(self, baseline: Baseline) -> Shared:
        """Run the red tests on the base: those that fail there with the same exception are not of this commit."""
        assert self.task.base is not None
        started = time.monotonic()
        self.means.progress("reproduce", "running the failing tests on the base branch")
        tree = self.task.base.files()
        if not python.recognises(tree):
            return Shared()
        recipe, _ = python.recipe(tree, base=self.means.base_image or None)
        try:
            image = steady(lambda: self.means.sandbox.prepare(recipe, progress=self._tell("prepare")))
        except BuildFailed:
            return Shared(seconds=time.monotonic() - started)
        launch = python.launch(tree, self.task.pytest_args)
        with self.means.sandbox.session(image, runs=1) as session:
            run = python.parse(self._fresh(session, python.suite(tree, launch, only=sorted(baseline.target_ids))))
        there = {case.id: case.exception for case in run.red()} if run else {}
        same = [case.id for case in baseline.targets if there.get(case.id) == case.exception]
        return Shared(tuple(same), time.monotonic() - started)

    def undeclared(self, baseline: Baseline) -> str:
        """The sentence about a module that code, not a test, imports and nothing provides; empty where none is.

        No patch of code mends that. A module that only a test imports may be one that is still to be written.
        """
        parent = self.task.commit.parent()
        before = parent.entries() if parent is not None else ()
        for case in baseline.targets:
            missing = undeclared.module(case, self.tree, baseline.installed, before=before)
            if missing is not None and self.why_protected(missing.path, baseline) is None:
                return missing.told(self.tree)
        return ""

    def judge_test(self, patch: Patch, prepared: Prepared, baseline: Baseline) -> Judged:
        """Whether new tests show a fault of the untouched commit, by two runs in fresh boxes."""
        started = time.monotonic()
        self.means.progress("reproduce", "running the suite with a new test")
        tree = patched(self.tree, patch)
        with self.means.sandbox.session(Image(prepared.image), runs=2) as session:
            command = python.suite(tree, self._launch())
            verdict = reproduction.judge(
                patch, self.tree, baseline, lambda: python.parse(self._fresh(session, command))
            )
        return Judged(verdict, time.monotonic() - started)

    def propose(self, engine: Engine, prepared: Prepared, baseline: Baseline) -> Proposed:
        """Ask one engine for patches."""
        started = time.monotonic()
        # It may be done before it says a word itself.
        self.means.progress("repair", f"{engine.name} looks for a change")
        failure, launch = self.shown(baseline)
        budget_s = min(self.means.search_s, self._left())

        def ask() -> Proposals:
            with self.means.sandbox.session(Image(prepared.image)) as session:
                workbench = Workbench(
                    tree=self.tree,
                    session=session,
                    launch=launch,
                    protected=lambda path: self.why_protected(path, baseline) is not None,
                    budget_s=min(budget_s, self._left()),
                    progress=self._tell("repair"),
                    cancelled=self.means.cancelled,
                    changed=self.changed(),
                )
                return engine.propose(failure, workbench)

        proposals, seconds = steady(ask), time.monotonic() - started
        if not proposals.candidates and budget_s < self.means.search_s and seconds >= budget_s * _MOST_OF_IT:
            proposals = dataclasses.replace(proposals, over_budget=f"{OVER} It ended the search.")
        return Proposed(proposals, seconds)

    def changed(self) -> dict[str, tuple[range, ...]]:
        """Lines that came with this pull request or commit, as far as the history is here."""
        commit = self.task.commit
        before = self.task.base or commit.parent()
        return commit.changed_since(before) if before is not None else {}

    def shown(self, baseline: Baseline) -> tuple[Failure, Launch]:
        """What an engine is told, and how it starts tests: without the targets that are kept from it."""
        hidden = self.held_out(baseline)
        visible = tuple(case for case in baseline.targets if case.id not in hidden)
        launch = self._launch()
        launch = dataclasses.replace(launch, pytest_args=(*launch.pytest_args, *heldout.deselected(hidden)))
        green = tuple(sorted(baseline.green))
        failure = Failure(visible, green, self.task.pytest_args, baseline.seconds, self.task.told)
        return failure, launch

    def why_protected(self, path: str, baseline: Baseline) -> str | None:
        """The code of the reason why no engine may touch this file; None where it may."""
        if covers(self.means.gate.protected, path):
            return "protected-by-policy"
        return why_protected(path, baseline.test_files)

    def held_out(self, baseline: Baseline) -> tuple[str, ...]:
        """Targets that no engine is shown; the same when a killed job is taken up again."""
        return heldout.choose(baseline, f"{self.task.id} {self.task.commit.sha}")

    def judge(
        self, patch: Patch, prepared: Prepared, baseline: Baseline, *, held_out: tuple[str, ...] = ()
    ) -> Judged:
        """Let the gate judge one patch. `held_out`: targets that its author has not seen."""
        started = time.monotonic()
        self.means.progress("verify", f"judging a patch to {', '.join(sorted(patch.files))}")
        try:
            image = self._image_for(patch, prepared)
        except BuildFailed as error:
            detail = f"what the patch asks for cannot be installed: the step {error.step!r} failed"
            verdict = Verdict("rejected", (Reason("tests", "cannot-install", detail),))
            return Judged(verdict, time.monotonic() - started)
        with self.means.sandbox.session(Image(image), runs=_GATE_RUNS) as session:
            case = Case(self.tree, patch, baseline, held_out, self.means.key)
            verdict = gate.judge(case, self.boxes(session, baseline.seconds), self.means.gate)
        return Judged(verdict, time.monotonic() - started)

    def _image_for(self, patch: Patch, prepared: Prepared) -> str:
        """The image to judge in: another one where the policy lets the patch change what is installed."""
        if not self.means.gate.dependencies:
            return prepared.image
        recipe, _ = python.recipe(patched(self.tree, patch), base=self.means.base_image or None)
        return steady(lambda: self.means.sandbox.prepare(recipe, progress=self._tell("prepare"))).id

    def boxes(self, session: Session, usual_s: float) -> GateBoxes:
        """Fresh boxes of one session, as the gate wants them. `usual_s`: how long the untouched suite takes."""
        longest = _PATIENCE_S + _PATIENCE * usual_s
        return GateBoxes(self._launch(), lambda command: self._fresh(session, command, longest))

    def _launch(self) -> Launch:
        return python.launch(self.tree, self.task.pytest_args)

    def _left(self) -> float:
        """Seconds until all must be over."""
        left = self.means.until - time.monotonic()
        if left <= 0:
            raise OutOfBudget(OVER)
        return left

    def _fresh(self, session: Session, command: Command, longest: float = math.inf) -> Ran:
        """One command in a box that ran nothing before. OutOfBudget when the time for all is over."""
        timeout = min(self.means.limits.timeout_s, self._left(), longest)
        limits = dataclasses.replace(self.means.limits, timeout_s=timeout)
        ran = steady(lambda: session.verify_fresh(command, limits))
        if ran.stopped == "deadline":
            self._left()
        return ran

    def _tell(self, stage: str) -> Callable[[str], None]:
        return lambda line: self.means.progress(stage, line)


class GateBoxes:
    """The gate's Boxes on top of one function that runs a command in a fresh box."""

    def __init__(self, launch: Launch, run: Callable[[Command], Ran]) -> None:
        self.paths = launch.paths
        self._launch, self._run = launch, run

    def suite(self, tree: Files, only: Sequence[str] | None = None) -> tuple[Ran, TestRun | None]:
        ran = self._run(python.suite(tree, self._launch, only=only))
        return ran, python.parse(ran)

    def trace(self, tree: Files, only: Sequence[str]) -> Trace | None:
        called = python.calls(self._run(python.suite(tree, self._launch, only=only, trace=True)))
        if called is None:
            return None
        return {test: tuple(Called(*one) for one in seen) for test, seen in called.items()}

    def program(self, tree: Files, tools: Files, argv: Sequence[str], job: bytes) -> Ran:
        return self._run(python.program(tree, self._launch, tools, argv, job))


def steady(act: Callable[[], T]) -> T:
    """A broken box says nothing about the patch: take a new one, a few times."""
    for left in reversed(range(BOX_TRIES)):
        try:
            return act()
        except (BuildFailed, SandboxUnavailable):
            raise
        except SandboxError:
            if not left:
                raise
    raise AssertionError("unreachable")


def _unrunnable(ran: Ran) -> str:
    said = ran.output.decode("utf-8", "replace")
    return f"The test suite cannot be run: {no_report(ran).detail}.{_last_words(said)}"


def _last_words(said: str) -> str:
    """The end of what a program printed, below the sentence that it is about."""
    lines = redaction.clean(plain(said)).strip().splitlines()[-_LAST_LINES:]
    words = "\n".join(line.rstrip()[:_LAST_CHARS] for line in lines)
    return f" Its last words:\n{words}" if words else ""


def _classify(first: TestRun, second: TestRun, args: tuple[str, ...]) -> Reproduced:
    """What two runs of the untouched suite say."""
    if not first.cases:
        remedy = "Add a test that shows the fault, or name tests that there are."
        return Reproduced(detail=f"No tests were found by `{shlex.join(('pytest', *args))}`. {remedy}")
    baseline = compare(first, second)
    if baseline.targets:
        return Reproduced("red", baseline)
    if baseline.unstable:
        return Reproduced("flaky", baseline, f"Red once and green once: {_some(baseline.unstable)}.")
    if baseline.network:
        detail = f"The red tests want a network, which the sandbox never has: {_some(baseline.network)}."
        return Reproduced("network", baseline, detail)
    if first.exit_code != 0:
        detail = f"No test is red, yet pytest ends with {first.exit_code}. Run it by hand to see what it says."
        return Reproduced("broken", baseline, detail)
    return Reproduced("green", baseline, f"All {len(first.cases)} tests pass on this commit.")


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
