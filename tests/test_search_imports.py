"""Suites that cannot be collected because of an import or a name at module level: the first proposal mends that."""

from __future__ import annotations

import pytest
from searchbox import FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of
from test_search_operators import offers

from bot.engines.search.engine import SearchEngine

TEST = """from pkg.b import total


def test_some():
    assert total([1, 2]) == 3


def test_none():
    assert total([]) == 0
"""
A = "def add(x, y):\n    return x + y\n\n\nZERO = 0\n"
B = """from pkg.a import ZERO, add


def total(items):
    result = ZERO
    for item in items:
        result = add(result, item)
    return result
"""
ALL = '__all__ = ["add", "ZERO"]\n\n\n' + A
USES = "def add(x, y):\n    return x + y\n\n\n"
CIRCLE = "from pkg.b import total\n\nZERO = 0\n\n\n" + USES + "def twice(items):\n    return total(items) * 2\n"

FAULTS = {
    "misspelt name": ({"pkg/b.py": B.replace("ZERO, add", "ZERO, ad")}, "pkg/b.py", "import ZERO, add\n"),
    "misspelt module": ({"pkg/b.py": B.replace("pkg.a", "pkg.aa")}, "pkg/b.py", "from pkg.a import"),
    "too many dots": ({"pkg/b.py": B.replace("pkg.a", "..a")}, "pkg/b.py", "from .a import"),
    "moved in the standard library": (
        {"pkg/a.py": "from collections import Mapping\n\nKIND = Mapping\n\n\n" + A},
        "pkg/a.py",
        "from collections.abc import Mapping\n",
    ),
    "module of the standard library misspelt": (
        {"pkg/a.py": "import maths\n\nTWO = maths.sqrt(4)\n\n\n" + A},
        "pkg/a.py",
        "import math\n\nTWO = math.sqrt(4)\n",
    ),
    "defined below its use": (
        {"pkg/a.py": "ZERO = first() - 1\n\n\ndef first():\n    return 1\n\n\n" + USES},
        "pkg/a.py",
        "def first():\n    return 1\n\n\nZERO = first() - 1\n",
    ),
    "name in a function that runs while importing": (
        {"pkg/a.py": "def first():\n    return onne - 1\n\n\none = 1\nZERO = first()\n\n\n" + USES},
        "pkg/a.py",
        "return one - 1",
    ),
    "circle": ({"pkg/a.py": CIRCLE}, "pkg/a.py", "def twice(items):\n    from pkg.b import total\n"),
    "exports a name that is not there": (
        {"pkg/a.py": ALL.replace('"add"', '"ad"'), "pkg/b.py": B.replace("import ZERO, add", "import *")},
        "pkg/a.py",
        '["add", "ZERO"]',
    ),
    "name in an annotation": (
        {"pkg/a.py": A.replace("x, y", "x: Optional[int], y: int")},
        "pkg/a.py",
        "from typing import Optional\n",
    ),
    "keyword of a decorator": (
        {"pkg/a.py": "from dataclasses import dataclass\n\n\n@dataclass(froze=True)\nclass T:\n    x: int\n\n\n" + A},
        "pkg/a.py",
        "@dataclass(frozen=True)",
    ),
    "name that another file must pass on": (
        {
            "pkg/__init__.py": '"""Package."""\n',
            "test_more.py": "from pkg import add\n\n\ndef test():\n    assert add(1, 1) == 2\n",
        },
        "pkg/__init__.py",
        "from pkg.a import add\n",
    ),
}


OTHER_SIDE = {"circle": ("pkg/b.py", "def total(items):\n    from pkg.a import ZERO, add\n")}
"""Repairs that are as good."""


@pytest.mark.parametrize("name", FAULTS)
def test_suite_that_cannot_be_collected_is_repaired(name: str, tmp_path):
    changed, path, wanted = FAULTS[name]
    tree = tree_of({"pkg/__init__.py": "", "pkg/a.py": A, "pkg/b.py": B, "test_b.py": TEST, **changed})
    failure = failure_of(run_suite(FolderSession(tmp_path / "before"), tree, launch_of(tree)))
    workbench = workbench_of(tree, FolderSession(tmp_path / "search"), budget_s=30.0)
    proposals = SearchEngine().propose(failure, workbench)
    told = [(one.operator, one.root_cause) for one in proposals.candidates]
    assert proposals.candidates, proposals.stats
    first = proposals.candidates[0].patch.files
    assert len(first) == 1
    allowed = dict([(path, wanted), *([OTHER_SIDE[name]] if name in OTHER_SIDE else [])])
    assert any(text in (first.get(where) or b"").decode() for where, text in allowed.items()), told


MISSPELT = {
    "a letter too many": ("import maths\n\n\ndef f():\n    return maths.pi\n", "maths", "import math\n"),
    "neighbours exchanged": ("import jsno\n\n\ndef f():\n    return jsno.dumps(1)\n", "jsno", "import json\n"),
    "two letters exchanged in a short one": ("import er\n\nX = er.compile('')\n", "er", "import re\n"),
    "a module in a package": (
        "from concurrent.future import wait\n",
        "concurrent.future",
        "from concurrent.futures import",
    ),
    "its name in Python 2": ("from StringIO import StringIO\n", "StringIO", "from io import StringIO\n"),
    "its name in Python 2, in a package now": (
        "import urlparse\n\nX = urlparse.urljoin('a', 'b')\n",
        "urlparse",
        "import urllib.parse as urlparse\n",
    ),
    "another case": ("from Queue import Queue\n", "Queue", "from queue import Queue\n"),
    "a package that is installed": ("import pytset\n\nX = pytset.fixture\n", "pytset", "import pytest\n"),
    "a module of the project that has the name": (
        "from things import helper\n",
        "things",
        "from pkg.tools import helper",
    ),
}


@pytest.mark.parametrize("name", MISSPELT)
def test_module_that_is_spelled_nearly_so_is_meant(name: str):
    text, missing, wanted = MISSPELT[name]
    found = offers("import-wrong", text, f"ModuleNotFoundError: No module named '{missing}'")
    assert any(wanted in one for one in found), found


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("import requests\n\n\ndef f(x):\n    return requests.get(x)\n", "requests"),
        ("import requests\n", "requests"),
        ("from requests import get\n", "requests"),
        ("import asyncpg\n\n\ndef f(x):\n    return asyncpg.connect(x)\n", "asyncpg"),
        ("import maths\n\n\ndef f(x):\n    return maths.fetch(x)\n", "maths"),
        ("import maths as m\n\n\ndef f(x):\n    return m.fetch(x)\n", "maths"),
        ("from things import other\n", "things"),
    ],
    ids=["another word", "nothing is read", "name imported", "two of seven", "attribute", "alias", "project"],
)
def test_module_that_is_another_one_is_not_put_in_place_of_one_that_is_missing(text: str, missing: str):
    assert offers("import-wrong", text, f"ModuleNotFoundError: No module named '{missing}'") == []
