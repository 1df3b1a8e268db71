import pytest

from stencil import Environment, Markup, TemplateError, TemplateSyntaxError, UndefinedError
from stencil.context import Context, Undefined
from stencil.expressions import parse


class Person:
    name = "Ada"
    tags = ("x", "y")

    def greet(self, word, end="!"):
        return f"{word} {self.name}{end}"


def value(text, **names):
    return parse(text).evaluate(Context(Environment(), names))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("1.5", 1.5),
        ("'a'", "a"),
        (r"'a\n\'b'", "a\n'b"),
        ("true", True),
        ("none", None),
        ("[1, 2, ]", [1, 2]),
        ("(1, 2)", (1, 2)),
        ("(1,)", (1,)),
        ("()", ()),
        ("{'a': 1, 2: 'b'}", {"a": 1, 2: "b"}),
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 // 2 - 7 % 4", 0),
        ("8 / 4", 2.0),
        ("2 ** 3", 8),
        ("-2 ** 2", -4),
        ("10 - 4 - 3", 3),
        ("'a' ~ 1 ~ none", "a1None"),
        ("1 < 2 <= 2", True),
        ("1 < 2 > 3", False),
        ("3 in [1, 2]", False),
        ("3 not in [1, 2]", True),
        ("not 1 == 2", True),
        ("not true or true", True),
        ("0 or 'x'", "x"),
        ("1 and 0", 0),
        ("1 or 2 and 0", 1),
        ("'y' if true else 'n'", "y"),
        ("'y' if false else 'n'", "n"),
        ("2 is even", True),
        ("2 is not even", False),
        ("none is none", True),
        ("'abc'[1]", "b"),
        ("'abc'[1:]", "bc"),
        ("'abc'[:2]", "ab"),
        ("'abc'|upper", "ABC"),
        ("[3, 1]|sort|join('-')", "1-3"),
        ("-'3'|length", -1),
    ],
)
def test_values(text, expected):
    assert value(text) == expected


def test_choices_can_be_chained():
    text = "'a' if x == 1 else 'b' if x == 2 else 'c'"
    assert [value(text, x=x) for x in (1, 2, 3)] == ["a", "b", "c"]


def test_names_attributes_and_keys():
    names = {"p": Person(), "d": {"name": "key", "items": 3}, "n": [[1, 2], [3]]}
    assert value("p.name", **names) == "Ada"
    assert value("d.name", **names) == "key"
    assert value("d['items']", **names) == 3
    assert value("p['name']", **names) == "Ada"
    assert value("n.0[1]", **names) == 2
    assert value("n[-1][0]", **names) == 3


def test_calls():
    assert value("p.greet('Hi')", p=Person()) == "Hi Ada!"
    assert value("p.greet('Hi', end='?')", p=Person()) == "Hi Ada?"
    with pytest.raises(TemplateSyntaxError, match="plain argument"):
        value("p.greet(end='?', 'Hi')", p=Person())


def test_undefined_names():
    assert isinstance(value("a"), Undefined)
    assert isinstance(value("p.age", p=Person()), Undefined)
    assert value("a|default('x')") == "x"
    assert value("a is defined") is False
    with pytest.raises(UndefinedError, match="'a' is undefined"):
        value("a.b")
    with pytest.raises(UndefinedError, match="'a' is undefined"):
        value("a()")


def test_what_decides_is_not_evaluated_twice():
    calls = []

    def seen(result):
        calls.append(result)
        return result

    assert value("seen(0) and seen(1)", seen=seen) == 0
    assert value("seen(1) < seen(2) < seen(3)", seen=seen) is True
    assert calls == [0, 1, 2, 3]


def test_private_names_are_refused():
    with pytest.raises(TemplateError, match="private"):
        value("p.__class__", p=Person())


def test_joined_text_is_escaped_once_one_side_is_safe():
    assert value("a ~ '<'", a=Markup("<b>")) == "<b>&lt;"
    assert value("'<' ~ '>'") == "<>"


@pytest.mark.parametrize(
    "text", ["", "1 +", "a b", "(1", "[1 2]", "a.", "f(1", "'a", "1 if", "a|", "and", "{1}", "$", "x not 3"]
)
def test_what_cannot_be_read(text):
    with pytest.raises(TemplateSyntaxError):
        parse(text)


def test_unknown_filters_and_tests():
    with pytest.raises(TemplateError, match="no filter 'nope'"):
        value("1|nope")
    with pytest.raises(TemplateError, match="no test 'nope'"):
        value("1 is nope")
