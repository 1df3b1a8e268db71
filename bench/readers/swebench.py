"""SWE-bench-like JSON Lines: a repository at a commit, the fix, the tests of the fix, and which tests they turn.

An engine gets the base commit with the tests laid over it, so that the failing check is red; as these tests are
visible, they judge too: all of FAIL_TO_PASS and PASS_TO_PASS must pass.
"""

from __future__ import annotations

import json
from typing import Any

from bench.readers.mirror import Mirrors, diff_of, laid_over, tree_of
from bench.readers.place import Place, records, some, tasks_file
from bench.suites import Suite
from bench.tasks import BenchTask, check
from bot.errors import Refused

_FIELDS = ("repo", "base_commit", "patch", "test_patch", "FAIL_TO_PASS", "PASS_TO_PASS")


def read(place: Place) -> Suite:
    """One task for each instance whose tests have pytest's ids. Refused where mirror, commit or patch is missing."""
    path = tasks_file(place)
    tasks, notes = [], []
    with Mirrors(place) as mirrors:
        for number, record in enumerate(records(path, _FIELDS), start=1):
            name = str(record.get("instance_id") or f"{record['repo'].replace('/', '__')}-{number}")
            if not place.wanted(name):
                continue
            failing, passing = (_ids(record[field], name, field) for field in ("FAIL_TO_PASS", "PASS_TO_PASS"))
            if not failing or not all("::" in test for test in (*failing, *passing)):
                notes.append(f"{name} is left out: its tests are not named as pytest does")
                continue
            task = _task(name, record, failing, passing, mirrors)
            check(task, path)
            tasks.append(task)
    some(tasks, place, "the file")
    return Suite("swebench", f"Issues of real repositories: {path.name}", {}, tuple(tasks), tuple(notes))


def _task(
    name: str, record: dict[str, Any], failing: tuple[str, ...], passing: tuple[str, ...], mirrors: Mirrors
) -> BenchTask:
    commit = mirrors.commit(record["repo"], record["base_commit"])
    base = tree_of(commit)
    fix, tests = (diff_of(commit, record[field]) for field in ("patch", "test_patch"))
    files = sorted({test.partition("::")[0] for test in (*failing, *passing)})
    return BenchTask(
        name=name,
        title=str(record.get("problem_statement", name)).strip().partition("\n")[0][:120] or name,
        kind=record["repo"],
        fault=f"An issue of {record['repo']}.",
        failing=failing,
        repository=laid_over(base, tests),
        fix={path: data for path, data in fix.items() if data is not None},
        judges={},
        pytest_args=tuple(files),
        must_pass=(*failing, *passing),
    )


def _ids(value: Any, name: str, field: str) -> tuple[str, ...]:
    """A list, or the JSON text of one, as the data set has been published both ways."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        found = None
    if not isinstance(found, list) or not all(isinstance(test, str) for test in found):
        raise Refused(f"{field} of {name} is no list of tests.", "Give the data set as it is published.")
    return tuple(found)
