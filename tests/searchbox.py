"""Doubles for the search engine's tests: a session that runs in a plain folder, and a faulty repository as text."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

from bot.engines.contract import Launch, Workbench
from bot.nouns import Failure, Frame, TestCase
from sandbox import TOOLS, WORK, Command, File, Files, Image, Limits, Ran

ROOT = Path(__file__).resolve().parents[1]
INSIDE = ROOT / "bot" / "toolchains" / "inside"


class FolderSession:
    """Runs commands in a folder of this machine, without any isolation: for repositories that we wrote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.image = Image("folder")
        self.output = b""

    def run(
        self,
        command: Command,
        limits: Limits,
        *,
        on_report: Callable[[bytes], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Ran:
        _lay_out(self.folder / "w", command.tree)
        _lay_out(self.folder / "r", command.tools)
        argv = [
            part.replace(TOOLS, str(self.folder / "r")).replace(WORK, str(self.folder / "w")) for part in command.argv
        ]
        started = time.monotonic()
        with (self.folder / "output").open("wb") as errors:
            process = subprocess.Popen(
                argv,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=self.folder / "w",
                env={**command.env, "PATH": os.environ["PATH"], "HOME": str(self.folder)},
                start_new_session=True,
            )
            report = self._read(process, started + limits.timeout_s, on_report, cancelled)
        self.output = (self.folder / "output").read_bytes()
        return Ran(process.returncode, None, report, self.output, time.monotonic() - started)

    @staticmethod
    def _read(process, end, on_report, cancelled) -> bytes:
        report = b""
        os.set_blocking(process.stdout.fileno(), False)
        while process.poll() is None:
            if time.monotonic() > end or (cancelled is not None and cancelled()):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            chunk = process.stdout.read() or b""
            report += chunk
            if chunk and on_report:
                on_report(chunk)
            time.sleep(0.005)
        chunk = process.stdout.read() or b""
        if chunk and on_report:
            on_report(chunk)
        process.stdout.close()
        return report + chunk

    def close(self) -> None: ...

    def __enter__(self) -> FolderSession:
        return self

    def __exit__(self, *error: object) -> None: ...


def _lay_out(folder: Path, files: Files) -> None:
    for path, file in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)


def files_of(**texts: str) -> dict[str, File]:
    return {path: File(dedent(text).lstrip("\n").encode()) for path, text in texts.items()}


def tree_of(texts: Mapping[str, str]) -> dict[str, File]:
    """Paths and indented text -> a tree."""
    return files_of(**texts)


def launch_of(tree: Files, *, python: str = sys.executable, args: tuple[str, ...] = ()) -> Launch:
    """How a Python repository is started: `src` goes on the path when there is one."""
    tools = {path.name: File(path.read_bytes()) for path in INSIDE.glob("*.py") if path.name != "__init__.py"}
    paths = ("src",) if any(path.startswith("src/") for path in tree) else ()
    env = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
    return Launch(python=python, tools=tools, env=env, paths=paths, pytest_args=args)


def run_suite(session: FolderSession, tree: Files, launch: Launch) -> dict[str, TestCase]:
    """Run the toolchain's launcher on a tree; every test by its id."""
    import json

    tools = dict(launch.tools)
    job = {"args": list(launch.pytest_args), "only": None, "paths": list(launch.paths)}
    tools["job.json"] = File(json.dumps(job).encode())
    command = Command((launch.python, "-I", f"{TOOLS}/launch.py"), tree, tools, launch.env)
    ran = session.run(command, Limits(timeout_s=60))
    record = json.loads(ran.report or b"{}")
    cases = {}
    for test in record["tests"]:
        frames = tuple(Frame(*frame) for frame in test["frames"])
        cases[test["id"]] = TestCase(
            test["id"], test["result"], test["seconds"], test["message"], test["exception"], frames
        )
    return cases


def is_protected(path: str) -> bool:
    name = path.rpartition("/")[2]
    return path.startswith("tests/") or name.startswith("test_") or name == "conftest.py" or not path.endswith(".py")


def failure_of(cases: Mapping[str, TestCase]) -> Failure:
    red = tuple(case for case in cases.values() if case.result in ("failed", "error"))
    green = tuple(case.id for case in cases.values() if case.result == "passed")
    return Failure(red, green, suite_seconds=sum(case.seconds for case in cases.values()))


def workbench_of(
    tree: Files, session: FolderSession, *, budget_s: float = 20.0, progress=None, **launch
) -> Workbench:
    return Workbench(
        tree=tree,
        session=session,
        launch=launch_of(tree, **launch),
        protected=is_protected,
        budget_s=budget_s,
        progress=progress or (lambda _line: None),
        cancelled=lambda: False,
    )
