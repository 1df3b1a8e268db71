import pytest

from stencil import TemplateSyntaxError
from stencil.lexer import PRINT, TAG, TEXT, Lexer


def pieces(source, **options):
    return [(piece.kind, piece.text) for piece in Lexer(source, **options)]


def lines(source, **options):
    return [piece.line for piece in Lexer(source, **options)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", []),
        ("plain", [(TEXT, "plain")]),
        ("{{ a }}", [(PRINT, "a")]),
        ("a{{b}}c", [(TEXT, "a"), (PRINT, "b"), (TEXT, "c")]),
        ("{% if x %}", [(TAG, "if x")]),
        ("a{# no #}b", [(TEXT, "a"), (TEXT, "b")]),
        ("a { b } c", [(TEXT, "a { b } c")]),
        ("{{ '}}' }}", [(PRINT, "'}}'")]),
        ("{# it's #}", []),
        (r"{{ '\'}}' }}", [(PRINT, r"'\'}}'")]),
    ],
)
def test_pieces(source, expected):
    assert pieces(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a {{- b }} c", [(TEXT, "a"), (PRINT, "b"), (TEXT, " c")]),
        ("a {{ b -}} c", [(TEXT, "a "), (PRINT, "b"), (TEXT, "c")]),
        ("a\n\n{%- x -%}\n b", [(TEXT, "a"), (TAG, "x"), (TEXT, "b")]),
        ("{{ -1 }}", [(PRINT, "-1")]),
        ("{#- c -#} a", [(TEXT, "a")]),
    ],
)
def test_white_space_is_stripped_where_asked(source, expected):
    assert pieces(source) == expected


def test_trim_blocks():
    assert pieces("{% a %}\nb\n{{ c }}\n", trim_blocks=True) == [
        (TAG, "a"), (TEXT, "b\n"), (PRINT, "c"), (TEXT, "\n"),
    ]


def test_lines():
    assert lines("a\nb {{ c }}\n\n{% d\n %}\n{{ e }}") == [1, 2, 2, 4, 5, 6]


def test_lines_are_right_after_stripping():
    assert lines("a\n\n{%- b -%}\n\n\n{{ c }}") == [1, 3, 6]


@pytest.mark.parametrize("source", ["{{ a", "x {% if", "{# a }}", "{{ 'a }}"])
def test_what_is_never_closed(source):
    with pytest.raises(TemplateSyntaxError, match="never closed"):
        pieces(source)
