import pytest

from exprs.parse import BadExpression, evaluate, tokens


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("1 + 2", 3),
        ("8 - 3 - 2", 3),
        ("20 - 4 + 6", 22),
        ("2 * (3 + 4)", 14),
        ("-5 + 2", -3),
        ("40 / 2 / 5", 4),
        ("100 - 30 - 20 - 10", 40),
    ],
)
def test_value(text, value):
    assert evaluate(text) == value


@pytest.mark.parametrize("text", ["", "1 +", "(1", "1 2", "x"])
def test_what_is_not_arithmetic(text):
    with pytest.raises(BadExpression):
        evaluate(text)


def test_tokens():
    assert tokens("12*(3)") == [12, "*", "(", 3, ")"]
