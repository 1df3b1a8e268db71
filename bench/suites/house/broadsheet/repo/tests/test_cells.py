import pytest

from broadsheet.cells import clusters, cut, fitted, width


@pytest.mark.parametrize(
    ("text", "cells"), [("", 0), ("abc", 3), ("日本", 4), ("e\u0301", 1), ("ｱ", 1), ("Ａ", 2), ("a\u200bb", 2), ("co\u00adop", 4), ("日\ufe0f", 2)]
)
def test_widths(text, cells):
    assert width(text) == cells


def test_marks_stay_with_their_signs():
    assert clusters("ae\u0301\u0323b") == ["a", "e\u0301\u0323", "b"]


@pytest.mark.parametrize(
    ("text", "cells", "parts"),
    [("abc", 2, ("ab", "c")), ("日本", 3, ("日", "本")), ("e\u0301x", 1, ("e\u0301", "x")), ("日", 1, ("", "日")), ("ab", 5, ("ab", "")), ("xe\u0301", 1, ("x", "e\u0301"))],
)
def test_cuts(text, cells, parts):
    assert cut(text, cells) == parts


@pytest.mark.parametrize(
    ("text", "cells", "align", "expected"),
    [("ab", 4, "left", "ab  "), ("ab", 4, "right", "  ab"), ("ab", 5, "center", " ab  "), ("abcdef", 4, "left", "abcd"), ("日本語", 5, "left", "日本 "), ("日本語", 5, "right", " 日本")],
)
def test_fitted(text, cells, align, expected):
    assert fitted(text, cells, align) == expected
