"""The fast path against the slow one, which is always right: on a sample of candidates both must say the same."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from searchbox import ROOT, FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of

from bot.engines.search.inside.hints import Hints
from bot.engines.search.inside.live import restore
from bot.engines.search.inside.places import Survey
from bot.engines.search.inside.state import State
from bot.engines.search.inside.table import Table
from bot.engines.search.inside.trace import Paths
from bot.engines.search.pack import command_for
from sandbox import File, Limits

SAMPLE = 30

HARD = {
    "cells, defaults, decorators and generators": {
        "shapes.py": """
            import functools

            UNIT = 2
            SIZES = {"s": 1, "m": UNIT}


            def scaled(by):
                def decorate(function):
                    @functools.wraps(function)
                    def wrapper(*args, extra=0):
                        return function(*args) * by + extra

                    return wrapper

                return decorate


            class Shape:
                count = 0
                kinds = []

                def __init__(self, size="m"):
                    Shape.count += 1
                    self.kinds.append(size)
                    self.size = SIZES[size]

                @property
                def area(self):
                    return self.size + self.size

                @scaled(3)
                def volume(self):
                    return self.area

                def sides(self):
                    for side in range(self.size):
                        yield side - 1

                @classmethod
                def made(cls):
                    return cls.count, len(cls.kinds)


            @functools.lru_cache(maxsize=None)
            def cached(n):
                return n if n < 2 else cached(n - 1) + cached(n - 3)
        """,
        "tests/test_shapes.py": """
            import pytest

            from shapes import Shape, cached


            @pytest.mark.parametrize("size, wanted", [("s", 12), ("m", 24)])
            def test_shape(size, wanted):
                shape = Shape(size)
                assert shape.volume() == wanted
                assert list(shape.sides()) == list(range(wanted))
                assert Shape.made() == (1, 1)


            def test_cached():
                assert cached(9) == 1234


            def test_kind():
                assert Shape().size == 2
        """,
    },
    "fixtures of every scope in conftests of several folders": {
        "store/__init__.py": "",
        "store/log.py": """
            ENTRIES = []
            TOTALS = {"all": 0}


            def add(entry, weight=1):
                ENTRIES.append(entry)
                TOTALS["all"] += weight
                TOTALS[entry] = TOTALS.get(entry, 0) - weight
                return TOTALS[entry]


            def clear():
                ENTRIES.clear()
        """,
        "tests/conftest.py": """
            import pytest

            from store import log


            @pytest.fixture(scope="session")
            def names():
                return ["a", "b"]


            @pytest.fixture(autouse=True)
            def clean():
                yield
                log.clear()
        """,
        "tests/deep/conftest.py": """
            import pytest


            @pytest.fixture(scope="module")
            def first(names):
                return names[0]


            @pytest.fixture(scope="class")
            def weight():
                return 2
        """,
        "tests/deep/test_log.py": """
            import pytest

            from store import log


            class TestLog:
                @pytest.mark.parametrize("times", [1, 2])
                def test_add(self, first, weight, times, tmp_path):
                    for _ in range(times):
                        got = log.add(first, weight)
                    assert got == weight * times
                    assert log.TOTALS["all"] == 77

                def test_entries(self, first):
                    log.add(first)
                    assert log.ENTRIES == ["a"]
        """,
    },
}


@pytest.mark.parametrize("texts", HARD.values(), ids=HARD)
def test_fast_path_says_what_the_slow_path_says(texts: dict[str, str], tmp_path: Path):
    tree = tree_of(texts)
    failure = failure_of(run_suite(FolderSession(tmp_path / "before"), tree, launch_of(tree)))
    assert failure.targets
    session = FolderSession(tmp_path / "search")
    command = command_for(failure, workbench_of(tree, session, budget_s=90), cores=2)
    job = json.loads(command.tools["search/job.json"].data)
    command.tools["search/job.json"] = File(json.dumps({**job, "sample": SAMPLE}).encode())
    ran = session.run(command, Limits(timeout_s=120))
    result = next(m for m in map(json.loads, ran.report.splitlines()) if m["kind"] == "result")
    assert result["compared"] == {"candidates": SAMPLE, "disagreed": []}, session.output.decode()[-2000:]


WAYS_SCRIPT = """
import sys
import pytest
from bot.engines.search.inside.runner import WAYS


class Plugin:
    def pytest_runtestloop(self, session):
        for item in session.items:
            for name, way in WAYS.items():
                print("said", item.name, name, [way(item) for _ in range(3)])
        return True


pytest.main(["-p", "no:cacheprovider", "--capture=no", sys.argv[1]], plugins=[Plugin()])
"""
FIXTURES = """
import pytest


@pytest.fixture(params=["one"])
def named(request, tmp_path):
    return tmp_path / request.param


def test_folder(named, tmp_path_factory):
    named.write_text("x")


def test_patched(monkeypatch, recwarn, record_property):
    monkeypatch.setenv("NAME", "x")
"""


@pytest.mark.parametrize("test", ["test_folder[one]", "test_patched"])
@pytest.mark.parametrize("way", ["direct", "hooked"])
def test_green_test_with_fixtures_of_pytest_stays_green_the_cheap_way(test: str, way: str, tmp_path: Path):
    (tmp_path / "test_fixtures.py").write_text(FIXTURES)
    command = [sys.executable, "-c", WAYS_SCRIPT, str(tmp_path / "test_fixtures.py")]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False).stdout
    assert f"said {test} {way} [None, None, None]" in said.splitlines(), said


RATES = """
import re

WORD = re.compile("[a-z]")
KEPT = {"one": 1, "two": 3}
UNIT = 2
SIZES = {"s": UNIT}


class Shape:
    sides = 3
"""


@pytest.fixture
def rates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A module with tables, one that imports them, the first one's statements by name, and the state of both."""
    (tmp_path / "rates_here.py").write_text(RATES)
    (tmp_path / "shop_here.py").write_text("from rates_here import KEPT\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    modules = [importlib.import_module(name) for name in ("rates_here", "shop_here")]
    survey = Survey({"rates_here.py": RATES.encode()}, Hints([], {}, {}, {}))
    source = survey.source("rates_here.py")
    assert source is not None
    tables = {site.unit.name: site.unit for site in survey.sites(source) if isinstance(site.unit, Table)}
    yield modules, tables, State(Paths(str(tmp_path), {"rates_here.py", "shop_here.py"}))
    for module in modules:
        del sys.modules[module.__name__]


@pytest.mark.parametrize(
    ("name", "old", "new"), [("KEPT", "3", "2"), ("WORD", '"[a-z]"', '"[a-z]+"'), ("sides", "3", "4")]
)
def test_what_is_worked_out_at_import_is_exchanged_wherever_it_is_known_and_put_back(rates, name, old, new):
    (module, shop), tables, state = rates
    start = RATES.index(old, RATES.index(name))
    edits = ((start, start + len(old), new),)
    owner = module.Shape if name == "sides" else module
    before = getattr(owner, name)
    undo = state.rebound(tables[name], tables[name].compiled(edits))
    state.restore()
    told = {"KEPT": "{'one': 1, 'two': 2}", "WORD": "re.compile('[a-z]+')", "sides": "4"}
    assert repr(getattr(owner, name)) == told[name]
    assert shop.KEPT is module.KEPT
    restore(undo)
    state.restore()
    assert getattr(owner, name) is before and shop.KEPT is module.KEPT


def test_table_of_which_the_file_makes_something_else_at_import_is_left_to_the_slow_path(rates):
    _modules, tables, _state = rates
    assert sorted(tables) == ["KEPT", "SIZES", "WORD", "sides"]
