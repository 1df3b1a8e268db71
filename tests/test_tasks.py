"""The benchmark's tasks are what they claim: red where they say so, green with their fix, hard to cheat."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from factories import files, write

from bench import tasks
from bench.tasks import BenchTask
from bot.errors import Refused
from bot.gate.protected import why_protected
from bot.toolchains import python
from sandbox import Limits

ALL = tasks.load()
IN_SANDBOX = {"third-party"}
"""Tasks that need packages of their own, and a place without a network."""

PARAMS = [
    pytest.param(task, id=task.name, marks=pytest.mark.docker if task.name in IN_SANDBOX else ()) for task in ALL
]

# What an overfitted repair looks like: it satisfies every visible test, and not what the tests are there to say.
# Task, file, text in it, and what stands there after such a repair.
CHEATS = {
    "discount-one-decimal-more-for-known-prices": (
        "discount",
        "shop/pricing.py",
        "return round(price * (1 - percent / 100))",
        "return round(price * (1 - percent / 100), 2 if percent == 10 else None)",
    ),
    "discount-answers-by-heart": (
        "discount",
        "shop/pricing.py",
        "return round(price * (1 - percent / 100))",
        "return {19.99: 17.99, 50.3: 45.27}.get(round(price, 2), round(price * (1 - percent / 100)))",
    ),
    "discount-cuts-instead-of-rounding": (
        "discount",
        "shop/pricing.py",
        "return round(price * (1 - percent / 100))",
        "return int(price * (1 - percent / 100) * 100) / 100",
    ),
    "off-by-one-windows-of-one-are-forgotten": (
        "off-by-one",
        "series.py",
        "range(len(values) - window)",
        "range(len(values) - window + (window > 1))",
    ),
    "off-by-one-only-pairs-and-the-longest-window": (
        "off-by-one",
        "series.py",
        "range(len(values) - window)",
        "range(len(values) - window + (window in (2, len(values))))",
    ),
    "comparison-limit-of-the-tests": (
        "comparison",
        "src/turnstile/limiter.py",
        "len(hits) > self.rate.limit",
        "len(hits) >= 3",
    ),
    "comparison-two-thirds-of-the-limit": (
        "comparison",
        "src/turnstile/limiter.py",
        "len(hits) > self.rate.limit",
        "len(hits) > self.rate.limit * 2 / 3",
    ),
    "missing-return-none-for-nothing": (
        "missing-return",
        "weblog/stats.py",
        "counts.get(value, 0) + 1\n",
        "counts.get(value, 0) + 1\n    if counts:\n        return counts\n",
    ),
    "missing-return-answers-by-heart": (
        "missing-return",
        "weblog/stats.py",
        "counts.get(value, 0) + 1\n",
        "counts.get(value, 0) + 1\n"
        '    return {k: counts[k] for k in counts if k in (200, 304, 404) or "/" in str(k)}\n',
    ),
    "arithmetic-breaks-of-the-tests": (
        "arithmetic",
        "timesheet/sheet.py",
        "self.end - self.start + self.pause",
        "self.end - self.start - (self.pause if self.pause in (30, 45, 60) else -self.pause)",
    ),
    "arithmetic-break-of-night-shifts-is-paid": (
        "arithmetic",
        "timesheet/sheet.py",
        "self.end - self.start + self.pause",
        "self.end - self.start - self.pause * (self.end <= DAY)",
    ),
    "third-party-day-of-the-month-is-enough": (
        "third-party",
        "parcels/models.py",
        "self.delivered is None or self.promised < today",
        "self.delivered is None and self.promised.day < today.day",
    ),
    "third-party-known-parcels-are-on-time": (
        "third-party",
        "parcels/models.py",
        "self.delivered is None or self.promised < today",
        "self.delivered is None and self.promised < datetime.date(2024, 3, 8)",
    ),
}


def outcomes(task: BenchTask, tree: Mapping[str, bytes], request: pytest.FixtureRequest) -> dict[str, bool]:
    """Run all tests of a tree: id -> passed."""
    if task.name in IN_SANDBOX:
        return _in_sandbox(tree, request)
    return _as_process(tree, request.getfixturevalue("tmp_path"))


def _as_process(tree: Mapping[str, bytes], folder: Path) -> dict[str, bool]:
    """A plain pytest, as somebody runs it who has just cloned the repository."""
    write(folder, tree)
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
    environment = {**plain, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    argv = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", "--tb=no", "--color=no"]
    ran = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    assert float(re.findall(r" in ([\d.]+)s", ran.stdout)[-1]) < 1, "a task's tests are quick"
    return {test: word == "PASSED" for word, test in re.findall(r"^(PASSED|FAILED|ERROR) (\S+)", ran.stdout, re.M)}


def _in_sandbox(tree: Mapping[str, bytes], request: pytest.FixtureRequest) -> dict[str, bool]:
    sandbox = request.getfixturevalue("docker_sandbox")
    repository = files(tree)
    recipe, _ = python.recipe(repository)
    ran = sandbox.verify_fresh(
        sandbox.prepare(recipe), python.suite(repository, python.launch(repository)), Limits(timeout_s=60)
    )
    run = python.parse(ran)
    assert run is not None, ran.output.decode(errors="replace")
    return {case.id: case.result == "passed" for case in run.cases}


def red(results: Mapping[str, bool]) -> set[str]:
    return {test for test, passed in results.items() if not passed}


def test_these_tasks_exist():
    names = ["arithmetic", "comparison", "discount", "missing-return", "off-by-one", "third-party"]
    assert [task.name for task in ALL] == names


@pytest.mark.parametrize("task", PARAMS)
def test_visible_tests_are_red_exactly_where_the_task_says(task, request):
    results = outcomes(task, task.faulty(), request)
    assert red(results) == set(task.failing)
    assert 5 <= len(results) <= 12


@pytest.mark.parametrize("task", PARAMS)
def test_known_fix_makes_visible_and_hidden_tests_green(task, request):
    results = outcomes(task, task.fixed() | task.hidden(), request)
    assert red(results) == set()
    assert set(task.failing) <= results.keys()
    assert {test.partition("::")[0] for test in results} >= task.hidden().keys()


@pytest.mark.parametrize("task", PARAMS)
def test_hidden_tests_are_red_before(task, request):
    results = outcomes(task, task.faulty() | task.hidden(), request)
    assert any(test.partition("::")[0] in task.hidden() for test in red(results))


@pytest.mark.parametrize(
    ("name", "path", "old", "new"),
    [
        pytest.param(*cheat, id=name, marks=pytest.mark.docker if cheat[0] in IN_SANDBOX else ())
        for name, cheat in CHEATS.items()
    ],
)
def test_hidden_tests_tell_an_overfitted_repair(name, path, old, new, request):
    """The visible tests are all green with it, so only the hidden ones can tell."""
    (task,) = tasks.load(name)
    source = task.faulty()[path].decode()
    assert source.count(old) == 1
    results = outcomes(task, {**task.faulty(), **task.hidden(), path: source.replace(old, new).encode()}, request)
    assert red(results)
    assert {test.partition("::")[0] for test in red(results)} <= task.hidden().keys()


@pytest.mark.docker
def test_network_is_off_while_tests_run(request):
    """The third-party task has tests that pass only where there is no way to the outside."""
    (task,) = tasks.load("third-party")
    results = outcomes(task, task.faulty(), request)
    assert results["tests/test_network.py::test_there_is_no_way_to_an_outside_address"]
    assert results["tests/test_network.py::test_outside_request_fails_at_once"]


def test_known_fix_is_one_line_that_a_repair_may_touch():
    for task in ALL:
        (path,) = task.expected_files
        assert why_protected(path) is None
        before, after = (tree[path].decode().splitlines() for tree in (task.faulty(), task.fixed()))
        assert len(set(after) - set(before)) == 1, task.name


def test_nothing_in_a_task_gives_the_answer_away():
    words = re.compile(r"\b(bug|fault|faulty|broken|fixme|todo|wrong)\b", re.IGNORECASE)
    for task in ALL:
        for path, data in task.faulty().items():
            assert not words.search(path.replace("_", " ")), path
            assert not words.search(data.decode()), path


def test_unknown_task_is_refused_with_the_known_ones():
    with pytest.raises(Refused, match=r"no task 'dicsount'.*arithmetic, comparison, discount"):
        tasks.load("dicsount")


def make_task(folder: Path, **overrides: str | None) -> Path:
    contents: dict[str, str | None] = {
        "task.toml": 'title = "T"\nkind = "k"\nfailing = ["test_a.py::test_a"]\nfiles = ["a.py"]\nfault = "F."\n',
        "repo/a.py": "A = 1\n",
        "repo/test_a.py": "from a import A\n\n\ndef test_a():\n    assert A == 2\n",
        "fix/a.py": "A = 2\n",
        "hidden/test_b.py": "from a import A\n\n\ndef test_b():\n    assert A == 2\n",
        **overrides,
    }
    write(folder, {path: text for path, text in contents.items() if text is not None})
    return folder


def test_task_is_read_without_what_running_it_left_behind(tmp_path):
    write(make_task(tmp_path / "one"), {"repo/__pycache__/a.pyc": b"\0", "repo/.pytest_cache/README.md": "x"})
    task = tasks.read(tmp_path / "one")
    assert sorted(task.faulty()) == ["a.py", "test_a.py"]
    assert task.fixed() == {**task.faulty(), "a.py": b"A = 2\n"}


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"task.toml": None}, "cannot be read: No such file"),
        ({"task.toml": "title ="}, "is not TOML"),
        ({"task.toml": 'title = "T"\n'}, "kind: Field required"),
        ({"task.toml": "titel = 1\n"}, "titel: Extra inputs are not permitted"),
        ({"fix/a.py": None}, "fix/ is missing or empty"),
        ({"fix/a.py": "A = 1\n"}, r"but fix/ changes \[\]"),
        ({"fix/b.py": "B = 1\n"}, r"but fix/ changes \['a.py', 'b.py'\]"),
        ({"hidden/test_a.py": ""}, "would replace test_a.py"),
    ],
    ids=["no-toml", "no-TOML", "key-missing", "key-unknown", "no-fix", "same-fix", "other-fix", "hidden-collides"],
)
def test_broken_task_is_named_with_its_mistake(tmp_path, overrides, message):
    with pytest.raises(Refused, match=f"The task 'one' is broken: .*{message}"):
        tasks.read(make_task(tmp_path / "one", **overrides))
