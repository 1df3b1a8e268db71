"""Entries of tables that stand in the repository's prose were asked for, whatever the tests show of them."""

from __future__ import annotations

import pytest
from factories import files, make_baseline, patch

from bot.gate.layer import Case
from bot.gate.source.documented import adds_what_is_documented

DAYS = (
    'DAYS = {(1, 1): "New Year", (12, 25): "Christmas Day"}\n\n\ndef is_free(day):\n'
    '    """New Year, Christmas Day and Boxing\n    Day are free."""\n    return (day.month, day.day) in DAYS\n'
)
MORE = DAYS.replace('Day"}', 'Day", (12, 26): "Boxing Day"}')
NAMES = 'NAMES = ["north", "south"]\n'


def named(before: str, after: str, **others: str) -> bool:
    tree = {
        "core.py": before,
        "test_core.py": "import core\n",
        **{path.replace("_md", ".md"): text for path, text in others.items()},
    }
    case = Case(files(tree), patch({"core.py": after}), make_baseline({"test_core.py::test_core": "failed"}))
    return adds_what_is_documented(case)


def test_entry_that_a_docstring_names_is_asked_for() -> None:
    assert named(DAYS, MORE)


def test_entry_that_a_document_names_is_asked_for() -> None:
    assert named(NAMES, NAMES.replace("]", ', "west"]'), README_md="Winds: north, south and West.\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (DAYS, MORE.replace("Boxing Day", "Sunday")),
        (DAYS, MORE.replace('Day"}', 'Day", (5, 9): "Labour"}')),
        (
            DAYS.replace("Boxing", "boxes, Box"),
            MORE.replace("Boxing\n", "boxes, Box\n").replace('"Boxing Day"', '"Box"'),
        ),
        (DAYS, MORE.replace("return (", "return day.year > 2 and (")),
        (NAMES, NAMES.replace("]", ', "west"]')),
        (DAYS.replace("Boxing\n    Day", "others"), MORE),
    ],
    ids=["another name", "one of two", "too short", "more than an entry", "in no prose", "in the patch alone"],
)
def test_entry_that_nothing_names_or_more_than_an_entry_is_not(before: str, after: str) -> None:
    assert not named(before, after)


def test_what_only_tests_say_is_no_document() -> None:
    tree = {"core.py": NAMES, "test_core.py": '"""north, south, west."""\nimport core\n', "tests/cases.md": "west"}
    change = patch({"core.py": NAMES.replace("]", ', "west"]')})
    assert not adds_what_is_documented(
        Case(files(tree), change, make_baseline({"test_core.py::test_core": "failed"}))
    )
