"""The hands: runs other people's code in a box, and has never heard of GitHub.

This file is the contract that every backend keeps. The wire is one-way: a tar of files goes into the box
on standard input, one size-capped report comes out on standard output, and whatever the program prints is
kept apart as `output`. Nothing that runs in the box can write to the host, reach a network or see a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Literal, Protocol, Self

from sandbox.guarantees import Guarantees

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
class Delta:
    """One run of a server in a box: what differs from its tree, which tests, and what the run may use."""

    id: str
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    """Relative POSIX path -> new bytes, or None where the file is deleted."""
    tests: tuple[str, ...] | None = None
    """Ids of the tests to run; None means all."""
    stop_at_first_failure: bool = False
    cpu_s: float = 60.0
    wall_s: float = 120.0


@dataclass(frozen=True)
class DeltaReport:
    """What a server said of one delta. Like every report from a box, it is a hint and never a verdict."""

    id: str
    report: bytes | None
    """None: there is no report. The run died, took too long, or its box did."""
    seconds: float
    died: bool = False
    timed_out: bool = False


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

    def verify_fresh(self, command: Command, limits: Limits) -> Ran:
        """Run `command` in a box that ran nothing before and runs nothing after.

        The box may have been made ahead; until the command came, nothing ran in it but our own first program.
        """
        ...

    def run_many(
        self,
        server: Command,
        deltas: Iterable[Delta],
        limits: Limits,
        *,
        in_flight: int = 256,
        workers: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Iterator[DeltaReport]:
        """Send a stream of deltas through living boxes: exactly one report for each delta, as they come.

        `server` is a program that stays alive: it reads deltas on its standard input and writes reports on
        its standard output (the frames are described in sandbox/frames.py). `workers` boxes run it, one for
        each core unless told otherwise, with at most `in_flight` deltas each; `limits` are those of one box.
        `deltas` is asked for the next one only when there is room, from the thread that consumes the reports.

        A box that dies, or a server that does not keep to the wire, is replaced; what was in flight is sent
        again, one at a time, and a delta with which a second box dies gets no report. After
        `limits.timeout_s` what is in flight gets no report and the stream ends. When `cancelled`, polled at
        least once a second while reports are awaited, returns True, or the iterator is closed, the stream
        ends at once. Raises SandboxError when boxes or servers do not start, several times in a row, and
        ValueError for a delta that no box can hold.
        """
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Sandbox(Protocol):
    """A backend."""

    @property
    def name(self) -> str:
        """Name of the backend, as it stands in the evidence record."""
        ...

    def prepare(self, recipe: Recipe, *, progress: Progress | None = None) -> Image:
        """Build the image of `recipe`, or find it. The only act with a network. Raises BuildFailed."""
        ...

    def session(self, image: Image, *, runs: int = 0) -> Session:
        """`runs`: how many runs the caller means to make. While one goes on, the box of the next one is made."""
        ...

    def verify_fresh(self, image: Image, command: Command, limits: Limits) -> Ran:
        """Run `command` in a box that ran nothing before and runs nothing after."""
        ...

    def reap(self) -> int:
        """Remove boxes that a killed controller of this owner left behind; return how many."""
        ...

    def probe(self) -> Guarantees:
        """What is enforced on this machine and what is not, found out by trying or from whoever enforces it.

        Raises SandboxUnavailable, with cause and remedy, where untrusted code could not be shut in at all.
        """
        ...
