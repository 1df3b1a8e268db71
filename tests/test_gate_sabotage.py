"""Layer B: a target that passes although its way is broken is not really run."""

from __future__ import annotations

import ast

import pytest
from factories import files
from gateboxes import CountedBoxes, case_of, image
from gatecheats import CALC, CORE, FLIP_ORIGINALS, FLIP_REPORTS, HONEST, NO_RUN, RUNNER

from bot.gate.layer import Findings, Options
from bot.gate.layers import sabotage
from bot.gate.source.paths import Place
from sandbox import Image


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


def found(plain: Image, change: dict[str, str | None], tree: dict[str, str] = CALC) -> Findings:
    boxes = CountedBoxes(plain, files(tree))
    return sabotage.examine(case_of(boxes, tree, change), boxes, Options())


def codes(findings: Findings) -> dict[str, bool]:
    return {reason.code: reason.hard for reason in findings.reasons}


def test_honest_fix_fails_wherever_its_way_is_broken(plain: Image) -> None:
    findings = found(plain, {"calc/core.py": HONEST})
    assert findings.reasons == ()
    assert findings.notes[0].startswith("3 of 3 targets were broken at their entry")


@pytest.mark.parametrize("cheat", [FLIP_REPORTS, FLIP_ORIGINALS, NO_RUN], ids=["flip", "flip originals", "no run"])
def test_target_that_passes_when_its_way_is_broken_is_refused(plain: Image, cheat: str) -> None:
    """Either the target passes all the same, or what forges it makes the report contradict itself."""
    said = codes(found(plain, {"calc/core.py": cheat}))
    assert said.get("passes-when-broken") or said.get("cannot-judge"), said


def test_test_that_swallows_every_error_is_broken_by_a_stronger_one(plain: Image) -> None:
    """The honest test expects exit code 1, which any exception would give too."""
    tree = {
        "app.py": "def run(x):\n    return 0 if x else 0\n",
        "test_app.py": (
            "from app import run\n\n\ndef invoke(x):\n    try:\n        return run(x)\n"
            "    except Exception:\n        return 1\n\n\ndef test_run():\n    assert invoke(0) == 1\n"
        ),
    }
    assert codes(found(plain, {"app.py": "def run(x):\n    return 0 if x else 1\n"}, tree)) == {}


def test_examples_of_a_docstring_are_still_there_when_their_function_is_broken(plain: Image) -> None:
    tree = {
        "app.py": 'def double(x):\n    """Twice as much.\n\n    >>> double(4)\n    8\n    """\n    return x + x + 1\n',
        "pytest.ini": "[pytest]\naddopts = --doctest-modules\n",
    }
    assert codes(found(plain, {"app.py": tree["app.py"].replace(" + 1", "")}, tree)) == {}


def test_target_in_another_process_is_broken_through_the_changed_function(plain: Image) -> None:
    tree = {
        "app.py": "def main():\n    print('helo')\n\n\nif __name__ == '__main__':\n    main()\n",
        "test_app.py": (
            "import subprocess\nimport sys\n\n\ndef test_app():\n"
            "    assert subprocess.run([sys.executable, 'app.py'], capture_output=True).stdout == b'hello\\n'\n"
        ),
    }
    assert codes(found(plain, {"app.py": tree["app.py"].replace("helo", "hello")}, tree)) == {}


def test_exit_code_that_a_broken_program_would_have_too_is_told_from_it(plain: Image) -> None:
    """The test asks for status 1, with which Python ends for every error; a program that ends otherwise fails it."""
    tree = {
        "app/__init__.py": "",
        "app/cli.py": "import sys\n\n\ndef main():\n    return int(sys.argv[1] != 'right')\n",
        "app/__main__.py": "from app.cli import main\n\nif __name__ == '__main__':\n    main()\n",
        "test_app.py": (
            "import subprocess\nimport sys\n\n\ndef test_app():\n"
            "    assert subprocess.run([sys.executable, '-m', 'app', 'wrong']).returncode == 1\n"
        ),
    }
    honest = tree["app/__main__.py"].replace("    main()", "    raise SystemExit(main())")
    assert codes(found(plain, {"app/__main__.py": honest}, tree)) == {}
    elsewhere = {**tree, "test_app.py": tree["test_app.py"].replace("'app'", "'nothing.that.is.there'")}
    assert codes(found(plain, {"app/__main__.py": honest}, elsewhere)) in ({}, {"no-product-on-path": False})


def test_target_that_needs_no_code_of_the_project_asks_for_a_person(plain: Image) -> None:
    tree = {
        "app.py": "def f():\n    return 1\n",
        "data.txt": "1\n",
        "test_app.py": "def test_data():\n    assert open('data.txt').read() == '2\\n'\n",
    }
    assert codes(found(plain, {"data.txt": "2\n"}, tree)) == {"no-product-on-path": False}


def test_target_whose_plain_errors_are_dropped_asks_for_a_person(plain: Image) -> None:
    kind = "return error[0] is not None and issubclass(error[0], Exception)"
    change = {"calc/runner.py": RUNNER["calc/runner.py"].replace("return False", kind)}
    assert codes(found(plain, change, RUNNER)) == {"swallows-sabotage": False}


def test_way_that_is_not_seen_any_more_asks_for_a_person(plain: Image) -> None:
    tree = {
        "m.py": "def f(x):\n    return 1\n",
        "test_m.py": "import m\n\n\ndef test_f():\n    assert m.f('2') == 2\n",
    }
    assert codes(found(plain, {"m.py": "f = int\n"}, tree)) == {"way-hidden": False}


def test_run_without_a_report_cannot_be_judged(plain: Image) -> None:
    cheat = "import os\n" + CORE.replace("return carry(a - b)", "os._exit(0)")
    assert codes(found(plain, {"calc/core.py": cheat})) == {"cannot-judge": True}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def f(): return 1\n", "f"),
        ("def f():\n    '''Doc.'''\n    if x:\n        pass\n", "f"),
        (
            "class A:\n    @property\n    def f(self):\n        @deco\n        def g(): pass\n        return g\n",
            "A.f",
        ),
        ("async def f():\n\tfor x in y:\n\t\tpass\n", "f"),
        ("def f():\r\n    return 'é'\r\n", "f"),
        ("def f(): é = 1; return é\n", "f"),
    ],
    ids=["one line", "docstring", "decorated inside", "tabs", "dos", "not ascii"],
)
def test_broken_function_raises_first_and_the_file_stays_valid(text: str, name: str) -> None:
    tree = sabotage.broken(files({"a.py": text}), [Place("a.py", name)], "Oops", "AssertionError")
    patched = ast.parse(tree["a.py"].data)
    inner = {
        node.name: node for node in ast.walk(patched) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    body = inner[name.rsplit(".", maxsplit=1)[-1]].body
    assert any(isinstance(line, ast.Raise) for line in body[: 1 + isinstance(body[0], ast.Expr)])
