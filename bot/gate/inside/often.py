"""Asks the same few calls over and over in one process, and notes each when it first comes to something else.

A task of the kind `often` for run.py, and its result:

    {"kind": "often", "calls": [...], "rounds": 300, "seconds": 2.0}
    {"often": [[[round, outcome], ...] for each call], "rounds": how many there were}

Every other round goes backwards, and in the second half a day lies between two rounds.
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable
from typing import Any

MOST = 6
DAY = 86_400.0


def ask(task: dict[str, Any], once: Callable[[dict[str, Any]], list[Any]], clock: Any) -> dict[str, Any]:
    """What came of each call, each outcome once with the round in which it first came."""
    calls = list(enumerate(task["calls"]))
    found: list[list[Any]] = [[] for _ in calls]
    known: list[set[str]] = [set() for _ in calls]
    until, turn = time.process_time() + task["seconds"], 0
    while turn < task["rounds"] and time.process_time() < until:
        for number, call in calls if turn % 2 == 0 else reversed(calls):
            sys.stdout = io.StringIO()
            outcome = once(call)[0]
            text = json.dumps(outcome)
            if text not in known[number] and len(known[number]) < MOST:
                known[number].add(text)
                found[number].append([turn, outcome])
        turn += 1
        clock.ahead += DAY if turn > task["rounds"] // 2 else 0.0
    return {"often": found, "rounds": turn}
