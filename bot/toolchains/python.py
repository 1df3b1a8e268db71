"""Python: how a project is recognised, installed into an image, tested with pytest, and how the report reads."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from bot.engines.contract import Launch
from bot.errors import Refused
from bot.nouns import Frame, Result, TestCase, TestRun
from bot.toolchains import requirements
from sandbox import TOOLS, Command, File, Files, Ran, Recipe, Step

PYTHON = "/opt/venv/bin/python"
_UV = "/opt/regreen/tools/bin/uv"
_INSIDE = Path(__file__).parent / "inside"
_TOOLS = ("launch.py", "report.py", "trace.py", "integrity.py")

_MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "tox.ini", "pytest.ini")
# A build backend looks at these to make the project's metadata; the sources stay out, so that an image
# serves every commit with the same manifests.
_BUILD_FILES = re.compile(
    r"^(pyproject\.toml|setup\.(py|cfg)|MANIFEST\.in|(README|LICEN[CS]E|COPYING|AUTHORS|CHANGE\w*|VERSION)[^/]*"
    r"|(src/)?([^/]+/){1,2}(__init__|__about__|__version__|_version|version|about)\.py"
    r"|[^/]*requirements[^/]*\.(txt|in)|requirements/[^/]+\.(txt|in))$"
)

MAX_TESTS = 200_000
_RESULTS = frozenset(get_args(Result))


def recognises(tree: Files) -> bool:
    """True when this looks like a Python project."""
    return any(name in tree for name in _MANIFESTS) or any(path.endswith(".py") for path in tree)


def recipe(tree: Files, *, base: str | None = None) -> tuple[Recipe, tuple[str, ...]]:
    """The dependency image of this tree, and notes on what was left out of it."""
    needs = requirements.read(tree)
    lines = [*needs.lines, *([] if any(_is_pytest(line) for line in needs.lines) else ["pytest"])]
    files: dict[str, File] = {path: file for path, file in tree.items() if _BUILD_FILES.match(path) and not file.link}
    files[".regreen-requirements.txt"] = File("".join(f"{line}\n" for line in lines).encode())
    install = (_UV, "pip", "install", "--python", PYTHON)
    steps = [
        Step("make the virtual environment", (_UV, "venv", "--quiet", "--allow-existing", "/opt/venv")),
        Step("install the requirements", (*install, "-r", ".regreen-requirements.txt")),
    ]
    if _is_package(tree):
        # Only the metadata matters (entry points, versions): the code itself is imported from the tree.
        pretend = ("env", "SETUPTOOLS_SCM_PRETEND_VERSION=0", "PBR_VERSION=0")
        dependencies = ("--no-deps",) if _is_static(tree) else ()
        steps.append(
            Step(
                "install the project itself",
                (*pretend, *install, *dependencies, "--editable", "."),
                optional=True,
            )
        )
    return Recipe(files, tuple(steps), base or None), tuple(needs.notes)


def _is_pytest(requirement: str) -> bool:
    return re.match(r"^pytest\s*(\[|[<>=!~;,(]|$)", requirement) is not None


def _is_package(tree: Files) -> bool:
    pyproject = requirements.toml(tree, "pyproject.toml")
    return "setup.py" in tree or "project" in pyproject or "build-system" in pyproject


def _is_static(tree: Files) -> bool:
    """True when the dependencies can be read without running the project's build."""
    project = requirements.toml(tree, "pyproject.toml").get("project")
    if isinstance(project, dict):
        return "dependencies" not in project.get("dynamic", [])
    return "setup.py" not in tree


def pytest_args(check: str | None) -> tuple[str, ...]:
    """The arguments of a pytest command line; None means plain `pytest`. Refused for any other program."""
    if check is None:
        return ()
    try:
        words = shlex.split(check)
    except ValueError as error:
        raise Refused(f"The check command cannot be read: {error}.", "Check its quotes.") from error
    match words:
        case ["pytest" | "py.test", *rest]:
            return tuple(rest)
        case ["python" | "python3", "-m", "pytest", *rest]:
            return tuple(rest)
    raise Refused(
        f"The check command {check!r} does not start pytest.",
        "Give a command that begins with `pytest` or `python -m pytest`.",
    )


def launch(tree: Files, args: Sequence[str] = ()) -> Launch:
    """How code of this project is started in the box."""
    tools = {name: File((_INSIDE / name).read_bytes()) for name in _TOOLS}
    paths = tuple(folder for folder in ("src", "lib") if any(path.startswith(folder + "/") for path in tree))
    return Launch(PYTHON, tools, {"CI": "true"}, paths, tuple(args))


def suite(
    tree: Files, launch: Launch, *, only: Sequence[str] | None = None, trace: bool = False, observe: bool = False
) -> Command:
    """The command that runs the suite, or only the tests named, and reports on it.

    `trace`: and on the calls of each test. `observe`: and on the files of the tree that are opened.
    """
    job = {
        "args": list(launch.pytest_args),
        "paths": list(launch.paths),
        "only": None if only is None else list(only),
        "trace": trace,
        "observe": observe,
    }
    tools = {**launch.tools, "job.json": File(json.dumps(job).encode())}
    return Command((launch.python, "-I", "-B", f"{TOOLS}/launch.py"), tree, tools, launch.env)


def program(tree: Files, launch: Launch, tools: Files, argv: Sequence[str], job: bytes) -> Command:
    """The command that runs a program of ours that is not pytest; `argv[0]` is a file of `tools`."""
    name, *rest = argv
    laid_out = {**tools, "job.json": File(job)}
    return Command((launch.python, "-I", "-B", f"{TOOLS}/{name}", *rest), tree, laid_out)


def calls(ran: Ran) -> dict[str, list[tuple[str, str, int, str]]] | None:
    """Of a run with `trace`: for each test (file, function, first line, calling file); None without a report."""
    if parse(ran) is None or ran.report is None:
        return None
    try:
        called = json.loads(ran.report)["called"]
        return {
            _text(test): [(_text(path), _text(name), _integer(line), _text(by)) for path, name, line, by in seen]
            for test, seen in called.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def parse(ran: Ran) -> TestRun | None:
    """The report of a run, or None when there is no complete and consistent one: never a pass by default."""
    if ran.report is None or ran.code not in (0, 1):
        return None
    run = read(ran.report)
    return run if run is not None and (run.exit_code == 0) == (ran.code == 0) else None


def read(report: bytes) -> TestRun | None:
    """The bytes of a report; None when they are not a complete and consistent one."""
    try:
        return _run(json.loads(report))
    except (ValueError, RecursionError, KeyError, TypeError):
        return None


def _run(record: dict[str, Any]) -> TestRun:
    """Raises ValueError, KeyError or TypeError for anything odd."""
    tests = record["tests"]
    if record["schema"] != 1 or record["finished"] is not True or len(tests) > MAX_TESTS:
        raise ValueError("not a finished report")
    cases = tuple(_case(test) for test in tests)
    ids = {case.id for case in cases}
    if len(ids) != len(cases) or not set(record["collected"]) <= ids | {""}:
        # A test that was collected but has no result: the run ended early.
        raise ValueError("duplicate or missing results")
    doctests = frozenset(_text(test) for test in record["doctests"])
    installed = frozenset(_text(name) for name in record["installed"])
    # A warm box leaves these out: it has no say in a verdict.
    names = {key: frozenset(_text(name) for name in record.get(key, ())) for key in ("drift", "plugins", "written")}
    options = tuple(sorted((_text(name), _text(value)) for name, value in record.get("options", {}).items()))
    opened = frozenset((_text(path), _text(by)) for path, by in record.get("opened", ()))
    seconds = float(record["seconds"])
    return TestRun(
        cases,
        _integer(record["exit"]),
        seconds,
        doctests,
        installed,
        options=options,
        opened=opened,
        python=_text(record.get("python", "")),
        **names,
    )


def _case(test: dict[str, Any]) -> TestCase:
    if test["result"] not in _RESULTS:
        raise ValueError("unknown result")
    frames = tuple(Frame(_text(path), _integer(line), _text(name)) for path, line, name in test["frames"])
    return TestCase(
        _text(test["id"]), test["result"], float(test["seconds"]), _text(test["message"]),
        _text(test["exception"]), frames,
    )  # fmt: skip


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > 20_000:
        raise TypeError("text expected")
    return value.encode("utf-8", "backslashreplace").decode()


def _integer(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("integer expected")
    return value
