"""HumanEvalPack (its Python part, as HumanEvalFix uses it): JSON Lines with one function each.

An engine gets the declaration with the faulty body and the example tests; the full tests judge. A task without
example tests has no failing check to start from, and is left out.
"""

from __future__ import annotations

import re
import textwrap
from typing import Any

from bench.readers.place import Place, records, some, tasks_file
from bench.suites import Suite
from bench.tasks import BenchTask, check

_FIELDS = ("task_id", "declaration", "buggy_solution", "canonical_solution", "test", "example_test", "entry_point")


def read(place: Place) -> Suite:
    """One task for each function with example tests. Refused for a file of another kind."""
    path = tasks_file(place, "data/python/data/*.jsonl", "python/data/*.jsonl", "python/*.jsonl")
    tasks, notes = [], []
    for record in records(path, _FIELDS):
        name = re.sub(r"\W+", "-", str(record["task_id"])).strip("-").lower()
        if not place.wanted(name):
            continue
        if not record["example_test"].strip():
            notes.append(f"{name} is left out: it has no example tests")
            continue
        task = _task(name, record)
        check(task, path)
        tasks.append(task)
    some(tasks, place, "HumanEvalPack")
    return Suite("humaneval", "HumanEvalPack: functions with one fault", {}, tuple(tasks), tuple(notes))


def _task(name: str, record: dict[str, Any]) -> BenchTask:
    entry = record["entry_point"]
    wrong, right = (
        (record["declaration"] + record[body]).encode() for body in ("buggy_solution", "canonical_solution")
    )
    return BenchTask(
        name=name,
        title=entry.replace("_", " "),
        kind=str(record.get("bug_type", "fault")),
        fault=f"The function {entry} is wrong: {record.get('failure_symptoms', 'its examples fail')}.",
        failing=("tests/test_examples.py::test_examples",),
        repository={
            "conftest.py": b'"""Puts this folder on sys.path."""\n',
            "solution.py": wrong,
            "tests/test_examples.py": _as_pytest(record["example_test"], entry, "examples"),
        },
        fix={"solution.py": right},
        judges={"tests/test_in_full.py": _as_pytest(record["test"], entry, "in_full")},
    )


def _as_pytest(source: str, entry: str, name: str) -> bytes:
    """A test file from a function `check(candidate)` and its call, or from bare asserts."""
    head = f"from solution import *\nfrom solution import {entry}\n\n\n"
    if not re.search(r"^def check\(", source, re.MULTILINE):
        return f"{head}def test_{name}():\n{textwrap.indent(source.strip(), '    ')}\n".encode()
    without_call = re.sub(r"^check\(.*\)[ \t]*$", "", source, flags=re.MULTILINE)
    return f"{head}{without_call.strip()}\n\n\ndef test_{name}():\n    check({entry})\n".encode()
