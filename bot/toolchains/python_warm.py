"""Python, warm: many patches of one tree tried by a pytest that stays alive in its box."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import bot
from bot.engines.contract import Launch
from bot.nouns import Patch, TestRun
from bot.toolchains import python
from sandbox import TOOLS, Command, Delta, File, Files, Limits, Session

_ROOT = Path(bot.__file__).parent
_FOLDER = "regreen"
_SCRATCH = ("/tmp", "/var/tmp", "/dev/shm", "/sbx")  # noqa: S108 - of the box
"""Where a test may leave files; emptied after each run."""
_INSIDE = (
    "__init__.py",
    "toolchains/__init__.py",
    "toolchains/inside/__init__.py",
    "toolchains/inside/launch.py",
    "toolchains/inside/report.py",
    "engines/__init__.py",
    "engines/search/__init__.py",
    *(
        f"engines/search/inside/{name}.py"
        for name in ("__init__", "clock", "kinds", "live", "source", "trace", "unit")
    ),
)
"""What the server in the box uses, besides its own files; laid out as here, so that relative imports hold."""


def warm(tree: Files, launch: Launch, *, seconds: Mapping[str, float] | None = None, fast: bool = True) -> Command:
    """The server for `Session.run_many`. Its reports read with `python.read`, and say by which path they came.

    `seconds`: how long each test takes without a change; None means that the server finds out. `fast` False
    leaves out the path that exchanges code objects.
    """
    job = {
        "args": list(launch.pytest_args),
        "paths": list(launch.paths),
        "seconds": dict(seconds or {}),
        "scratch": _SCRATCH,
        "fast": fast,
    }
    own = sorted((_ROOT / "toolchains/inside/warm").glob("*.py"))
    paths = [*(_ROOT / name for name in _INSIDE), *own]
    files = {f"{_FOLDER}/{path.relative_to(_ROOT).as_posix()}": File(path.read_bytes()) for path in paths}
    tools = {**launch.tools, **files, "warm.json": File(json.dumps(job).encode("ascii"))}
    start = f"{TOOLS}/{_FOLDER}/toolchains/inside/warm/start.py"
    return Command((launch.python, "-I", "-B", start), tree, tools, launch.env)


def try_patches(
    session: Session,
    tree: Files,
    launch: Launch,
    patches: Iterable[Patch],
    tests: Sequence[str] | None = None,
    *,
    limits: Limits,
    stop_at_first_failure: bool = True,
    cpu_s: float = 60.0,
    wall_s: float = 120.0,
    seconds: Mapping[str, float] | None = None,
    workers: int | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Iterator[tuple[Patch, TestRun | None]]:
    """Each patch with what its tests came to, as they come; None where there is no complete report.

    Like all that a warm box says, this is a hint: a verdict needs a box that ran nothing before.
    """
    waiting: dict[str, Patch] = {}

    def deltas() -> Iterator[Delta]:
        for number, patch in enumerate(patches):
            waiting[str(number)] = patch
            yield Delta(
                str(number), patch.files, None if tests is None else tuple(tests), stop_at_first_failure,
                cpu_s, wall_s,
            )  # fmt: skip

    server = warm(tree, launch, seconds=seconds)
    for told in session.run_many(server, deltas(), limits, workers=workers, cancelled=cancelled):
        run = None if told.report is None else python.read(told.report)
        yield waiting.pop(told.id), run
