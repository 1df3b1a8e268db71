import pytest

from formula import FormulaError, Parser, evaluate, tokens


def test_tokens():
    assert tokens("") == []
    assert tokens("  a(1.,b) ") == [("name", "a"), ("sign", "("), ("number", "1."), ("sign", ","), ("name", "b"), ("sign", ")")]
    assert tokens("3x") == [("number", "3"), ("name", "x")]
    for text, place in (("$", 1), ("12 + #", 5), ("1.2.3", 4)):
        with pytest.raises(FormulaError, match=f"unknown sign at {place}$"):
            tokens(text)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("2", 2),
        ("0.25", 0.25),
        ("1-2-3-4", -8),
        ("100/5/2/4", 2.5),
        ("2*3^2", 18),
        ("(2*3)^2", 36),
        ("2^-1", 0.5),
        ("-3*-3", 9),
        ("-(1+2)", -3),
        ("-2^2^0", -2),
        ("((((7))))", 7),
        ("1+2-3+4*5/10", 2),
        ("min(3, 4)", 3),
        ("max(1+1, 2*2, -5)", 4),
        ("abs(2-5)^2", 9),
        ("sqrt(2.25) / 3", 0.5),
    ],
)
def test_values(text, expected):
    assert evaluate(text) == expected
    assert isinstance(evaluate(text), int) == isinstance(expected, int)


def test_names():
    assert evaluate("a_1 - max * 2", a_1=5, max=2) == 1
    assert evaluate("x", x=0) == 0
    assert Parser("1").value() == 1.0
    with pytest.raises(FormulaError) as caught:
        evaluate("y")
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("text", ["   ", "(", ")", "1)", "2 3", "a b", "max(", "max(1", "max(1,)", "max()", "1//2", "^2", "2^", "nope(1)", "3/0", "3/(1-1)", "-"])
def test_mistakes(text):
    with pytest.raises(FormulaError):
        evaluate(text, a=1, b=2)
