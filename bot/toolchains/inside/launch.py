"""Starts pytest inside the sandbox, from outside the tree, and writes one JSON report on the real stdout.

Started as `python -I launch.py`: nothing of the tree can shadow the standard library or pytest before our
reporter stands. `job.json` beside this file says what to run:

    {"args": [...], "only": [node ids] | null, "paths": [entries for sys.path, relative to the tree],
     "trace": true where the calls of each test are wanted, "observe": true where the files that it opens are}

The report goes to a duplicate of standard output; everything the tests print goes to standard error.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from types import ModuleType
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.join(os.path.dirname(HERE), "w")


def read_job() -> dict[str, Any]:
    with open(os.path.join(HERE, "job.json"), encoding="utf-8") as stream:
        job: dict[str, Any] = json.load(stream)
    return job


def sibling(name: str) -> ModuleType:
    """Load a file beside this one under a private module name, so that no project module can be it."""
    spec = importlib.util.spec_from_file_location("_regreen_" + name, os.path.join(HERE, name + ".py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def take_stdout() -> int:
    """Keep the real stdout for the report, and send descriptor 1 where descriptor 2 goes."""
    sys.stdout.flush()
    channel = os.dup(1)
    os.set_inheritable(channel, False)
    os.dup2(2, 1)
    return channel


def enter_tree(job: dict[str, Any]) -> None:
    """Be in the tree as `python -m pytest` would: its root (and `paths`) come first on sys.path."""
    os.chdir(TREE)
    for entry in reversed([""] + list(job.get("paths", []))):
        sys.path.insert(0, os.path.join(TREE, entry) if entry else TREE)


def pytest_arguments(job: dict[str, Any]) -> list[str]:
    """The project's own arguments, then ours, which win: one process, no early stop, no order by chance."""
    arguments: list[str] = list(job.get("args", []))
    arguments += ["--maxfail=0", "--continue-on-collection-errors"]
    arguments += ["--color=no", "-p", "no:cacheprovider"]
    if importlib.util.find_spec("xdist"):
        arguments.append("-n0")
    if importlib.util.find_spec("pytest_cov"):
        arguments.append("--no-cov")
    if importlib.util.find_spec("pytest_randomly"):
        arguments += ["-p", "no:randomly"]
    return arguments


def run(arguments: list[str], reporter: Any, plugins: list[Any]) -> int:
    """Run pytest. Where a conftest.py cannot be imported pytest tells nothing of the tests: all are red then."""
    import pytest

    code = int(pytest.main(arguments, plugins=[reporter, *plugins]))
    if reporter.unloaded is None:
        return code
    files = sibling("report").Files()
    pytest.main([*arguments, "--noconftest", "--collect-only"], plugins=[files])
    reporter.without_conftest(files.names)
    return 1 if files.names else code


def main() -> None:
    channel = take_stdout()
    job = read_job()
    import _pytest.reports
    import _pytest.unittest  # noqa: F401
    import pluggy  # noqa: F401
    import pytest  # noqa: F401

    reporter = sibling("report").Reporter(TREE, job.get("only"))
    integrity = sibling("integrity")
    watch, ground = integrity.Integrity(), integrity.Ground(TREE)
    openings = integrity.Openings(TREE) if job.get("observe") else None
    tracer = sibling("trace").Tracer(TREE) if job.get("trace") else None
    arguments = pytest_arguments(job)
    enter_tree(job)
    started = time.monotonic()
    code = run(arguments, reporter, [watch] + ([tracer] if tracer else []))
    record = reporter.record()
    record.update(watch.record())
    if reporter.unloaded is not None:
        record["plugins"] = []  # pytest did not get as far as to have all of them: nothing to compare with
    record["written"] = ground.written()
    record["opened"] = sorted(openings.pairs) if openings else []
    record["called"] = tracer.called if tracer else {}
    record.update({"exit": code, "seconds": time.monotonic() - started, "finished": True})
    data = json.dumps(record).encode("ascii")
    while data:
        data = data[os.write(channel, data) :]
    sys.stderr.flush()
    os._exit(0 if code == 0 else 1)  # no exit hook of the project may outlive the report


if __name__ == "__main__":
    main()
