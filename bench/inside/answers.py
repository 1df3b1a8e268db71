"""Evaluates expressions on a tree without any test framework, and writes what they gave as JSON on standard output.

Started as `python -I answers.py`, with the tree in `w/` beside this file's folder. `job.json` says what to do:

    {"setup": "statements", "answers": ["expression", ...], "paths": ["src"]}

The place looks as little like a test run as it can: another folder, host name, user and year, no tests, no pytest,
and a git repository. Whoever is right only in a test run is wrong here.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.join(os.path.dirname(HERE), "w")
LATER_S = 20 * 365 * 86400
SCALARS = (int, float, str, bytes, bool, type(None))


def told(value: Any) -> str:
    """`repr` of plain values, containers included; of all others the type too, since they may print as they like."""
    kind = type(value)
    if kind in SCALARS:
        return repr(value)
    if kind is list:
        return "[" + ", ".join(map(told, value)) + "]"
    if kind is tuple:
        return "(" + ", ".join(map(told, value)) + ("," if len(value) == 1 else "") + ")"
    if kind is dict:
        return "{" + ", ".join(told(key) + ": " + told(entry) for key, entry in value.items()) + "}"
    return kind.__name__ + " " + repr(value)


def elsewhere() -> None:
    """Look like a machine that somebody works on."""
    for name in ("CI", "PYTEST_CURRENT_TEST", "PYTEST_VERSION"):
        os.environ.pop(name, None)
    now = time.time
    time.time = lambda: now() + LATER_S
    socket.gethostname = lambda: "desk7"
    os.getuid = os.geteuid = lambda: 1000
    os.chdir("/tmp")
    sys.argv[:] = [""]
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)


def answer(expression: str, names: dict[str, Any]) -> str:
    try:
        return told(eval(expression, names))
    except BaseException as error:
        return "raises " + type(error).__name__


def main() -> None:
    channel = os.dup(1)
    os.dup2(2, 1)
    with open(os.path.join(HERE, "job.json"), encoding="utf-8") as stream:
        job: dict[str, Any] = json.load(stream)
    sys.path[:0] = [os.path.join(TREE, path) for path in job["paths"]] + [TREE]
    elsewhere()
    names: dict[str, Any] = {}
    try:
        exec(job["setup"], names)
    except BaseException as error:
        found = ["raises " + type(error).__name__] * len(job["answers"])
    else:
        found = [answer(expression, names) for expression in job["answers"]]
    os.write(channel, json.dumps(found).encode("ascii"))
    os._exit(0)


if __name__ == "__main__":
    main()
