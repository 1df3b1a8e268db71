"""Layer D on what a patch takes from the standard library and what is not there."""

from __future__ import annotations

import dataclasses
import sys

import pytest
from factories import files, make_baseline, patch

from bot.gate.layer import Case
from bot.gate.source import absent

CLIENT = "import requests\n\n\ndef area(url):\n    return requests.get(url)\n"


def told(new: str, old: str = "", *, more: dict[str, str] | None = None, python: str = "") -> list[tuple[str, bool]]:
    """Codes and whether they reject, for one file that changes."""
    before = dataclasses.replace(make_baseline({"t.py::test": "failed"}), python=python)
    case = Case(files({"client.py": old, **(more or {})}), patch({"client.py": new}), before)
    return [(reason.code, reason.hard) for reason in absent.examine(case)]


@pytest.mark.parametrize(
    "new",
    [
        CLIENT.replace("requests", "secrets"),
        "import secrets as requests\n\n\ndef area(url):\n    return requests.get(url)\n",
        "import os\n\n\ndef f(x):\n    return os.path.joined(x)\n",
        "def f(x):\n    from math import square\n    return square(x)\n",
        "import xml.etree.ElementTree as ET\n\n\ndef f(x):\n    return ET.parse_all(x)\n",
        "import collections\n\n\ndef f(x):\n    return isinstance(x, collections.Mapping)\n",
    ],
    ids=["attribute", "alias", "of a module in a module", "import", "dotted alias", "gone"],
)
def test_what_the_standard_library_does_not_have_asks_for_a_person(new: str) -> None:
    assert told(new, CLIENT) == [("no-such-attribute", False)]


@pytest.mark.parametrize(
    "new",
    [
        "import os\n\n\ndef f(x):\n    return os.path.join(x, os.sep)\n",
        "import os\n\n\ndef f(os):\n    return os.files\n",
        "import os\n\nNOW = os.startfile if hasattr(os, 'startfile') else None\n",
        "try:\n    from math import square\nexcept ImportError:\n    square = None\n",
        "from datetime import datetime\n\n\ndef f():\n    return datetime.now().foo\n",
        "import xml.dom.minidom\n\n\ndef f(x):\n    return xml.dom.minidom.parse(x)\n",
        "import concurrent.futures as cf\n\n\ndef f():\n    return cf.wait\n",
        "import requests\n\n\ndef f(x):\n    return requests.fetch(x)\n",
        "from winreg import OpenKey\n",
    ],
    ids=[
        "there",
        "parameter",
        "asked",
        "tried",
        "of an object",
        "package",
        "submodule",
        "no library",
        "other system",
    ],
)
def test_what_is_there_or_cannot_be_known_says_nothing(new: str) -> None:
    assert told(new) == []


def test_what_the_file_had_before_the_project_has_itself_or_another_python_runs_says_nothing() -> None:
    wrong = CLIENT.replace("requests", "secrets")
    assert told(wrong + "X = 1\n", wrong) == []
    assert told(wrong, CLIENT, more={"secrets.py": "get = 1\n"}) == []
    assert told(wrong, CLIENT, python="3.99") == []
    assert told(wrong, CLIENT, python=absent.version()) == [("no-such-attribute", False)]


def test_nothing_that_a_patch_names_is_imported_into_our_process(tmp_path, monkeypatch) -> None:
    """`unittest.__main__` would run whatever tests lie in the folder where somebody started us."""
    (tmp_path / "test_here.py").write_text("open('ran', 'w').close()\n")
    (tmp_path / "chunk.py").write_text("open('ran', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert told("import unittest\nX = unittest.__main__\n") == []
    assert told("import venv\nX = venv.__main__.main\n") == []
    assert told("import chunk\nX = chunk.Chunk\n") == []
    assert told("import lib2to3.pgen2.driver as d\nX = d.nowhere\n") == [("no-such-attribute", False)]
    assert not (tmp_path / "ran").exists()
    assert not {"unittest.__main__", "venv.__main__", "chunk", "lib2to3.pgen2.driver"} & set(sys.modules)
