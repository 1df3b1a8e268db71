import pytest

from formula import FormulaError, evaluate, tokens


def test_tokens():
    assert tokens("2.5*x_1 ") == [("number", "2.5"), ("sign", "*"), ("name", "x_1")]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 4 - 3", 3),
        ("12 / 3 / 2", 2),
        ("7 / 2", 3.5),
        ("2 ^ 3 ^ 2", 512),
        ("-2 ^ 2", -4),
        ("2 * -3", -6),
        ("--4", 4),
        ("10 - 2 * 3 + 1", 5),
    ],
)
def test_arithmetic(text, expected):
    assert evaluate(text) == expected


def test_whole_results_are_ints():
    assert isinstance(evaluate("4 / 2"), int)


def test_names():
    assert evaluate("price * count", price=2.5, count=4) == 10
    with pytest.raises(FormulaError, match="unknown name cuont"):
        evaluate("cuont + 1", count=1)


def test_functions():
    assert evaluate("max(1, 5, 3) + min(2, 1)") == 6
    assert evaluate("sqrt(abs(-16))") == 4
    with pytest.raises(FormulaError, match="unknown function sin"):
        evaluate("sin(1)")


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "nothing to work out"),
        ("1 +", "ends too early"),
        ("(1", r"\) is missing"),
        ("1 2", "unexpected 2"),
        ("*1", r"unexpected \*"),
        ("1 $ 2", "unknown sign at 2"),
        ("1 / (2 - 2)", "division by zero"),
    ],
)
def test_mistakes(text, message):
    with pytest.raises(FormulaError, match=message):
        evaluate(text)
