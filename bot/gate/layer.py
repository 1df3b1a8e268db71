"""What a layer of the gate is: a name, and a function from a case to findings. Each layer is one file.

A layer's file defines `LAYER` and `examine(case, boxes, options)`; one line in `judge.LAYERS` puts it in its place.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from bot.gate import lot
from bot.gate.baseline import Baseline
from bot.nouns import Behaviour, Patch, Reason, TestRun
from bot.workspace import patched
from sandbox import File, Files, Ran


@dataclass(frozen=True)
class Options:
    """How strict the gate is here: the limits and exceptions that a repository's policy may set."""

    all_layers: bool = False
    """Go on after the first hard reason, to learn what every layer says."""
    off: frozenset[str] = frozenset()
    """Layers that are not asked."""
    advisory: frozenset[str] = frozenset()
    """Layers whose hard reasons only ask for a person, and whose soft ones stand in the record alone."""
    protected: tuple[str, ...] = ()
    """Further files that no repair may touch, as patterns in the manner of .gitignore."""
    dependencies: bool = False
    """True: requirements and dependency tables may be edited. A person still looks."""
    max_files: int = 10
    max_changed_lines: int = 400
    repeats: int = 2
    """Runs of the whole patched suite that must agree, at least one."""


@dataclass(frozen=True)
class Case:
    """What is judged: the pristine tree, the patch, and what the suite did before it."""

    tree: Files
    patch: Patch
    before: Baseline
    held_out: tuple[str, ...] = ()
    """Ids of targets that the engine never saw."""
    key: str = field(default_factory=lambda: secrets.token_hex(lot.BYTES))
    """Secret of the installation, which no engine and no box is told."""

    @cached_property
    def seed(self) -> str:
        """Whatever a layer draws by lot comes from it: the same patch on the same tree is judged the same again."""
        return lot.seed(self.key, self.tree, self.patch, self.before.target_ids)

    @cached_property
    def after(self) -> dict[str, File]:
        """The tree with the patch laid over it."""
        return patched(self.tree, self.patch)


@dataclass(frozen=True)
class Called:
    """One function of the project that a test called, in the order of its first call."""

    path: str
    name: str
    """Bare name, as code objects have it."""
    line: int
    """First line of its definition, decorators included."""
    caller: str = ""
    """File of the project that the call came from; others (libraries) are looked through."""


Trace = Mapping[str, tuple[Called, ...]]
"""Id of a test -> what it called, its own function included."""


class Boxes(Protocol):
    """Fresh boxes for the gate. Each call is a box that ran nothing before. Raises SandboxError, OutOfBudget."""

    paths: tuple[str, ...]
    """Entries for sys.path, relative to the tree, besides its root."""

    def suite(self, tree: Files, only: Sequence[str] | None = None) -> tuple[Ran, TestRun | None]:
        """Run the suite, or only the tests named: then only their files are collected.

        The TestRun is None where there is no complete and consistent report.
        """
        ...

    def trace(self, tree: Files, only: Sequence[str]) -> Trace | None:
        """Which functions of the project each of these tests calls; None where there is no complete report."""
        ...

    def program(self, tree: Files, tools: Files, argv: Sequence[str], job: bytes) -> Ran:
        """Run a program of ours that is not pytest: `argv[0]` is a file of `tools`, the rest its arguments.

        The interpreter is the image's, started with -I and -B in the tree's root; `job` lies beside the program
        as `job.json`. What it writes to standard output is `Ran.report`.
        """
        ...


@dataclass(frozen=True)
class Findings:
    """What one layer says."""

    reasons: tuple[Reason, ...] = ()
    unapplied: str = ""
    """Why the layer could not be applied, empty when it was. This alone neither rejects nor asks for a person."""
    notes: tuple[str, ...] = ()
    """Sentences for the evidence record: what was done, and what was left out."""
    changed: tuple[Behaviour, ...] = ()
    """Inputs whose result differs between base and patch, counter-examples first."""
    run: TestRun | None = None
    """The run of the whole patched suite, from the layer that makes it."""
    flaky: bool = False
    """True when runs contradict one another, so that nothing can be said of the patch."""


class Layer(Protocol):
    """A module of this package."""

    LAYER: str

    def examine(self, case: Case, boxes: Boxes, options: Options) -> Findings:
        """Everything that this layer has against the patch."""
        ...
