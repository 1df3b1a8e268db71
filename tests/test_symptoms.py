"""Why tests are red, in words: what a person reads where no fix came of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from factories import files, make_checkout, make_evidence, patch
from test_pipeline import Proposes

from bot import pipeline, symptoms, wording
from bot.checkout import Checkout
from bot.nouns import Frame, Outcome, TestCase, TestChange
from bot.toolchains import undeclared
from bot.work import Means, Task
from handlers.show import Screen
from sandbox import Limits
from sandbox.bubblewrap import BubblewrapSandbox

CLIENT = "import requests\n\n\ndef area(url):\n    return requests.get(url).json()\n"


def case(message: str, *, test: str = "test_client.py", path: str = "client.py") -> TestCase:
    return TestCase(
        test, "error", 0.1, message, message.partition(":")[0], (Frame(test, 1, "<module>"), Frame(path, 1, ""))
    )


def missing(name: str, path: str = "client.py") -> TestCase:
    return case(f"ModuleNotFoundError: No module named '{name}'", path=path)


def test_module_that_nothing_provides_is_named_with_its_file_and_the_remedy() -> None:
    found = undeclared.module(missing("requests"), files({"client.py": CLIENT}), {"pytest"})
    assert found is not None
    told = found.told(files({"client.py": CLIENT}))
    assert told == (
        "`requests` is imported by client.py, and no requirements of the project name it. Add it to requirements.txt; "
        "if it is a module of the project's own, add its file."
    )
    declared = files({"client.py": CLIENT, "pyproject.toml": "[project]\nname = 'x'\ndependencies = []\n"})
    assert "Add it to `dependencies` in pyproject.toml" in found.told(declared)
    assert "the package PyYAML" in undeclared.Undeclared("yaml", "a.py").told({})


@pytest.mark.parametrize(
    ("name", "more", "installed"),
    [
        ("requests", {"requests/__init__.py": ""}, set()),
        ("requests", {"lib/requests.py": ""}, set()),
        ("jsno", {}, set()),
        ("reqeusts", {}, {"requests"}),
        ("maths", {}, set()),
        ("helpers", {"src/helper.py": ""}, set()),
        ("StringIO", {}, set()),
        ("prices_pb2", {}, set()),
        ("catalogue", {"client.py": "import catalogue\n\nX = catalogue.total\n", "shop.py": "total = 1\n"}, set()),
        ("catalogue", {"client.py": "from catalogue import total\n", "shop.py": "def total(): ...\n"}, set()),
        ("shop.prices", {}, set()),
        ("other", {"client.py": "import requests\n"}, set()),
    ],
    ids=[
        "a folder of the project", "a file of the project", "standard library misspelt", "package misspelt",
        "a letter too many", "own module misspelt", "a name of Python 2",
        "made by a build", "a module of another name has it", "a module of another name defines it", "inside of a package", "not imported by name",
    ],
)  # fmt: skip
def test_module_that_is_there_or_meant_otherwise_is_no_missing_requirement(
    name: str, more: dict[str, str], installed: set[str]
) -> None:
    tree = files({"client.py": f"import {name}\n", **more})
    assert undeclared.module(missing(name), tree, installed) is None


def test_module_that_the_project_had_a_commit_ago_is_its_own() -> None:
    tree = files({"client.py": CLIENT})
    assert undeclared.module(missing("requests"), tree, (), before=["requests.py"]) is None
    assert undeclared.module(missing("requests"), tree, (), before=["client.py"]) is not None


@pytest.mark.parametrize(
    ("red", "sentence"),
    [
        (
            case("SyntaxError: invalid syntax (test_geometry.py, line 8)", test="tests/test_geometry.py"),
            "tests/test_geometry.py:8 cannot be read: SyntaxError: invalid syntax, and tests are the specification: "
            "Regreen does not touch them.",
        ),
        (
            case("AttributeError: module 'textkit' has no attribute 'to_roman'"),
            "`textkit.to_roman` does not exist.",
        ),
        (
            case("ImportError: cannot import name 'to_roman' from 'textkit' (/w/textkit.py)"),
            "`textkit.to_roman` does not exist.",
        ),
        (case("AttributeError: 'Cart' object has no attribute 'total'"), "`Cart.total` does not exist."),
        (case("AttributeError: 'NoneType' object has no attribute 'total'"), ""),
        (case("SyntaxError: invalid syntax (client.py, line 8)"), ""),
        (case("AssertionError: assert 1 == 2"), ""),
    ],
    ids=["test with a mistake", "attribute", "name", "method", "none", "code with a mistake", "assertion"],
)
def test_what_stands_behind_an_error_is_told(red: TestCase, sentence: str) -> None:
    assert symptoms.unreadable([red]) is ("cannot be read" in sentence)
    assert symptoms.sentences([red, red], {}) == ((sentence,) if sentence else ())


def test_error_is_one_short_line() -> None:
    assert symptoms.error(case("AssertionError: assert 9 == 31\n +  where 9 = area(3, 3)")) == (
        "AssertionError: assert 9 == 31"
    )
    assert len(symptoms.error(case("ValueError: " + "x" * 5000))) == 200
    assert symptoms.error(TestCase("t", "failed", exception="KeyError")) == "KeyError"


def test_red_tests_stand_in_text_and_on_github(capsys: pytest.CaptureFixture[str]) -> None:
    rows = tuple(TestChange(f"t.py::test_{n}", "failed", "", f"E: @org/all |{n}") for n in range(7))
    evidence = make_evidence(outcome="gave-up", tests=rows, patch="", verdict="", engine="", message="No fix.")
    for text in (wording.check_summary(evidence), wording.comment(evidence, marker="")):
        assert "| `t.py::test_4` | `E: @org/all" in text
        assert "test_5" not in text
        assert "… and 2 more" in text
    Screen(json=False).evidence(evidence)
    said = capsys.readouterr().out
    assert "failed t.py::test_0: E: @org/all |0" in said
    assert "… and 2 more" in said


GEOMETRY = "def area(w, h):\n    return w * h\n"
TESTS = "from geometry import area\n\n\ndef test_area():\n    assert area(5, 6) == 31\n"


def repaired(sandbox: BubblewrapSandbox, tmp_path: Path, contents: dict[str, str]) -> pipeline.Repair:
    commit = Checkout(make_checkout(tmp_path / "repo", contents)).head(tmp_path / "git")
    engine = Proposes(patch({"geometry.py": GEOMETRY + "# other\n"}))
    means = Means(sandbox, {"proposes": engine}, Limits(timeout_s=120), search_s=5)
    return pipeline.repair(Task("t", "ada/shop", commit), means)


def test_code_that_imports_what_nothing_provides_is_not_repaired_but_told(
    bubblewrap_sandbox: BubblewrapSandbox, tmp_path: Path
) -> None:
    contents = {"geometry.py": "import requests\n\n" + GEOMETRY, "test_geometry.py": TESTS}
    repair = repaired(bubblewrap_sandbox, tmp_path, contents)
    assert repair.outcome is Outcome.CANNOT_SET_UP
    assert "`requests` is imported by geometry.py" in repair.evidence.message
    assert repair.evidence.attempts == 0
    assert [(row.id, row.error) for row in repair.evidence.tests] == [
        ("test_geometry.py", "ModuleNotFoundError: No module named 'requests'")
    ]


def test_repair_that_did_not_come_about_names_what_is_red(
    bubblewrap_sandbox: BubblewrapSandbox, tmp_path: Path
) -> None:
    more = {"test_dep.py": "import freezegun\n", "test_bad.py": "def test_x(: pass\n"}
    repair = repaired(bubblewrap_sandbox, tmp_path, {"geometry.py": GEOMETRY, "test_geometry.py": TESTS, **more})
    assert repair.outcome is Outcome.GAVE_UP
    assert {row.id: row.error.split(" (")[0] for row in repair.evidence.tests} == {
        "test_geometry.py::test_area": "AssertionError: assert 30 == 31",
        "test_dep.py": "ModuleNotFoundError: No module named 'freezegun'",
        "test_bad.py": "SyntaxError: invalid syntax",
    }
    for part in ("`freezegun` is imported by test_dep.py", "test_bad.py:1 cannot be read"):
        assert part in repair.evidence.message
