"""Packs a search into one command for the box: the worker's files beside the toolchain's, and the job in JSON."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

from bot.engines.contract import Workbench
from bot.nouns import Failure
from sandbox import TOOLS, Command, File, Files

INSIDE = Path(__file__).parent / "inside"
FOLDER = "search"
MESSAGE_CHARS = 4000
MOST_CHANGED = 2000
"""Lines that a push may have brought and still be a hint."""


def command_for(failure: Failure, workbench: Workbench, *, cores: int) -> Command:
    tools = dict(workbench.launch.tools)
    tools.update(_worker_files())
    tools[f"{FOLDER}/job.json"] = File(_job(failure, workbench, cores))
    # Not `-I`, which would ignore the seed: two searches must walk through sets in the same order.
    argv = (workbench.launch.python, "-s", "-B", f"{TOOLS}/{FOLDER}/start.py")
    return Command(argv, workbench.tree, tools, {**workbench.launch.env, "PYTHONHASHSEED": "0"})


def _worker_files() -> Files:
    """The files of `inside/`, as they lie here."""
    return {
        f"{FOLDER}/{path.relative_to(INSIDE).as_posix()}": File(path.read_bytes())
        for path in sorted(INSIDE.rglob("*.py"))
    }


def editable_paths(workbench: Workbench) -> list[str]:
    """Python files that a repair may touch."""
    return sorted(
        path
        for path, file in workbench.tree.items()
        if path.endswith(".py") and not file.link and not _is_test(path) and not workbench.protected(path)
    )


def _is_test(path: str) -> bool:
    """Our own floor under the toolchain's list of protected files."""
    name = PurePosixPath(path).name
    return name in ("conftest.py", "setup.py") or name.startswith("test_") or name.endswith("_test.py")


def _job(failure: Failure, workbench: Workbench, cores: int) -> bytes:
    targets = [
        {
            "id": case.id,
            "exception": case.exception,
            "message": case.message[:MESSAGE_CHARS],
            "frames": [[frame.path, frame.line, frame.function] for frame in case.frames],
        }
        for case in failure.targets
    ]
    job = {
        "args": list(workbench.launch.pytest_args or failure.pytest_args),
        "paths": list(workbench.launch.paths),
        "targets": targets,
        "passing": list(failure.passing),
        "editable": editable_paths(workbench),
        "changed": _changed(workbench),
        "budget_s": workbench.budget_s,
        "suite_s": failure.suite_seconds,
        "cores": cores,
    }
    return json.dumps(job).encode("ascii")


def _changed(workbench: Workbench) -> dict[str, list[list[int]]]:
    """First and last line of each stretch; nothing where so much is new that it tells nothing."""
    known = {path: ranges for path, ranges in workbench.changed.items() if path in workbench.tree}
    if sum(len(lines) for ranges in known.values() for lines in ranges) > MOST_CHANGED:
        return {}
    return {path: [[lines.start, lines.stop - 1] for lines in ranges] for path, ranges in known.items()}
