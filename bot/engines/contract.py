"""The Engine contract: look at a failure, propose patches. Proposals are judged elsewhere.

There are two kinds. An Engine proposes once, in one step. A Dialogue is told what the gate says of a proposal and
goes on; each of its acts that costs something is a step of its own, so that a restart repeats none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

from bot.nouns import Candidate, Failure, Patch, SearchStats, TestRun, Verdict
from sandbox import Files, Session

T = TypeVar("T")


@dataclass(frozen=True)
class Launch:
    """How a toolchain starts code inside the box; engines that run tests start them the same way."""

    python: str
    """Interpreter of the dependency image."""
    tools: Files
    """Runner files, laid out in sandbox.TOOLS."""
    env: Mapping[str, str]
    paths: tuple[str, ...]
    """Entries for sys.path, relative to the tree, besides its root."""
    pytest_args: tuple[str, ...]


@dataclass(frozen=True)
class Workbench:
    """What an engine may use. The box is a session: many runs, none of them a verdict."""

    tree: Files
    session: Session
    launch: Launch
    protected: Callable[[str], bool]
    """True for a path that no repair may touch."""
    budget_s: float
    progress: Callable[[str], None]
    cancelled: Callable[[], bool]
    changed: Mapping[str, Sequence[range]] = field(default_factory=dict)
    """Lines that the push or the pull request brought, by path: a regression's best hint. Empty without a history."""


@dataclass(frozen=True)
class Proposals:
    """Candidates, the most likely first, and what was tried."""

    candidates: tuple[Candidate, ...]
    stats: SearchStats
    test_looks_wrong: str = ""
    """Why the engine believes that a test is wrong and not the code; empty where it does not."""
    over_budget: str = ""
    """Which of its limits ended the engine's work; empty where none did."""


class Engine(Protocol):
    """Proposes patches. `name` stands in the evidence record."""

    name: str

    def propose(self, failure: Failure, workbench: Workbench) -> Proposals:
        """Return at most ten candidates, best first; none when there is no idea. Raises SandboxError."""
        ...


class StepRunner(Protocol):
    """Runs one named step and returns its result; may return the remembered result of an earlier life."""

    def __call__(self, name: str, kind: type[T], act: Callable[[], T]) -> T: ...


@dataclass(frozen=True)
class Observed:
    """One run in a box, seen by an engine: never a verdict."""

    run: TestRun | None = None
    """The parsed report; None when there is no complete one."""
    code: int | None = None
    stopped: str = ""
    """Which limit ended the run; empty where none did."""
    output: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Table:
    """What a Dialogue may use. All of it can be called again after a restart: `step` remembers the results."""

    job: str
    tree: Files
    why_protected: Callable[[str], str | None]
    """Why no repair may touch a path, in words; None where one may."""
    run_suite: Callable[[Files, Sequence[str] | None], Observed]
    """Run these tests, or all, on a tree in a box. Costs time: call it within a step. Raises SandboxError."""
    checks: Mapping[str, Callable[[Files, Sequence[str]], Observed]]
    """The project's own linters and type checkers by name, for some paths of a tree."""
    judge: Callable[[Candidate], Verdict]
    """The gate's word on a candidate. It is a step itself: never call it within one."""
    step: StepRunner
    budget_s: float
    progress: Callable[[str], None]
    cancelled: Callable[[], bool]
    """Whether a person has stopped the repair. It differs from life to life: call it within a step only."""
    spent_usd: float = 0.0
    """What this repair has cost before."""


@runtime_checkable
class Dialogue(Protocol):
    """Proposes patches, hears the gate's reasons and goes on.

    A process may be killed at any moment, and `converse` is called again: given the same results of `step`, it has
    to take the same steps in the same order. It keeps no clock and rolls no dice outside of a step.
    """

    name: str

    def converse(self, failure: Failure, table: Table) -> Proposals:
        """Return the candidates that were judged, the best first. Raises SandboxError."""
        ...


@dataclass(frozen=True)
class TestWritten:
    """What came of the attempt to show a fault by a new test."""

    __test__ = False  # pytest: this is not a test class

    tests: Patch | None
    """New test files that were judged to show it; None where there are none."""
    shows: str = ""
    why: str = ""
    """Why there are none."""
    stats: SearchStats = field(default_factory=SearchStats)


@runtime_checkable
class Reproducer(Protocol):
    """Writes a test for what a person has told. What is said of Dialogue holds for it too."""

    def reproduce(self, told: str, table: Table) -> TestWritten:
        """Write one; `table.judge` says whether it shows a fault, `table.why_protected` where it may stand."""
        ...
