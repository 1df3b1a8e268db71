"""The hands: runs other people's code in a box, and has never heard of GitHub.

This file is the contract that every backend keeps. The wire is one-way: a tar of files goes into the box
on standard input, one size-capped report comes out on standard output, and whatever the program prints is
kept apart as `output`. Nothing that runs in the box can write to the host, reach a network or see a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Literal, Protocol, Self

WORK = "/sbx/w"
"""Where the tree lies in the box; also the working directory of every command."""

TOOLS = "/sbx/r"
"""Where our own runner files lie in the box, outside the tree."""


@dataclass(frozen=True)
class File:
    """One file that goes into a box: its bytes, and how git would store it."""

    data: bytes
    executable: bool = False
    link: bool = False
    """True: a symbolic link, and `data` is its target."""


Files = Mapping[str, File]
"""Relative POSIX path -> file."""


@dataclass(frozen=True)
class Limits:
    """What one run may use. Everything above a limit stops the run; nothing is cut and then believed."""

    timeout_s: float = 300.0
    memory_mb: int = 2048
    """Memory of all processes together, files in the box included: they live in memory."""
    cpus: float = 1.0
    pids: int = 256
    work_mb: int = 512
    tmp_mb: int = 256
    output_bytes: int = 4 * 1024 * 1024
    """More output than this stops the run; `Ran.output` keeps only its head and tail."""
    report_bytes: int = 32 * 1024 * 1024


@dataclass(frozen=True)
class Command:
    """What to run: files in, argv, environment. `tree` is laid out in WORK, `tools` in TOOLS."""

    argv: tuple[str, ...]
    tree: Files = field(default_factory=dict)
    tools: Files = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)


Stopped = Literal["deadline", "output", "report", "memory", "cancelled"]


@dataclass(frozen=True)
class Ran:
    """What happened. A failing command is `code != 0`; a run that we stopped has `stopped` set, `code` None."""

    code: int | None
    stopped: Stopped | None
    report: bytes | None
    """All bytes that the command wrote to its standard output; None when the run was stopped."""
    output: bytes
    """Standard error of the command (and whatever else it printed): head and tail, the cut marked."""
    seconds: float


@dataclass(frozen=True)
class Step:
    """One command of an image build. It runs with network, as the sandbox user, in WORK."""

    name: str
    argv: tuple[str, ...]
    optional: bool = False
    """True: a failure is noted and the build goes on."""


@dataclass(frozen=True)
class Recipe:
    """How to make a dependency image: the files that say what is needed, and the steps that install it.

    Two recipes that are equal yield one image, built once.
    """

    files: Files
    steps: tuple[Step, ...]
    base: str | None = None
    """Base image; None means the backend's own Python base, built on this machine if need be."""


@dataclass(frozen=True)
class Image:
    """A dependency image that can be run: its content digest, and what went less than well in its build."""

    id: str
    notes: tuple[str, ...] = ()
    built: bool = False
    """True when this call built it, False when it was there already."""


class SandboxError(Exception):
    """The box broke. This says nothing about the patch: take a new box and do the same again."""


class SandboxUnavailable(SandboxError):
    """No box can be had on this machine; the message names the cause and the remedy."""


class BuildFailed(SandboxError):
    """A step of an image build failed: `step` is its name, `log` the tail of what it printed."""

    def __init__(self, step: str, log: str) -> None:
        super().__init__(f"image build failed in step {step!r}")
        self.step = step
        self.log = log


Progress = Callable[[str], None]
"""Called with one line of text at a time."""


class Session(Protocol):
    """Boxes made from one image. Close it (or leave its `with` block) and nothing of it is left."""

    @property
    def image(self) -> Image: ...

    def run(
        self,
        command: Command,
        limits: Limits,
        *,
        on_report: Callable[[bytes], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Ran:
        """Run `command` in a box. The box may have run earlier commands of this session.

        `on_report` gets each chunk of standard output as it arrives; `cancelled` is polled at least once a
        second and stops the run when it returns True. Raises SandboxError when the box itself breaks.
        """
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Sandbox(Protocol):
    """A backend."""

    def prepare(self, recipe: Recipe, *, progress: Progress | None = None) -> Image:
        """Build the image of `recipe`, or find it. The only act with a network. Raises BuildFailed."""
        ...

    def session(self, image: Image) -> Session: ...

    def verify_fresh(self, image: Image, command: Command, limits: Limits) -> Ran:
        """Run `command` in a box that ran nothing before and runs nothing after."""
        ...

    def reap(self) -> int:
        """Remove boxes that a killed controller of this owner left behind; return how many."""
        ...
