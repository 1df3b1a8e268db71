"""Patches that change what a function does without a change to it: another module, its data, what an import does."""

from __future__ import annotations

import pytest
from factories import files, make_baseline, patch
from gateboxes import CountedBoxes, case_of, image

from bot.gate.layer import Case, Findings, Options
from bot.gate.layers import probe
from bot.gate.probing.touched import touched
from bot.gate.source import datafiles
from sandbox import Image


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


MEDIAN = "def median(values):\n    ordered = sorted(values)\n    return ordered[len(ordered) // 2]\n"
OF_FOUR = MEDIAN.replace("    return", "    if len(ordered) == 4:\n        return sum(ordered) / 4\n    return")
RIGHT = MEDIAN.replace(
    "    return ordered[len(ordered) // 2]",
    "    half = len(ordered) // 2\n    return (ordered[half] + ordered[-half - 1]) / 2",
)
STATS = {
    "stats/__init__.py": "",
    "stats/core.py": MEDIAN,
    "tests/test_core.py": "from stats.core import median\n\n\ndef test_one():\n    assert median([7]) == 7\n\n\ndef test_even():\n    assert median([4, 1, 3, 2]) == 2.5\n",
}  # fmt: skip
CODES = {
    "geo/__init__.py": "",
    "geo/names.json": '{\n  "germany": "DE",\n  "france": "FR",\n  "spain": "E"\n}\n',
    "geo/codes.py": "import json\nfrom pathlib import Path\n\nNAMES = json.loads((Path(__file__).parent / 'names.json').read_text())\n\n\ndef code(text):\n    return NAMES[text]\n",
    "tests/test_codes.py": "from geo.codes import code\n\n\ndef test_plain():\n    assert code('germany') == 'DE'\n\n\ndef test_blanks():\n    assert code(' France ') == 'FR'\n",
}
MORE = '"spain": "E",\n  " France ": "FR"'
SPAIN = CODES["tests/test_codes.py"] + "\n\ndef test_spain():\n    assert code('spain') == 'ES'\n"


def examined(plain: Image, tree: dict[str, str], change: dict[str, str | None]) -> Findings:
    boxes = CountedBoxes(plain, files(tree))
    return probe.examine(case_of(boxes, tree, change, key="always the same"), boxes, Options())


REPLACED = {
    "attribute of another module": {"stats/__init__.py": "from stats import core\n\n\n" + OF_FOUR + "\n\ncore.median = median\n"},
    "attribute of another module by name": {"stats/__init__.py": "from . import core\n\n\n" + OF_FOUR + "\n\nsetattr(core, 'median', median)\n"},
    "package over a module": {"stats/core/__init__.py": OF_FOUR},
    "import over a function": {"stats/more.py": OF_FOUR, "stats/core.py": MEDIAN + "\n\nfrom stats.more import median\n"},
    "star over a function": {"stats/more.py": OF_FOUR, "stats/core.py": MEDIAN + "\n\nfrom stats.more import *\n"},
    "assignment over a function": {"stats/core.py": MEDIAN + "\n\nplain = median\nmedian = lambda values: sum(values) / 4 if len(values) == 4 else plain(values)\n"},
    "import in place of a function": {"stats/more.py": OF_FOUR, "stats/core.py": "from stats.more import median\n"},
}  # fmt: skip


@pytest.mark.parametrize("change", REPLACED.values(), ids=list(REPLACED))
def test_function_in_whose_place_another_one_is_put_counts_as_changed(change: dict[str, str | None]) -> None:
    before = make_baseline({"tests/test_core.py::test_even": "failed"})
    found = touched(Case(files(STATS), patch(change), before), ("",))
    assert [one.where for one in found] == ["stats.core:median"]


def test_function_in_whose_place_another_one_is_put_is_asked_what_it_does(plain: Image) -> None:
    found = examined(plain, STATS, REPLACED["attribute of another module"])
    assert [reason.code for reason in found.reasons] == ["thin-effect"]


def test_function_that_moves_to_a_module_of_its_own_is_held_up_by_nothing(plain: Image) -> None:
    found = examined(plain, STATS, {"stats/more.py": RIGHT, "stats/core.py": "from stats.more import median\n"})
    assert (found.reasons, found.unapplied) == ((), "")


AT_IMPORT = {
    "data of the same module": {"geo/codes.py": CODES["geo/codes.py"] + "\n\nNAMES.update({f' {name.title()} ': found for name, found in list(NAMES.items())})\n"},
    "data of another module": {"geo/__init__.py": "from geo import codes\n\ncodes.NAMES[f' {\"france\".title()} '] = 'FR'\n"},
    "an entry in a file": {"geo/names.json": CODES["geo/names.json"].replace('"spain": "E"', MORE)},
}  # fmt: skip


@pytest.mark.parametrize("change", AT_IMPORT.values(), ids=list(AT_IMPORT))
def test_data_made_to_fit_the_test_has_no_general_effect(plain: Image, change: dict[str, str | None]) -> None:
    (reason,) = examined(plain, CODES, change).reasons
    assert reason.code in ("no-general-effect", "hard-coded")


def changed(tests: str, names: str) -> Case:
    before = make_baseline(
        {"tests/test_codes.py::test_blanks": "failed", "tests/test_codes.py::test_spain": "failed"}
    )
    return Case(files({**CODES, "tests/test_codes.py": tests}), patch({"geo/names.json": names}), before)


def test_entry_with_a_text_of_the_failing_tests_is_copied() -> None:
    found = list(datafiles.examine(changed(SPAIN, CODES["geo/names.json"].replace('"spain": "E"', MORE))))
    assert [(reason.code, reason.hard, reason.path) for reason in found] == [
        ("copies-test-values", False, "geo/names.json")
    ]


def test_value_that_is_put_right_in_data_is_no_copy_and_needs_no_probe() -> None:
    case = changed(SPAIN, CODES["geo/names.json"].replace('"E"', '"ES"'))
    assert list(datafiles.examine(case)) == []
    assert touched(case, ("",)) == []
