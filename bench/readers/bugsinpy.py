"""BugsInPy: bugs of real projects, as commits.

    projects/<project>/project.info                github_url
    projects/<project>/bugs/<n>/bug.info           buggy_commit_id, fixed_commit_id, test_file
    projects/<project>/bugs/<n>/bug_patch.txt      the known fix
    projects/<project>/bugs/<n>/run_test.sh        the failing tests, as commands of pytest or unittest
    projects/<project>/bugs/<n>/requirements.txt   what the tests need

An engine gets the buggy commit with the test files of the fixed one, so that the failing check is red; these tests
judge.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from bench.readers.mirror import Mirrors, diff_of, tree_of
from bench.readers.place import Place, folder, some, text
from bench.suites import Suite
from bench.tasks import BenchTask, check
from bot.errors import Refused

_CLONE = "Give the folder that `git clone https://github.com/soarsmu/BugsInPy` makes with --from."


def read(place: Place) -> Suite:
    """One task for each bug whose failing tests are known. Refused where mirror, commit or patch is missing."""
    projects = folder(place, "projects", corpus="BugsInPy", clone=_CLONE)
    tasks, notes = [], []
    with Mirrors(place) as mirrors:
        for path in sorted(
            projects.glob("*/bugs/*/bug.info"), key=lambda one: (one.parts[-4], _number(one.parts[-2]))
        ):
            name = f"{path.parts[-4]}/{path.parts[-2]}"
            if not place.wanted(name):
                continue
            failing = _failing(text(path.parent / "run_test.sh"))
            if not failing:
                notes.append(f"{name} is left out: run_test.sh names no test of pytest or unittest")
                continue
            task = _task(name, path.parent, failing, mirrors)
            check(task, path.parent)
            tasks.append(task)
    some(tasks, place, "BugsInPy")
    return Suite("bugsinpy", "BugsInPy: bugs of real projects", {}, tuple(tasks), tuple(notes))


def _task(name: str, bug: Path, failing: tuple[str, ...], mirrors: Mirrors) -> BenchTask:
    project, info = _info(bug.parent.parent / "project.info"), _info(bug / "bug.info")
    repo = _value(project, "github_url", bug).removesuffix("/").removesuffix(".git").split("github.com/")[-1]
    buggy, fixed = (mirrors.commit(repo, _value(info, key, bug)) for key in ("buggy_commit_id", "fixed_commit_id"))
    tests = [path for path in re.split(r"[;\s]+", _value(info, "test_file", bug)) if path]
    files, after = tree_of(buggy), tree_of(fixed)
    files |= {path: after[path] for path in tests if path in after}
    if (bug / "requirements.txt").is_file():
        files["requirements.txt"] = text(bug / "requirements.txt").encode()
    fix = diff_of(buggy, text(bug / "bug_patch.txt"))
    return BenchTask(
        name=name,
        title=f"Bug {bug.name} of {repo}",
        kind=repo,
        fault=f"A bug of {repo}, fixed in {fixed.sha[:12]}.",
        failing=failing,
        repository=files,
        fix={path: data for path, data in fix.items() if data is not None},
        judges={},
        pytest_args=tuple(sorted({test.partition("::")[0] for test in failing})),
        must_pass=failing,
    )


def _failing(script: str) -> tuple[str, ...]:
    """Ids of the tests that the commands of run_test.sh run; those of unittest are translated."""
    found: list[str] = []
    for line in script.splitlines():
        words = shlex.split(line, comments=True)
        names = [
            word for word in words[1:] if not word.startswith("-") and word not in ("pytest", "unittest", "python")
        ]
        if "unittest" in words:
            found += filter(None, map(_from_unittest, names))
        elif any(PurePosixPath(word).name in ("pytest", "py.test") for word in words):
            found += (word for word in names if "::" in word)
    return tuple(dict.fromkeys(found))


def _from_unittest(dotted: str) -> str:
    """`tests.test_a.ATest.test_b` as pytest names it; classes begin with a capital."""
    parts = dotted.split(".")
    at = next((number for number, part in enumerate(parts) if part[:1].isupper()), len(parts))
    return f"{'/'.join(parts[:at])}.py::{'::'.join(parts[at:])}" if 0 < at < len(parts) else ""


def _info(path: Path) -> dict[str, str]:
    """NAME="value" lines."""
    return dict(re.findall(r'^\s*(\w+)\s*=\s*"?([^"\n]*?)"?\s*$', text(path), re.MULTILINE))


def _value(info: Mapping[str, str], key: str, bug: Path) -> str:
    if not info.get(key):
        raise Refused(f"{bug} does not say its {key}.", "Restore bug.info and project.info from their repository.")
    return info[key]


def _number(name: str) -> int:
    return int(name) if name.isdigit() else 0
