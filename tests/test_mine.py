"""A repository's own history becomes tasks: a real history, real boxes, and the bench that scores what was found."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from factories import FIXED, SHOP, TARGET, git, make_checkout, write

from bench import mine
from bench.known import NAME, KnownFix
from bench.readers import swebench
from bench.readers.place import Place
from bench.score import score
from bot.checkout import Checkout
from bot.work import Means
from sandbox import Limits

NOWHERE = Means(None, {}, Limits(), search_s=5)
"""No sandbox: what is skipped at a glance never asks for one."""


def commit(folder: Path, subject: str, changes: dict[str, str | None]) -> str:
    """One more commit; None removes a file."""
    write(folder, {path: text for path, text in changes.items() if text is not None})
    for path in (path for path, text in changes.items() if text is None):
        (folder / path).unlink()
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "-m", subject)
    return git(folder, "rev-parse", "HEAD")


BEFORE = {
    **SHOP,
    "tests/test_pricing.py": SHOP["tests/test_pricing.py"].replace("19.99, 15) == 16.99", "20, 15) == 17"),
}
FIX = {
    "shop/pricing.py": FIXED,
    "tests/test_pricing.py": SHOP["tests/test_pricing.py"],
    "CHANGES.md": "Cents stay.\n",
}
MORE_TESTS = SHOP["tests/test_pricing.py"] + "\n\ndef test_more():\n    assert total([]) == 0\n"


@pytest.fixture
def shop(tmp_path) -> Path:
    """The shop before its fault was known: all tests are green."""
    return make_checkout(tmp_path / "shop", BEFORE)


def look(folder: Path, means: Means = NOWHERE) -> mine.Found | mine.Skipped:
    """What the latest commit is."""
    found = mine.mine(Checkout(folder), folder.parent / "out", means, commits=1, limit=9)
    return next(found)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"README.md": "Hello\n"}, "changes no code and no tests"),
        ({"shop/pricing.py": FIXED}, "changes no tests"),
        ({"tests/test_pricing.py": MORE_TESTS}, "changes no code"),
        ({**FIX, "requirements.txt": "attrs\n"}, "changes what is installed: requirements.txt"),
        ({**FIX, "pyproject.toml": "[project]\n"}, "changes what is installed: pyproject.toml"),
        ({**FIX, "shop/__init__.py": None}, "deletes or renames code"),
        ({**FIX, "shop/table.bin": "0"}, "neither Python nor prose: shop/table.bin"),
        ({**FIX, "tests/test_pricing.py": BEFORE["tests/test_pricing.py"], "tests/table.json": "{}"}, "no file in which pytest"),
        ({**FIX, **{f"shop/part{number}.py": "A = 1\n" for number in range(10)}}, "11 files of code, and a repair at most 10"),
        ({**FIX, "shop/long.py": "A = 1\n" * 500}, "lines of code, and a repair at most 400"),
        ({**FIX, "shop/latin.py": "# \udcff\n"}, "cannot be written as a diff"),
    ],
)  # fmt: skip
def test_commit_that_is_no_task_says_why_without_a_run(shop, changes, why):
    raw = {path: text and text.encode("utf-8", "surrogateescape") for path, text in changes.items()}
    sha = commit(shop, "Something", raw)
    skipped = look(shop)
    assert isinstance(skipped, mine.Skipped)
    assert (skipped.commit, skipped.subject) == (sha, "Something")
    assert why in skipped.why


def test_merges_and_the_first_commit_are_no_tasks(shop):
    assert look(shop).why == "it is the first commit"
    git(shop, "checkout", "-q", "-b", "side")
    commit(shop, "Side", {"a.md": "1"})
    git(shop, "checkout", "-q", "main")
    commit(shop, "Main", {"b.md": "1"})
    git(shop, "merge", "-q", "--no-edit", "side")
    assert look(shop).why == "it is a merge"


@pytest.fixture(scope="module")
def means(request) -> Means:
    return replace(NOWHERE, sandbox=request.getfixturevalue("bubblewrap_sandbox"))


def test_fix_of_the_history_becomes_a_task_that_the_bench_can_run(shop, means, tmp_path):
    """Found once, and never looked at again; the bench proves it with its known fix. The checkout is left alone."""
    base = git(shop, "rev-parse", "HEAD")
    fix = commit(shop, "Keep the cents", FIX)
    commit(shop, "Say more", {"README.md": "Hello\n"})
    refs, out = git(shop, "for-each-ref"), tmp_path / "out"
    found = list(mine.mine(Checkout(shop), out, means, commits=9, limit=9))
    (task,) = (one for one in found if isinstance(one, mine.Found))
    assert (task.base_commit, task.commit, task.problem_statement) == (base, fix, "Keep the cents")
    assert task.FAIL_TO_PASS == (TARGET,)
    assert len(task.PASS_TO_PASS) == 2
    assert "CHANGES.md" not in task.patch + task.test_patch

    assert list(mine.mine(Checkout(shop), out, NOWHERE, commits=9, limit=9)) == []
    assert list(mine.mine(Checkout(shop), tmp_path / "other", NOWHERE, commits=9, limit=0)) == []
    assert git(shop, "for-each-ref") == refs
    assert git(shop, "status", "--porcelain") == ""

    (read,) = swebench.read(Place(out / "tasks.jsonl")).tasks
    assert read.fix == {"shop/pricing.py": FIXED.encode()}
    scored = score(read, replace(means, engines={NAME: KnownFix()}))
    assert (scored.outcome, scored.resolved) == ("fixed", True)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({**FIX, "tests/test_pricing.py": MORE_TESTS.replace("19.99, 15) == 16.99", "20, 15) == 17")}, "not red without it: green"),
        ({**FIX, "shop/pricing.py": FIXED.replace(", 2", ", 1")}, "not green with it: red"),
        ({**FIX, "tests/test_pricing.py": "import random\n\n\ndef test_chance():\n    assert id(object()) % 3 == random.randrange(3)\n"},
         "its tests are not"),
    ],
    ids=["green before", "red after", "chance"],
)  # fmt: skip
def test_commit_whose_tests_do_not_turn_says_what_they_did(shop, means, changes, why):
    commit(shop, "Something", changes)
    skipped = look(shop, means)
    assert isinstance(skipped, mine.Skipped)
    assert why in skipped.why


def test_lines_that_a_crash_cut_off_are_looked_at_again(shop, tmp_path):
    commit(shop, "Prose", {"README.md": "Hello\n"})
    first = look(shop)
    book = tmp_path / "out" / "skipped.jsonl"
    book.write_text(json.dumps({"commit": first.commit})[:-4])
    assert look(shop) == first
    assert len(book.read_text().splitlines()) == 2


@pytest.mark.parametrize(("args", "words"), [((), "takes one path"), (("{tmp}",), "is not a git checkout")])
def test_wrong_path_ends_with_a_hint(tmp_path, args, words):
    argv = [sys.executable, "-m", "handlers.cli", "bench", "mine", *(one.format(tmp=tmp_path) for one in args)]
    done = subprocess.run([*argv, "--sandbox", "bubblewrap"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.split())
