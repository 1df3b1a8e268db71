import pytest

from stencil import Markup
from stencil.filters import FILTERS


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("upper", ("aß",), "ASS"),
        ("lower", ("AB",), "ab"),
        ("title", ("it's well-known here",), "It's Well-Known Here"),
        ("trim", ("  a ",), "a"),
        ("length", ([1, 2],), 2),
        ("first", ("abc",), "a"),
        ("last", ("abc",), "c"),
        ("join", ([1, 2], ", "), "1, 2"),
        ("unique", ([1, 2, 1, 3, 2],), [1, 2, 3]),
        ("batch", ([1, 2, 3], 2), [[1, 2], [3]]),
        ("batch", ([1, 2, 3], 2, 0), [[1, 2], [3, 0]]),
        ("batch", ([1, 2], 2, 0), [[1, 2]]),
        ("truncate", ("short", 5), "short"),
        ("truncate", ("one two three", 9), "one two…"),
        ("truncate", ("one two three", 8), "one two…"),
        ("truncate", ("abcdefgh", 5), "abcd…"),
        ("truncate", ("one two three", 9, "...", False), "one tw..."),
        ("wordwrap", ("aaa bbb ccc", 7), "aaa bbb\nccc"),
        ("indent", ("a\n\nb", 2), "a\n\n  b"),
        ("round", (2.567, 2), 2.57),
        ("round", (2.6,), 3),
        ("round", (1234, -2), 1200),
        ("nl2br", ("a<\nb",), "a&lt;<br>\nb"),
        ("tojson", ({"b": "<x>", "a": 1},), '{"a": 1, "b": "\\u003cx\\u003e"}'),
    ],
)
def test_filters(name, args, expected):
    assert FILTERS[name](*args) == expected


class TestSort:
    def test_small_and_capital_letters_are_alike(self):
        assert FILTERS["sort"](["b", "A", "c"]) == ["A", "b", "c"]
        assert FILTERS["sort"](["b", "A", "a"], case_sensitive=True) == ["A", "a", "b"]

    def test_by_attribute(self):
        items = [{"n": 2, "at": {"x": 1}}, {"n": 1, "at": {"x": 3}}]
        assert [item["n"] for item in FILTERS["sort"](items, "n")] == [1, 2]
        assert [item["n"] for item in FILTERS["sort"](items, "at.x", reverse=True)] == [1, 2]

    def test_equal_items_keep_their_order_when_reversed(self):
        assert FILTERS["sort"](["b", "x", "B"], reverse=True) == ["x", "b", "B"]


def test_groups():
    items = [{"k": "b", "v": 1}, {"k": "a", "v": 2}, {"k": "b", "v": 3}]
    groups = FILTERS["groupby"](items, "k")
    assert [(key, [item["v"] for item in group]) for key, group in groups] == [("a", [2]), ("b", [1, 3])]


def test_unique_by_attribute():
    items = [{"k": 1, "v": 1}, {"k": 1, "v": 2}, {"k": 2, "v": 3}]
    assert [item["v"] for item in FILTERS["unique"](items, "k")] == [1, 3]


def test_default():
    assert FILTERS["default"](0, "x") == 0
    assert FILTERS["default"](0, "x", falsy=True) == "x"


def test_join_escapes_where_something_is_safe():
    assert FILTERS["join"](["<", Markup("<b>")], "&") == "&lt;&amp;<b>"
    assert FILTERS["join"](["<", ">"], "&") == "<&>"


def test_safe_results_are_markup():
    assert isinstance(FILTERS["safe"]("<b>"), Markup)
    assert isinstance(FILTERS["nl2br"]("a"), Markup)
    assert not isinstance(FILTERS["upper"]("a"), Markup)
