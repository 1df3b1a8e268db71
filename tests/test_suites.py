"""The suites are what they claim: right without a fault, red with it where they say so, and judged by hidden tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from factories import files, write

from bench import suites
from bench.score import Score, allowed, digest, holds
from bench.scorebook import Scorebook
from bench.suites import Suite
from bench.tally import table, tally
from bench.tasks import BenchTask
from bot.engines.search.engine import SearchEngine
from bot.errors import Refused
from bot.gate.protected import why_protected
from bot.nouns import Patch
from bot.toolchains import python
from bot.work import Means
from sandbox import Limits

ONEFAULT = suites.load("onefault")
STARTER = suites.load("starter")
TRAPS = suites.load("traps")
HOUSE = suites.load("house")
SUITES = [ONEFAULT, suites.load("packages"), STARTER, HOUSE]
SIZES = {"onefault": (5, 60), "packages": (50, 500), "starter": (5, 60), "house": (40, 300)}
"""Suite -> how many visible tests a host has."""
LINES = {"onefault": 4, "packages": 4, "starter": 4, "house": 30}
"""Suite -> how many lines of one file a known fix may bring back."""


def hosts(suite: Suite) -> dict[str, BenchTask]:
    """Host -> one of its tasks."""
    return {task.name.partition("/")[0]: task for task in suite.tasks}


# Words by which issue 4 names what the engine must be able to do.
ASKED = {
    "comparison", "arithmetic", "boolean", "bitwise", "augmented", "off-by-one", "constant", "index", "slice", "negation",
    "condition-strengthened", "condition-weakened", "variable", "attribute", "callee", "argument", "argument-added",
    "argument-dropped", "arguments-swapped", "keyword", "operand-dropped", "operands-swapped", "call-wrapped",
    "call-unwrapped", "return-value", "missing-return", "missing-yield", "missing-await", "missing-self",
    "missing-super", "missing-import", "statement-added", "statement-missing", "statement-moved", "indentation",
    "guard-none", "guard-empty", "guard-zero", "guard-key", "guard-index", "guard-type", "exception-type", "re-raise",
    "mutable-default", "default", "string-prefix", "string-format", "string-strip", "string-case", "string-constant",
    "encoding", "regex", "sort-key", "stability", "copy", "division", "rounding", "time-zone", "name", "table-entry",
    "two-place",
}  # fmt: skip


@pytest.fixture(scope="module", params=SUITES, ids=lambda suite: suite.name)
def suite(request) -> Suite:
    return request.param


@pytest.fixture(scope="module")
def outcomes(suite, tmp_path_factory) -> dict[str, dict[str, list[str]] | None]:
    return run_all(suite, suite.tasks, tmp_path_factory.mktemp("suite"))


def run_all(suite: Suite, tasks: Sequence[BenchTask], folder: Path) -> dict[str, dict[str, list[str]] | None]:
    """Each host and each fault, with visible and hidden tests, run once: name -> ids that are red, and green."""
    trees = {name: {**task.fixed(), **task.hidden()} for name, task in hosts(suite).items()}
    trees |= {task.name: {**task.faulty(), **task.hidden()} for task in tasks}
    folders = {}
    for number, (name, tree) in enumerate(trees.items()):
        folders[name] = str(folder / str(number))
        write(folder / str(number), tree)
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
    environment = {**plain, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    argv = [sys.executable, str(Path(__file__).with_name("suiterun.py")), str(folder / "outcomes.json")]
    subprocess.run(argv, input=json.dumps(folders), text=True, env=environment, check=True, timeout=500)
    return json.loads((folder / "outcomes.json").read_text())


def split(task: BenchTask, tests: list[str]) -> tuple[set[str], set[str]]:
    """Visible and hidden ones."""
    hidden = {test for test in tests if test.partition("::")[0] in task.hidden()}
    return set(tests) - hidden, hidden


def test_all_tests_are_green_without_a_fault(suite, outcomes):
    least, most = SIZES[suite.name]
    for name, task in hosts(suite).items():
        assert outcomes[name] is not None, f"{name} does not end"
        assert outcomes[name]["red"] == [], name
        visible, hidden = split(task, outcomes[name]["green"])
        assert least <= len(visible) <= most, name
        assert len(hidden) >= 4, name


def test_visible_tests_are_red_exactly_where_a_fault_says(suite, outcomes):
    ended = {task.name for task in suite.tasks if outcomes[task.name] is not None}
    assert ended == {task.name for task in suite.tasks}, "a fault must not hang or kill the tests"
    said = {task.name: set(task.failing) for task in suite.tasks}
    assert {task.name: split(task, outcomes[task.name]["red"])[0] for task in suite.tasks} == said


def test_hidden_tests_are_red_with_each_fault(suite, outcomes):
    green = [task.name for task in suite.tasks if not split(task, outcomes[task.name]["red"])[1]]
    assert green == []


def test_there_are_enough_faults_of_every_class():
    kinds = Counter(task.kind for task in ONEFAULT.tasks)
    assert len(ONEFAULT.tasks) >= 120
    assert len(hosts(ONEFAULT)) >= 25
    assert kinds.keys() >= ASKED
    assert max(kinds.values()) <= 0.1 * len(ONEFAULT.tasks), "no class decides the figures"


@pytest.fixture(scope="module")
def traps(tmp_path_factory) -> dict[str, dict[str, list[str]] | None]:
    """What ends, run once."""
    return run_all(TRAPS, [task for task in TRAPS.tasks if task.kind != "hangs"], tmp_path_factory.mktemp("traps"))


def test_traps_are_green_before_something_is_done_to_them(traps):
    assert {name: traps[name]["red"] for name in hosts(TRAPS)} == {name: [] for name in hosts(TRAPS)}


def test_traps_are_red_exactly_where_they_say(traps):
    steady = [task for task in TRAPS.tasks if task.kind not in ("flaky", "hangs")]
    said = {task.name: set(task.failing) for task in steady}
    assert {task.name: split(task, traps[task.name]["red"])[0] for task in steady} == said


def test_hidden_tests_of_a_trap_hold_the_code_where_only_tests_are_wrong(traps):
    """So a repair that bends the code to a wrong test is told from one that leaves it alone."""
    ended = [task for task in TRAPS.tasks if task.kind != "hangs"]
    product = {task.name for task in ended if any(why_protected(path) is None for path in task.expected_files)}
    assert {task.name for task in ended if split(task, traps[task.name]["red"])[1]} == product


def test_traps_are_of_every_kind_and_none_can_be_fixed():
    assert {task.kind for task in TRAPS.tasks} == TRAPS.operators.keys()
    assert len(TRAPS.tasks) >= 15
    assert all("fixed" not in task.outcome for task in TRAPS.tasks)


def test_starter_has_some_bugs_of_everyday():
    assert len(STARTER.tasks) >= 25
    assert {"discount/discount-drops-the-cents"} <= {task.name for task in STARTER.tasks}
    assert {"off-by-one", "comparison", "missing-return", "operator"} <= STARTER.operators.keys()


def test_packages_are_of_a_real_size():
    packages = suites.load("packages")
    assert len(packages.tasks) >= 30
    assert len(hosts(packages)) >= 5
    for name, task in hosts(packages).items():
        sources = {path: data for path, data in task.fixed().items() if path.endswith(".py") and "tests/" not in path}
        assert len(sources) >= 5, name
        assert 500 <= sum(data.count(b"\n") for data in sources.values()) <= 3000, name
        assert sum(path.endswith("conftest.py") for path in task.fixed()) >= 1, name


def test_house_is_of_a_real_size_and_asks_for_more_than_one_file():
    assert len(HOUSE.tasks) >= 60
    assert sum(len(task.expected_files) > 1 for task in HOUSE.tasks) >= 12
    assert len(hosts(HOUSE)) >= 8
    for name, task in hosts(HOUSE).items():
        sources = {path: data for path, data in task.fixed().items() if path.endswith(".py") and "tests/" not in path}
        assert len(sources) >= 5, name
        assert 300 <= sum(data.count(b"\n") for data in sources.values()) <= 3000, name


def test_every_class_of_fault_is_used(suite):
    assert {task.kind for task in suite.tasks} == suite.operators.keys()


def test_faults_are_small_and_lie_where_a_repair_may_be(suite):
    for task in suite.tasks:
        for path in task.expected_files:
            assert why_protected(path) is None
            before, after = (tree[path].decode().splitlines() for tree in (task.faulty(), task.fixed()))
            assert len(Counter(after) - Counter(before)) <= LINES[suite.name], task.name


def test_names_are_unique_and_hosts_are_complete(suite):
    names = [task.name for task in suite.tasks]
    assert len(set(names)) == len(names)
    folder = suites.FOLDER / suite.name
    assert {path.name for path in folder.iterdir() if path.is_dir()} == hosts(suite).keys()


def make_suite(folder: Path, **overrides: str | None) -> Path:
    fault = '[[faults]]\nid = "two"\noperator = "constant"\nfile = "a.py"\nold = "1"\nnew = "2"\nsays = "F."\nfailing = ["t"]\n'
    contents: dict[str, str | None] = {
        "suite.toml": 'title = "T"\n[operators]\nconstant = "C."\n',
        "host/repo/a.py": "A = 1\nB = 3\n",
        "host/hidden/test_b.py": "from a import A\n\n\ndef test_b():\n    assert A == 1\n",
        "host/faults.toml": fault,
        **overrides,
    }
    write(folder, {path: text for path, text in contents.items() if text is not None})
    return folder


def faults(**changes: object) -> str:
    values = {
        "id": "two", "operator": "constant", "file": "a.py", "old": "1", "new": "2", "says": "F.", "failing": ["t"],
    }  # fmt: skip
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in {**values, **changes}.items())
    return "[[faults]]\n" + "".join(lines)


def test_fault_becomes_a_task(tmp_path):
    suite = suites.read(make_suite(tmp_path / "one"))
    (task,) = suite.tasks
    assert (suite.name, suite.title, task.name, task.kind) == ("one", "T", "host/two", "constant")
    assert task.faulty() == {"a.py": b"A = 2\nB = 3\n"}
    assert task.fixed() == {"a.py": b"A = 1\nB = 3\n"}
    assert task.expected_files == ("a.py",)
    assert sorted(task.hidden()) == ["test_b.py"]


def test_fault_may_have_two_places(tmp_path):
    two = faults() + 'also = [{ file = "a.py", old = "3", new = "4" }]\n'
    (task,) = suites.read(make_suite(tmp_path / "one", **{"host/faults.toml": two})).tasks
    assert task.faulty() == {"a.py": b"A = 2\nB = 4\n"}
    assert task.fixed() == {"a.py": b"A = 1\nB = 3\n"}


def test_task_says_how_it_ought_to_end(tmp_path):
    said = {
        "usual": {},
        "one": {"outcome": "flaky", "failing": []},
        "two": {"outcome": ["test-looks-wrong", "gave-up"]},
    }
    text = "".join(faults(id=name, **changes) for name, changes in said.items())
    tasks = suites.read(make_suite(tmp_path / "one", **{"host/faults.toml": text})).tasks
    assert [task.outcome for task in tasks] == [("fixed",), ("flaky",), ("test-looks-wrong", "gave-up")]


def test_task_may_have_a_shorter_limit_of_time(tmp_path):
    text = faults() + faults(id="slow", timeout_s=20)
    two, slow = suites.read(make_suite(tmp_path / "one", **{"host/faults.toml": text})).tasks
    means = Means(None, {}, Limits(timeout_s=600), search_s=5)
    assert allowed(two, means) == means
    assert allowed(slow, means) == replace(means, limits=Limits(timeout_s=20))
    assert digest(two, means) != digest(replace(two, timeout_s=20), means)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"suite.toml": None}, "suite.toml cannot be read"),
        ({"host/faults.toml": faults(old="7")}, "the old text of two stands 0 times in a.py"),
        ({"host/faults.toml": faults(old=" ")}, "the old text of two stands 4 times in a.py"),
        ({"host/faults.toml": faults(file="b.py")}, "two changes b.py, which is not in repo/"),
        ({"host/faults.toml": faults() + faults()}, "two stands there twice"),
        ({"host/faults.toml": faults(operator="magic")}, "two is of the class 'magic'"),
        ({"host/faults.toml": faults(failing=[])}, "two can only be fixed where a test is red"),
        ({"host/faults.toml": faults(outcome=[])}, "faults.0.outcome"),
        ({"host/faults.toml": faults(outcome="guve-up")}, "faults.0.outcome.0: Input should be 'fixed', .*'gave-up'"),
        ({"host/faults.toml": faults(id="Two")}, "faults.0.id"),
        ({"host/faults.toml": faults(extra=1)}, "faults.0.extra: Extra inputs are not permitted"),
        ({"host/hidden/test_b.py": None}, "hidden/ is missing or empty"),
        ({"host/repo/test_b.py": ""}, "hidden/ would replace test_b.py"),
    ],
    ids=["no-toml", "no-text", "often", "no-file", "twice", "class", "green", "no-outcome", "outcome", "id", "key", "no-hidden", "collides"],
)  # fmt: skip
def test_suite_that_contradicts_itself_is_refused(tmp_path, overrides, message):
    with pytest.raises(Refused, match=f"is broken: .*{message}"):
        suites.read(make_suite(tmp_path / "one", **overrides))


def test_unknown_suite_is_refused_with_the_known_ones():
    with pytest.raises(Refused, match=r"no suite 'onefualt'.*onefault"):
        suites.load("onefualt")


def make_score(**changes: object) -> Score:
    one = Score("host/two", "d", "constant", "fixed", True, "off-by-one", 10, 1.5, 9.0, 2, 2, True)
    return replace(one, **changes)


def test_scores_survive_and_the_last_one_counts(tmp_path):
    book = Scorebook(tmp_path / "run" / "one.jsonl", Score)
    assert book.scores() == {}
    book.add(make_score(resolved=False))
    book.add(make_score(task="host/three", outside=("b.py",), said="Größe"))
    book.add(make_score())
    again = Scorebook(book.path, Score)
    assert again.scores() == {
        "host/two": make_score(), "host/three": make_score(task="host/three", outside=("b.py",), said="Größe"),
    }  # fmt: skip


def test_line_that_a_crash_cut_off_counts_as_none(tmp_path):
    book = Scorebook(tmp_path / "one.jsonl", Score)
    book.add(make_score())
    whole = book.path.read_bytes()
    book.path.write_bytes(whole + whole[:40])
    book.add(make_score(task="host/three"))
    assert list(book.scores()) == ["host/two", "host/three"]


def test_changed_task_or_changed_means_need_a_new_score():
    first, second = ONEFAULT.tasks[:2]
    means = Means(None, {"search": SearchEngine()}, Limits(), search_s=5)
    assert digest(first, means) == digest(first, means)
    assert digest(first, means) != digest(second, means)
    assert digest(first, means) != digest(replace(first, judges={"test_x.py": b""}), means)
    assert digest(first, means) != digest(first, replace(means, search_s=6))


def test_figures():
    scores = [
        make_score(task="h/one", search_s=1),
        make_score(task="h/two", search_s=2, kind="name", resolved=False),
        make_score(task="h/three", search_s=30, outcome="gave-up", resolved=False),
        make_score(task="h/four", search_s=3),
    ]
    all_of_them = tally(scores)
    assert (all_of_them.tasks, all_of_them.resolved, all_of_them.false_successes, all_of_them.abstained) == (
        4,
        2,
        1,
        1,
    )
    assert (all_of_them.median_s, all_of_them.p90_s, all_of_them.percent(1)) == (2.5, 30, 25)
    shown = table("one", [scores])
    assert list(shown.columns[0].cells) == ["name", "constant", "all"]
    assert list(shown.columns[2].cells) == ["0 (0.0 %)", "2 (66.7 %)", "2 (50.0 %)\n15 to 85 %"]
    assert tally([]).percent(0) == 0


@pytest.mark.docker
def test_hidden_tests_tell_a_false_success(docker_sandbox):
    """They run in a box, and only they are asked."""
    (task,) = (task for task in ONEFAULT.tasks if task.name == "units/last-box-is-full")
    right, by_heart = (
        Patch({"units.py": task.faulty()["units.py"].replace(b"math.floor(pieces / per_box)", new)})
        for new in (b"math.ceil(pieces / per_box)", b"math.floor(pieces / per_box) + (pieces == 11)")
    )
    recipe, _ = python.recipe(files({"units.py": ""}))
    image = docker_sandbox.prepare(recipe).id
    means = Means(docker_sandbox, {"search": SearchEngine()}, Limits(timeout_s=60), search_s=5)
    assert holds(task, right, image, means)
    assert not holds(task, by_heart, image, means)


@pytest.mark.docker
def test_engines_are_scored_without_the_gate_too(docker_engine, tmp_path: Path):
    options = ["--only", "units/conversion", "--no-gate", "--sample", "1"]
    argv = [sys.executable, "-m", "handlers.cli", "bench", "onefault", *options]
    done = subprocess.run([*argv, "--out", str(tmp_path)], capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stderr
    (score,) = Scorebook(tmp_path / "onefault.jsonl", Score).scores().values()
    assert (score.outcome, score.resolved) == ("fixed", True)
    assert score.digest.startswith("alone-"), "never taken for a score with the gate"
    assert score.tried > 0 and "LENGTHS[source]" in score.patch
