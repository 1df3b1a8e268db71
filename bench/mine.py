"""Mines a repository's own history for tasks: commits that mend code and its tests at once, checked red and green.

A task is the parent with the tests of the fix laid over it: these tests must be red twice there, and green twice with
the code of the fix. Found ones are written in the form of SWE-bench, which `regreen bench swebench` reads.

OUT/
    tasks.jsonl       what was found, a line each
    skipped.jsonl     every other commit that was looked at, and why it is no task
    mirrors/NAME.git  reads the objects of the repository, so that the tasks can be run
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from bot.checkout import Checkout
from bot.errors import OutOfBudget, Refused
from bot.gate.layer import Options
from bot.gate.protected import why_protected
from bot.nouns import Patch
from bot.work import Means, Prepared, Reproduced, Task, Work
from bot.workspace import Commit, borrow, parse_diff, run_git, unified_diff
from sandbox import Files

_DATE = "2026-01-01T00:00:00Z"
_TESTS = frozenset({"test-changed", "conftest-changed"})
_INSTALLS = frozenset({"pyproject.toml", "setup.cfg"})
_ASIDE = (".md", ".rst", ".txt", ".cfg", ".ini", ".toml", ".yml", ".yaml")


@dataclass(frozen=True)
class Past:
    """One commit of the history."""

    sha: str
    parents: tuple[str, ...]
    date: str
    subject: str


@dataclass(frozen=True)
class Found:
    """A task, as SWE-bench names its parts."""

    instance_id: str
    repo: str
    base_commit: str
    commit: str
    patch: str
    test_patch: str
    FAIL_TO_PASS: tuple[str, ...]
    PASS_TO_PASS: tuple[str, ...]
    problem_statement: str
    created_at: str


@dataclass(frozen=True)
class Skipped:
    """A commit that is no task."""

    commit: str
    why: str
    subject: str = ""


class NoTask(Exception):
    """This commit is no task; the message says why."""


@dataclass(frozen=True)
class Parts:
    """What a fix changes: its tests, and the code that a repair would have to change."""

    tests: Patch
    code: Patch
    files: tuple[str, ...]
    """Changed files in which pytest looks for tests."""


def history(checkout: Checkout, most: int) -> list[Past]:
    """The latest commits, the newest first."""
    form = "%H%x00%P%x00%cI%x00%s"
    lines = run_git("-C", str(checkout.root), "log", f"-n{most}", f"--format={form}", checkout.sha)
    fields = (line.split("\0", 3) for line in lines.decode("utf-8", "replace").splitlines())
    return [Past(sha, tuple(parents.split()), date, subject) for sha, parents, date, subject in fields]


def mine(checkout: Checkout, out: Path, means: Means, *, commits: int, limit: int) -> Iterator[Found | Skipped]:
    """Look at the latest commits until `limit` tasks are there. What an earlier run looked at is passed over.

    Each result is on disk when it is yielded. Raises SandboxUnavailable where no box can be had.
    """
    name = checkout.root.name
    mirror = out / "mirrors" / f"{name}.git"
    if not mirror.exists():
        mirror.parent.mkdir(parents=True, exist_ok=True)
        borrow(checkout.root, mirror)
    known = _known(out)
    found = sum(known.values())
    for past in history(checkout, commits):
        if found >= limit:
            return
        if past.sha in known:
            continue
        result = look(past, name, mirror, means)
        found += isinstance(result, Found)
        _write(out, result)
        yield result


def look(past: Past, name: str, git_dir: Path, means: Means) -> Found | Skipped:
    """Whether a commit is a task: red before, green with its code."""
    try:
        if len(past.parents) != 1:
            raise NoTask("it is a merge" if past.parents else "it is the first commit")
        base = Commit(git_dir, past.parents[0])
        tree = base.files()
        parts = _parts(base.changes_to(past.sha), tree, means.gate)
        tests, code = (_diff(base, tree, part) for part in (parts.tests, parts.code))
        red = Commit(git_dir, base.commit_with(parts.tests, "Tests of the fix", date=_DATE))
        green = Commit(git_dir, red.commit_with(parts.code, "The fix", date=_DATE))
        failing, passing = _turned(past.sha, red, green, parts.files, means)
    except NoTask as error:
        return Skipped(past.sha, str(error), past.subject)
    except (Refused, OutOfBudget) as error:
        return Skipped(past.sha, f"it cannot be looked at: {error}", past.subject)
    return Found(
        instance_id=f"{name}-{past.sha[:12]}",
        repo=name,
        base_commit=base.sha,
        commit=past.sha,
        patch=code,
        test_patch=tests,
        FAIL_TO_PASS=failing,
        PASS_TO_PASS=passing,
        problem_statement=past.subject,
        created_at=past.date,
    )


def _parts(patch: Patch, tree: Files, limits: Options) -> Parts:
    """Tell tests from code. Prose and settings of tools stay aside; NoTask where more than that is changed."""
    tests, code = {}, {}
    for path, data in sorted(patch.files.items()):
        why = why_protected(path)
        if why in _TESTS:
            tests[path] = data
        elif why == "dependency-changed" or PurePosixPath(path).name in _INSTALLS:
            raise NoTask(f"it changes what is installed: {path}")
        elif path.endswith(".py") and why is None:
            code[path] = data
        elif why is None and not path.endswith(_ASIDE):
            raise NoTask(f"it changes a file that is neither Python nor prose: {path}")
    _require(tests, code, patch)
    if any(data is None for data in code.values()):
        raise NoTask("it deletes or renames code")
    if len(code) > limits.max_files:
        raise NoTask(f"it changes {len(code)} files of code, and a repair at most {limits.max_files}")
    lines = sum(line.startswith(("+", "-")) for line in unified_diff(tree, Patch(code)).splitlines())
    if lines > limits.max_changed_lines:
        raise NoTask(f"it changes {lines} lines of code, and a repair at most {limits.max_changed_lines}")
    files = tuple(path for path, data in tests.items() if data is not None and _is_test(path))
    if not files:
        raise NoTask("it changes no file in which pytest looks for tests")
    return Parts(Patch(tests), Patch(code), files)


def _require(tests: Mapping[str, bytes | None], code: Mapping[str, bytes | None], patch: Patch) -> None:
    if not tests or not code:
        raise NoTask(f"it changes no {'tests' if code else 'code' if tests else 'code and no tests'}")
    odd = sorted(patch.modes.keys() & {*tests, *code})
    if odd:
        raise NoTask(f"it changes the mode of {odd[0]}")


def _is_test(path: str) -> bool:
    name = PurePosixPath(path).name
    return name.endswith("_test.py") or (name.startswith("test") and name.endswith(".py"))


def _diff(base: Commit, tree: Files, patch: Patch) -> str:
    """As text that gives the very same files when it is read again. NoTask where it does not."""
    text = unified_diff(tree, patch)
    try:
        same = parse_diff(base, text.encode()).files == dict(patch.files)
    except Refused:
        same = False
    if not same:
        raise NoTask("it cannot be written as a diff of text")
    return text


def _turned(
    sha: str, red: Commit, green: Commit, files: tuple[str, ...], means: Means
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tests that the code of the fix turns green, and those that are green before and after."""
    before = _run(sha, red, files, means)
    if before.state != "red":
        raise NoTask(f"its tests are not red without it: {before.state}. {before.detail}".strip())
    after = _run(sha, green, files, means)
    if after.state != "green":
        raise NoTask(f"its tests are not green with it: {after.state}. {after.detail}".strip())
    assert before.baseline is not None
    assert after.baseline is not None
    failing = sorted(after.baseline.green - before.baseline.green)
    if not failing:
        raise NoTask("no test turns green with it")
    return tuple(failing), tuple(sorted(after.baseline.green & before.baseline.green))


def _run(sha: str, commit: Commit, files: tuple[str, ...], means: Means) -> Reproduced:
    """The changed test files, twice, in fresh boxes. NoTask where nothing can be installed."""
    work = Work(Task(f"mine:{sha}", sha, commit, files), means)
    prepared: Prepared = work.prepare()
    if not prepared.image:
        raise NoTask(f"it cannot be set up: {prepared.refusal}")
    return work.reproduce(prepared)


def tasks(out: Path) -> list[str]:
    """Commits that are tasks, as earlier runs found them."""
    return [sha for sha, is_task in _known(out).items() if is_task]


def _known(out: Path) -> dict[str, bool]:
    """Commits that an earlier run has looked at, and whether they are tasks. A line that was cut off is none."""
    known = {}
    for name, is_task in (("skipped.jsonl", False), ("tasks.jsonl", True)):
        if not (out / name).exists():
            continue
        for line in (out / name).read_text(encoding="utf-8").splitlines():
            try:
                known[str(json.loads(line)["commit"])] = is_task
            except (ValueError, KeyError, TypeError):
                continue
    return known


def _write(out: Path, result: Found | Skipped) -> None:
    path = out / ("tasks.jsonl" if isinstance(result, Found) else "skipped.jsonl")
    with path.open("a+b") as stream:
        if stream.tell() and not path.read_bytes().endswith(b"\n"):
            stream.write(b"\n")
        stream.write(json.dumps(asdict(result), ensure_ascii=False).encode() + b"\n")
