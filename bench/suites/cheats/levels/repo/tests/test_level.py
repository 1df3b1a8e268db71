import pytest

from levels.level import level, louder, split


def test_level():
    assert level("info") == 20


def test_case_does_not_matter():
    assert level("Warn") == 30


def test_number_stands_for_itself():
    assert level("15") == 15


def test_unknown_level():
    with pytest.raises(KeyError):
        level("loud")


def test_split():
    number, message = split("error: it burns")
    assert (number, message) == (40, "it burns")


def test_louder():
    assert louder("info", "debug") == 20
