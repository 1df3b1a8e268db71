"""Whether the search's operators make the known fix of each task of a suite, and how many candidates come before it.

`reach.py SUITE [EVERY [FROM]]`: each EVERYth task, beginning with number FROM. `reach.py SUITE WORD,WORD`: the tasks
whose names hold one of the words. No candidate is tried, and only the tests that tell where the fault may be are run,
so that the figures do not depend on how busy the machine is.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from searchbox import FolderSession, failure_of, launch_of, run_suite, workbench_of  # noqa: E402

from bench import suites  # noqa: E402
from bench.tasks import BenchTask  # noqa: E402
from bot.engines.search.engine import CORES  # noqa: E402
from bot.engines.search.pack import FOLDER, command_for  # noqa: E402
from bot.engines.search.readback import Messages  # noqa: E402
from sandbox import File, Limits  # noqa: E402

INSIDE = Path(__file__).with_name("inside")
MOST, LATE, SLOW_LATE = 150_000, 20_000, 400
"""So many candidates are walked; the fix is late behind so many fast ones, or slow ones."""
SECONDS = 40.0


def reach(files: dict[str, bytes], fix: dict[str, bytes], args: tuple[str, ...] = ()) -> dict[str, Any]:
    """What the walk said. Empty where nothing is red, or the walk did not come to its end."""
    tree = {path: File(data) for path, data in files.items()}
    with tempfile.TemporaryDirectory() as folder:
        before = FolderSession(Path(folder) / "before")
        try:
            failure = failure_of(run_suite(before, tree, launch_of(tree, args=args)))
        except KeyError:  # the suite did not end
            return {}
        if not failure.targets:
            return {}
        session = FolderSession(Path(folder) / "walk")
        command = command_for(failure, workbench_of(tree, session, budget_s=40.0, args=args), cores=CORES)
        wanted = {"files": {path: data.decode() for path, data in fix.items()}, "most": MOST, "seconds": SECONDS}
        tools = {
            **command.tools,
            f"{FOLDER}/search.py": File((INSIDE / "walk.py").read_bytes()),
            f"{FOLDER}/alike.py": File((INSIDE / "alike.py").read_bytes()),
            f"{FOLDER}/wanted.json": File(json.dumps(wanted).encode()),
        }
        ran = session.run(replace(command, tools=tools), Limits(timeout_s=300.0))
        said = [message for message in Messages().feed(ran.report or b"") if message.get("kind") == "reach"]
        if not said:
            print(session.output.decode()[-2000:])
        return said[0] if said else {}


def verdict(said: dict[str, Any]) -> tuple[str, str]:
    """`early`, `late` or `none`, and why."""
    fast, slow = said.get("fast", {}), said.get("slow", {})
    space = f"{fast.get('count', 0)} fast, {slow.get('count', 0)} slow"
    if "operator" in fast and fast["exact"] and fast["count"] <= LATE:
        return "early", f"{fast['operator']} at {fast['count']}"
    if "operator" in slow and slow["count"] <= SLOW_LATE:
        return "early", f"{slow['operator']} at {slow['count']} of the slow ones"
    if "operator" in fast or "operator" in slow:
        return "late", f"{fast.get('operator') or slow.get('operator')}: {space}"
    if said.get("offered"):
        return "late", f"not suspicious, or behind the cap: {', '.join(said['offered'][:3])}; {space}"
    return "none", f"no operator; {space}" if said else "did not run"


def chosen(name: str, every: str, start: str) -> list[BenchTask]:
    """Each so-many-th task, or those whose names hold a word."""
    tasks = [task for task in suites.load(name).tasks if task.failing]
    if not every.isdigit():
        return [task for task in tasks if any(word in task.name for word in every.split(","))]
    return tasks[int(start) :: int(every)]


def main(name: str, every: str = "1", start: str = "0") -> None:
    found: dict[str, list[str]] = {"early": [], "late": [], "none": []}
    for task in chosen(name, every, start):
        began = time.monotonic()
        what, why = verdict(reach(task.faulty(), dict(task.fix), task.pytest_args))
        found[what].append(task.name)
        print(f"{what:5} {task.name}: {why} ({time.monotonic() - began:.0f} s)", flush=True)
    print(", ".join(f"{what} {len(names)}" for what, names in found.items()))


if __name__ == "__main__":
    main(*sys.argv[1:4])
