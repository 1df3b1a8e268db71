from pathlib import Path

import pytest

from golden.table import render, widths

GOLDEN = Path(__file__).with_name("golden")

TABLES = {
    "stock": [("tea", 450, 12), ("salt", 80, 3), ("saffron", 9, 120)],
    "names": [("name",), ("ada",), ("bob",)],
    "months": [("jan", 1000), ("feb", 25)],
}


@pytest.mark.parametrize("name", TABLES)
def test_table_looks_as_it_always_did(name):
    assert render(TABLES[name]) == (GOLDEN / f"{name}.txt").read_text()


def test_empty_table():
    assert render([]) == ""


def test_widths():
    assert widths([("a", 10), ("bcd", 5)]) == [3, 2]
