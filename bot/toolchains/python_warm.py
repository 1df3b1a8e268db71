"""Python, warm: many patches of one tree tried by a pytest that stays alive in its box."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import bot
from bot.engines.contract import Launch
from sandbox import TOOLS, Command, File, Files

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
