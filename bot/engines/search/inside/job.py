"""What the host asks for, as it lies in job.json, and the launcher of the toolchain that we start pytest with."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from types import ModuleType
from typing import Any, Dict, List, Set

from .hints import Red

SAMPLE = 2
"""So many candidates of the fast path are tried again by the slow one, to hold them against each other."""


class Job:
    """The request. Paths are relative to the tree, with forward slashes."""

    def __init__(self, raw: Dict[str, Any]) -> None:
        self.raw = raw
        self.budget_s = float(raw["budget_s"])
        self.cores = int(raw["cores"])
        self.editable: Set[str] = set(raw["editable"])
        self.passing: List[str] = list(raw["passing"])
        self.suite_s = float(raw["suite_s"])
        self.sample = int(raw.get("sample", SAMPLE))
        self.reds = [
            Red(red["id"], red["exception"], red["message"], tuple((f[0], int(f[1]), f[2]) for f in red["frames"]))
            for red in raw["targets"]
        ]
        self.changed: Dict[str, Set[int]] = {
            path: {line for first, last in stretches for line in range(int(first), int(last) + 1)}
            for path, stretches in raw.get("changed", {}).items()
        }
        """Lines that the push brought."""
        self.targets = [red.id for red in self.reds]


def read_job(here: str) -> Job:
    with open(os.path.join(here, "job.json"), encoding="utf-8") as stream:
        return Job(json.load(stream))


def launcher(here: str) -> ModuleType:
    """The toolchain's launch.py, loaded from its file: one place knows how pytest is started in the tree."""
    path = os.path.join(os.path.dirname(here), "launch.py")
    spec = importlib.util.spec_from_file_location("_regreen_launch", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["_regreen_launch"] = module
    spec.loader.exec_module(module)
    return module
