"""Runs pytest in many folders, each in a forked child of one process that has pytest loaded already.

Reads {name: folder} as JSON on standard input; writes {name: {"red": [...], "green": [...]} or null} to the file named.
"""

from __future__ import annotations

import asyncio  # noqa: F401  loaded once here, so that no child has to
import json
import os
import signal
import sys
import unittest  # noqa: F401
from pathlib import Path

import pytest

from bot.toolchains.inside.report import Files

LONGEST_S = 60
UNNEEDED = (
    "cacheprovider", "junitxml", "pastebin", "faulthandler", "stepwise", "setuponly", "setupplan", "doctest",
    "logging", "unraisableexception", "threadexception",
)  # fmt: skip


class Results:
    """What became of each test; a file that cannot be collected is red itself."""

    def __init__(self):
        self.red, self.green = set(), set()

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.red.add(report.nodeid)
        elif report.when == "call" and report.passed:
            self.green.add(report.nodeid)

    def pytest_collectreport(self, report):
        if report.failed:
            self.red.add(report.nodeid)


def run(folder: str, pipe: int) -> None:
    """The child: never returns."""
    signal.alarm(LONGEST_S)
    quiet = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(quiet, stream)
    os.chdir(folder)
    sys.path[:0] = [folder, f"{folder}/src"]
    results = Results()
    # As in production: a file that cannot be collected keeps no other one from running.
    argv = ["-q", "--continue-on-collection-errors", "--tb=no", "--assert=plain", "-c", os.devnull]
    argv += [f"--rootdir={folder}", f"--confcutdir={folder}"]
    argv += [part for plugin in UNNEEDED for part in ("-p", f"no:{plugin}")]
    if pytest.main([*argv, folder], plugins=[results]) is pytest.ExitCode.USAGE_ERROR:
        # As in production: a conftest.py that cannot be imported turns every file red.
        files = Files()
        pytest.main([*argv, "--noconftest", "--collect-only", folder], plugins=[files])
        results.red.update(files.names)
    with os.fdopen(pipe, "w") as stream:
        json.dump({"red": sorted(results.red), "green": sorted(results.green)}, stream)
    os._exit(0)


def outcome(folder: str) -> object:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        run(folder, write)
    os.close(write)
    with os.fdopen(read) as stream:
        said = stream.read()
    os.waitpid(child, 0)
    return json.loads(said) if said else None


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    folders = json.load(sys.stdin)
    Path(sys.argv[1]).write_text(json.dumps({name: outcome(folder) for name, folder in folders.items()}))
