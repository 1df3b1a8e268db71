"""Runs programs and calls of a project in a box without any trace of a test: no test file, no pytest."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bot.gate.layer import Boxes, Case
from bot.gate.protected import why_protected
from sandbox import File, Files

INSIDE = Path(__file__).parent / "inside"
_TEST_KINDS = frozenset({"test-changed", "conftest-changed", "test-config-changed"})
EACH_S = 1.0
TOTAL_S = 20.0
MAX_REPORT = 24_000_000


def bare(tree: Files, test_files: Collection[str]) -> dict[str, File]:
    """The tree as an installation would have it: without tests, their data and their configuration."""
    return {path: file for path, file in tree.items() if why_protected(path, test_files) not in _TEST_KINDS}


def tools(*names: str) -> dict[str, File]:
    return {name: File((INSIDE / name).read_bytes()) for name in names}


def results(
    boxes: Boxes,
    case: Case,
    tree: Files,
    tasks: Sequence[Mapping[str, Any]],
    *,
    each_s: float = EACH_S,
    total_s: float = TOTAL_S,
    elsewhere: bool = True,
    helpers: Mapping[str, str] = MappingProxyType({}),
) -> list[Any] | None:
    """What each task came to in a fresh box, None for one without a result; None where there is no report at all.

    `elsewhere`: the box looks like a machine that somebody works on. `helpers`: source of modules that are not in it.
    """
    limits = {"each_s": each_s, "total_s": total_s}
    job = {
        "paths": list(boxes.paths),
        **limits,
        "elsewhere": elsewhere,
        "tasks": list(tasks),
        "helpers": dict(helpers),
    }
    without = bare(tree, case.before.test_files)
    ran = boxes.program(
        without,
        tools("run.py", "values.py", "given.py", "place.py", "clock.py", "often.py", "fresh.py"),
        ("run.py",),
        json.dumps(job).encode("ascii"),
    )
    if ran.report is None or len(ran.report) > MAX_REPORT:
        return None
    try:
        record = json.loads(ran.report)
        found = record["results"]
        return found if record["finished"] is True and len(found) == len(tasks) else None
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
