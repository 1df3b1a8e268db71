"""Scores one task: repaired as in production, from a real git repository; then hidden tests judge the result."""

from __future__ import annotations

import dataclasses
import hashlib
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bench.known import KnownFix
from bench.tasks import BenchTask, Tree
from bot import pipeline
from bot.checkout import Checkout
from bot.engines.contract import Dialogue, Engine, Proposals, Workbench
from bot.nouns import Failure, Outcome, Patch
from bot.pipeline import Repair
from bot.toolchains import python
from bot.work import Means, Task, steady
from bot.workspace import AUTHOR, Commit, patched, run_git, unified_diff
from sandbox import File, Image

_DAY = "2026-01-01T00:00:00Z"


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
    attempts: int = 0
    """Candidates that the gate judged."""
    rejected: int = 0
    """How many of them it did not accept."""
    protected: int = 0
    """Candidates that touch a file which no repair may touch."""
    tokens: int = 0
    cost_usd: float = 0.0
    expected: tuple[str, ...] = (Outcome.FIXED.value,)
    """How the repair ought to end: one of these outcomes."""

    @property
    def false_success(self) -> bool:
        """Claimed as fixed, and it is not."""
        return self.outcome == Outcome.FIXED and not self.resolved

    @property
    def to_be_left(self) -> bool:
        """The right answer is to leave the code alone, and to say why."""
        return Outcome.FIXED not in self.expected

    @property
    def rightly_left(self) -> bool:
        """There is no patch, and the reason is the right one."""
        return self.outcome != Outcome.FIXED and self.outcome in self.expected

    @property
    def right(self) -> bool:
        """It ended as it ought to."""
        return self.resolved or self.rightly_left


class Watched:
    """An engine that works as it always does, while its candidates that touch protected files are counted."""

    def __init__(self, engine: Engine) -> None:
        self.name = engine.name
        self.protected = 0
        self._engine = engine

    def propose(self, failure: Failure, workbench: Workbench) -> Proposals:
        proposed = self._engine.propose(failure, workbench)
        self.protected += sum(
            any(workbench.protected(path) for path in candidate.patch.files) for candidate in proposed.candidates
        )
        return proposed


def score(task: BenchTask, means: Means) -> Score:
    """Repair and judge. Raises SandboxError when boxes keep breaking: then there is no score."""
    started = time.monotonic()
    means = allowed(task, means)
    # A dialogue cannot touch a protected file: its tools refuse, and it is asked as it is.
    talking = {name: engine for name, engine in means.engines.items() if isinstance(engine, Dialogue)}
    watched = {
        name: Watched(engine.of(task) if isinstance(engine, KnownFix) else engine)
        for name, engine in means.engines.items()
        if not isinstance(engine, Dialogue)
    }
    engines = {name: talking.get(name) or watched[name] for name in means.engines}
    with tempfile.TemporaryDirectory() as folder:
        commit = committed(Path(folder), task.faulty())
        asked = Task(f"bench:{task.name}", task.name, commit, task.pytest_args)
        repair = pipeline.repair(asked, dataclasses.replace(means, engines=engines))
    meant = Outcome.FIXED in task.outcome  # a patch where there is nothing to mend is no success, whatever it passes
    resolved = meant and repair.patch is not None and holds(task, repair.patch, repair.evidence.image, means)
    found = _score(task, repair, resolved=resolved, means=means, total_s=time.monotonic() - started)
    return dataclasses.replace(found, protected=sum(engine.protected for engine in watched.values()))


def allowed(task: BenchTask, means: Means) -> Means:
    """The means, with the task's own limit of time where it has one."""
    if task.timeout_s is None:
        return means
    return dataclasses.replace(means, limits=dataclasses.replace(means.limits, timeout_s=task.timeout_s))


def holds(task: BenchTask, patch: Patch, image: str, means: Means) -> bool:
    """Whether all tests that judge pass with the patch. They run in a box that ran nothing before.

    Hidden tests run alone; where a corpus has none, the ids that it names must pass.
    """
    tree = patched(_files({**task.faulty(), **task.hidden()}), patch)
    hidden = sorted(path for path in task.hidden() if PurePosixPath(path).name.startswith("test_"))
    files = sorted({test.partition("::")[0] for test in task.must_pass})
    command = python.suite(tree, python.launch(tree, hidden or files))
    run = python.parse(steady(lambda: means.sandbox.verify_fresh(Image(image), command, means.limits)))
    if run is None or not run.cases:
        return False
    if hidden:
        return all(case.result == "passed" for case in run.cases)
    results = run.results()
    return all(results.get(test) == "passed" for test in task.must_pass)


def digest(task: BenchTask, means: Means) -> str:
    """Names a task together with the means it is scored with."""
    total = hashlib.sha256(f"{sorted(means.engines)} {means.search_s} {allowed(task, means).limits}".encode())
    total.update(f"{task.pytest_args} {task.must_pass}".encode() if task.pytest_args or task.must_pass else b"")
    total.update(f"{task.outcome}".encode() if task.outcome != (Outcome.FIXED,) else b"")
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
        attempts=evidence.attempts,
        rejected=evidence.attempts - (evidence.outcome == Outcome.FIXED),
        tokens=evidence.tokens,
        cost_usd=evidence.cost_usd,
        expected=tuple(task.outcome),
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
    # A fixed day: the commit's id, and what is drawn from it, is the same in every run.
    day = {"GIT_AUTHOR_DATE": _DAY, "GIT_COMMITTER_DATE": _DAY}
    run_git(*here, "commit", "--quiet", "-m", "First", env=day, config={"user.name": name, "user.email": mail})
    return Checkout(root).head(folder / "git")


def _files(tree: Tree) -> dict[str, File]:
    return {path: File(data) for path, data in tree.items()}
