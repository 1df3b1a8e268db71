"""Scores one task: repaired as in production, from a real git repository; then hidden tests judge the result."""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bench.tasks import BenchTask, Tree
from bot import pipeline
from bot.checkout import Checkout
from bot.nouns import Outcome, Patch
from bot.pipeline import Repair
from bot.toolchains import python
from bot.work import Means, Task, steady
from bot.workspace import AUTHOR, Commit, patched, run_git, unified_diff
from sandbox import File, Image


@dataclass(frozen=True)
class Score:
    """What became of one task."""

    task: str
    digest: str
    """Of all that the score depends on but the program itself: the task's files, engines and limits."""
    kind: str
    """Class of the fault."""
    outcome: str
    resolved: bool
    """There is a patch, and with it all hidden tests pass."""
    operator: str = ""
    """Who wrote the patch: the search's operator, a fixer or a model."""
    tried: int = 0
    search_s: float = 0.0
    total_s: float = 0.0
    diff_lines: int = 0
    fix_lines: int = 0
    """The same for the known fix."""
    as_known: bool = False
    """The patch is the known fix, byte for byte."""
    outside: tuple[str, ...] = ()
    """Files that the patch touches and the known fix does not."""
    patch: str = ""
    said: str = ""
    """The root cause, or why there is no patch."""

    @property
    def false_success(self) -> bool:
        """Claimed as fixed, and it is not."""
        return self.outcome == Outcome.FIXED and not self.resolved


def score(task: BenchTask, means: Means) -> Score:
    """Repair and judge. Raises SandboxError when boxes keep breaking: then there is no score."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        commit = committed(Path(folder), task.faulty())
        repair = pipeline.repair(Task(f"bench:{task.name}", task.name, commit), means)
    resolved = repair.patch is not None and holds(task, repair.patch, repair.evidence.image, means)
    return _score(task, repair, resolved=resolved, means=means, total_s=time.monotonic() - started)


def holds(task: BenchTask, patch: Patch, image: str, means: Means) -> bool:
    """Whether all hidden tests pass with the patch. They run in a box that ran nothing before, and nothing else."""
    tree = patched(_files({**task.faulty(), **task.hidden()}), patch)
    tests = sorted(path for path in task.hidden() if PurePosixPath(path).name.startswith("test_"))
    command = python.suite(tree, python.launch(tree, tests))
    run = python.parse(steady(lambda: means.sandbox.verify_fresh(Image(image), command, means.limits)))
    return run is not None and bool(run.cases) and all(case.result == "passed" for case in run.cases)


def digest(task: BenchTask, means: Means) -> str:
    """Names a task together with the means it is scored with."""
    total = hashlib.sha256(f"{sorted(means.engines)} {means.search_s} {means.limits}".encode())
    for tree in (task.faulty(), task.fixed(), task.hidden()):
        for path in sorted(tree):
            total.update(f"{path}\0{len(tree[path])}\0".encode() + tree[path])
    return total.hexdigest()[:16]


def _score(task: BenchTask, repair: Repair, *, resolved: bool, means: Means, total_s: float) -> Score:
    evidence, files = repair.evidence, _files(task.faulty())
    changed: Mapping[str, bytes | None] = repair.patch.files if repair.patch else {}
    return Score(
        task=task.name,
        digest=digest(task, means),
        kind=task.kind,
        outcome=evidence.outcome,
        resolved=resolved,
        operator=evidence.operator,
        tried=evidence.candidates_tried,
        search_s=evidence.durations_s.get("repair", 0.0),
        total_s=round(total_s, 3),
        diff_lines=changed_lines(evidence.patch),
        fix_lines=changed_lines(unified_diff(files, Patch(task.fix))),
        as_known=changed == task.fix,
        outside=tuple(sorted(changed.keys() - task.fix.keys())),
        patch=evidence.patch,
        said=evidence.root_cause or evidence.message,
    )


def changed_lines(diff: str) -> int:
    """Lines that a diff adds or takes out."""
    return sum(line.startswith(("+", "-")) and not line.startswith(("+++", "---")) for line in diff.splitlines())


def committed(folder: Path, tree: Tree) -> Commit:
    """The tree as the only commit of a real repository."""
    root = folder / "repository"
    for path, data in tree.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    name, _, mail = AUTHOR.rstrip(">").partition(" <")
    here = ("-C", str(root))
    run_git("init", "--quiet", "--template=", "--initial-branch=main", str(root))
    run_git(*here, "add", "--all", "--force")
    run_git(*here, "commit", "--quiet", "-m", "First", config={"user.name": name, "user.email": mail})
    return Checkout(root).head(folder / "git")


def _files(tree: Tree) -> dict[str, File]:
    return {path: File(data) for path, data in tree.items()}
