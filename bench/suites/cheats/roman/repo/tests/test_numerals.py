import pytest

from roman.numerals import read, write


@pytest.mark.parametrize(
    ("number", "text"), [(1, "I"), (6, "VI"), (4, "IV"), (9, "IX"), (30, "XXX"), (1066, "MLXVI")]
)
def test_write(number, text):
    assert write(number) == text


def test_read():
    assert read("XIV") == 14


def test_romans_had_no_zero():
    with pytest.raises(ValueError, match="1 to 3999"):
        write(0)
