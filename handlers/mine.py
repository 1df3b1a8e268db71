"""`regreen bench mine PATH`: shows what the history of a repository yields."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from pathlib import Path

from bench import mine
from bot.checkout import Checkout
from bot.errors import Refused
from bot.work import Means
from handlers.show import Screen

COMMITS = 500
TASKS = 50


def run(path: Path, out: Path | None, means: Means, screen: Screen, *, limit: int | None, as_json: bool) -> int:
    """Mine, show, and return the exit code: 1 when there is no task."""
    checkout = Checkout(path)
    folder = out or Path(".regreen", "mined", checkout.root.name)
    most = limit or TASKS
    found: Counter[str] = Counter()
    try:
        for result in mine.mine(checkout, folder, means, commits=COMMITS, limit=most):
            is_task = isinstance(result, mine.Found)
            found["task" if is_task else "skipped"] += 1
            subject = result.problem_statement if isinstance(result, mine.Found) else result.subject
            why = f"{len(result.FAIL_TO_PASS)} tests turn green" if isinstance(result, mine.Found) else result.why
            screen.progress("task" if is_task else "skipped", f"{result.commit[:12]} {subject[:60]}: {why}")
    except OSError as error:
        raise Refused(f"Cannot write to {folder}: {error.strerror}.", "Give another folder with --out.") from error
    total = len(mine.tasks(folder))
    command = f"regreen bench swebench --from {shlex.quote(str(folder / 'tasks.jsonl'))}"
    if as_json:
        screen.result(json.dumps({"out": str(folder), "tasks": total, "looked_at": sum(found.values())}, indent=2))
    else:
        screen.say(f"{total} tasks, {found['task']} of them among the {sum(found.values())} commits of this run.")
        screen.say(f"Why the others are none: {folder / 'skipped.jsonl'}")
        if total:
            screen.say(f"Score them: {command}")
    return 0 if total else 1
