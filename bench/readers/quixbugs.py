"""QuixBugs: one program a file, with its tests and its corrected version.

    python_programs/NAME.py           the faulty program
    correct_python_programs/NAME.py   the known fix
    python_testcases/test_NAME.py     its tests; where they are missing, they are made from
    json_testcases/NAME.json          one [[arguments], result] a line

An engine gets program, tests and data, and never the folder of corrected programs. The hidden tests hold a repair
against the corrected program, on the given arguments and on arguments recombined from them; programs on graphs have
no such data, and are judged by their own tests once more.
"""

from __future__ import annotations

from pathlib import Path

from bench.readers.place import Place, folder, some, text
from bench.suites import Suite
from bench.tasks import BenchTask, check

_CLONE = "Give the folder that `git clone https://github.com/jkoppel/QuixBugs` makes with --from."

_CONFTEST = '''"""Stops a test that does not end, and says which program is meant."""

import signal

import pytest

pytest.use_correct = False
pytest.run_slow = False


def _too_long(signum, frame):
    raise TimeoutError("the test did not end")


@pytest.fixture(autouse=True)
def time_limit():
    signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, 5)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
'''

_FROM_DATA = '''"""The cases of json_testcases/{name}.json."""

import json
from pathlib import Path

import pytest

from python_programs.{name} import {name}

DATA = Path(__file__).parent.parent / "json_testcases" / "{name}.json"
CASES = [json.loads(line) for line in DATA.read_text().splitlines() if line.strip()]


@pytest.mark.parametrize(("arguments", "expected"), CASES)
def test_{name}(arguments, expected):
    result = {name}(*(arguments if isinstance(arguments, list) else [arguments]))
    assert (list(result) if hasattr(result, "__next__") else result) == expected
'''

_JUDGE = '''"""Judges a repair of {name} by what the corrected program says of given and recombined arguments."""

import copy
import importlib.util
import itertools
import json
import signal
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DATA = ROOT / "json_testcases/{name}.json"
CASES = [json.loads(line) for line in DATA.read_text().splitlines() if line.strip()]
GIVEN = [case[0] if isinstance(case[0], list) else [case[0]] for case in CASES]


def program(path):
    spec = importlib.util.spec_from_file_location("judged", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, "{name}")


def too_long(signum, frame):
    raise TimeoutError


def answer(function, arguments, longest_s):
    """The result; a generator as a list. Also what was done to the arguments counts."""
    mine = copy.deepcopy(arguments)
    signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, longest_s)
    try:
        result = function(*mine)
        return list(itertools.islice(result, 10000)) if hasattr(result, "__next__") else result
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def recombined():
    alike = [arguments for arguments in GIVEN if len(arguments) == len(GIVEN[0])]
    columns = [list(column)[:6] for column in zip(*alike)]
    return [list(values) for values in itertools.islice(itertools.product(*columns), 40)]


def questions():
    right = program(ROOT / "correct/{name}.py")
    for arguments in [*GIVEN, *recombined()]:
        try:
            yield pytest.param(arguments, answer(right, arguments, 1), id=str(len(str(arguments))))
        except (Exception, TimeoutError):
            continue  # outside of what the program is for


@pytest.mark.parametrize(("arguments", "expected"), questions())
def test_as_the_corrected_program(arguments, expected):
    found = answer(program(ROOT / "python_programs/{name}.py"), arguments, 5)
    assert found == pytest.approx(expected) if isinstance(expected, float) else found == expected
'''


def read(place: Place) -> Suite:
    """One task for each program that has a corrected version and tests. Refused for another layout."""
    programs = folder(place, "python_programs", corpus="QuixBugs", clone=_CLONE)
    correct = folder(place, "correct_python_programs", corpus="QuixBugs", clone=_CLONE)
    tasks, notes = [], []
    for path in sorted(programs.glob("*.py")):
        name = path.stem
        if not (correct / path.name).is_file() or name == "__init__" or not place.wanted(name):
            continue
        if not _tests(place.path, name).is_file() and not _data(place.path, name).is_file():
            notes.append(f"{name} is left out: it has neither python_testcases nor json_testcases")
            continue
        tasks.append(_task(place.path, name))
    some(tasks, place, "QuixBugs")
    return Suite("quixbugs", "QuixBugs: faults of one line in classic algorithms", {}, tuple(tasks), tuple(notes))


def _task(root: Path, name: str) -> BenchTask:
    program, data = f"python_programs/{name}.py", _data(root, name)
    test = f"python_testcases/test_{name}.py"
    source = text(_tests(root, name)) if _tests(root, name).is_file() else _FROM_DATA.format(name=name)
    files = {program: text(root / program), test: source, **_helpers(root)}
    judge = {f"python_testcases/test_{name}_again.py": source}
    if data.is_file():
        files[f"json_testcases/{name}.json"] = text(data)
        judge = {
            f"python_testcases/test_{name}_judged.py": _JUDGE.replace("{name}", name),
            f"correct/{name}.py": text(root / "correct_python_programs" / f"{name}.py"),
        }
    task = BenchTask(
        name=name,
        title=name.replace("_", " "),
        kind="one line",
        fault="One line of the program is wrong.",
        failing=(test,),
        repository={path: content.encode() for path, content in files.items()},
        fix={program: text(root / "correct_python_programs" / f"{name}.py").encode()},
        judges={path: content.encode() for path, content in judge.items()},
    )
    check(task, root)
    return task


def _helpers(root: Path) -> dict[str, str]:
    """What tests and programs share, and a time limit for each test; a conftest.py puts the root on sys.path."""
    found = {"conftest.py": _CONFTEST}
    for folder_name in ("python_testcases", "python_programs"):
        for path in sorted((root / folder_name).glob("*.py")):
            is_helper = (
                not path.name.startswith("test_") and not (root / "correct_python_programs" / path.name).is_file()
            )
            if path.name in ("node.py", "__init__.py") or (folder_name == "python_testcases" and is_helper):
                found[f"{folder_name}/{path.name}"] = text(path)
    return found


def _tests(root: Path, name: str) -> Path:
    return root / "python_testcases" / f"test_{name}.py"


def _data(root: Path, name: str) -> Path:
    return root / "json_testcases" / f"{name}.json"
