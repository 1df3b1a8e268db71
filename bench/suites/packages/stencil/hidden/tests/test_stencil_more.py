"""Judges repairs: never seen by an engine or the gate."""

import pytest

from stencil import (
    ChoiceLoader,
    DictLoader,
    Environment,
    FileLoader,
    Markup,
    TemplateError,
    TemplateNotFound,
    UndefinedError,
    escape,
)
from stencil.filters import FILTERS
from stencil.lexer import Lexer


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("\n\n\n{%- a -%}\n{{ b }}\n\n{{- c -}}\n\n\n d {{ e }}", [4, 5, 7, 7, 10]),
        ("{{ a -}}\n\n\n", [1]),
        ("{{ a -}}\n\n{{ b }}", [1, 3]),
        ("a\n\n\n{{- b }}\n{{ c }}", [1, 4, 4, 5]),
        ("{# a\n\n #}{{ b }}", [3]),
        ("{% a\n\n b %}\n{{ c }}", [1, 3, 4]),
    ],
)
def test_lines_of_pieces(source, expected):
    assert [piece.line for piece in Lexer(source)] == expected


def test_lines_in_errors_after_stripping():
    with pytest.raises(UndefinedError) as caught:
        Environment().render("{% if true -%}\n\n\n\n{%- endif -%}\n\n{{ a.b }}")
    assert caught.value.line == 7


def test_lines_with_trim_blocks():
    assert [piece.line for piece in Lexer("{% a %}\n\n{% b -%}\n\n{{ c }}", trim_blocks=True)] == [1, 2, 3, 5]


def test_each_round_has_a_scope_of_its_own():
    render = Environment().render
    source = "{% for i in [1, 2, 3] %}{% if i == 1 %}{% set a = 'x' %}{% endif %}{{ a|default('-') }}{% endfor %}"
    assert render(source) == "x--"
    assert render(source, a="o") == "xoo"
    nested = "{% for i in 'ab' %}{% set n = i %}{% for j in 'cd' %}{{ n }}{{ m }}{% set m = j %}{% set n = j %}{% endfor %}{{ n }} {% endfor %}"
    assert render(nested) == "aaa bbb "
    assert render("{% for i in [3, 4] %}{% set i = i + 1 %}{{ i }}{% endfor %}{{ i }}", i=9) == "459"
    assert render("{% for i in 'abc' %}{{ loop.index }}{{ loop.left }}{{ loop.changed(1) }} {% endfor %}") == (
        "12True 21False 30False "
    )


def make(**templates):
    return Environment(DictLoader(templates))


def test_super_goes_up_one_generation_at_a_time():
    env = make(
        a="{% block x %}a{% endblock %}{% block y %}A{% endblock %}",
        b="{% extends 'a' %}{% block x %}b{{ super() }}{% endblock %}",
        c="{% extends 'b' %}{% block x %}c{{ super() }}{% endblock %}{% block y %}C{{ super() }}{% endblock %}",
        d="{% extends 'c' %}{% block x %}d{{ super() }}{{ super() }}{% endblock %}",
        e="{% extends 'd' %}{% block y %}E{{ super() }}{% endblock %}",
    )
    assert env.get("a").render() == "aA"
    assert env.get("b").render() == "baA"
    assert env.get("c").render() == "cbaCA"
    assert env.get("d").render() == "dcbacbaCA"
    assert env.get("e").render() == "dcbacbaECA"


def test_topmost_block_has_no_parent_however_deep():
    env = make(
        a="{% block x %}{{ super() }}{% endblock %}",
        b="{% extends 'a' %}{% block x %}b{{ super() }}{% endblock %}",
        c="{% extends 'b' %}{% block x %}c{{ super() }}{% endblock %}",
    )
    for name in "abc":
        with pytest.raises(TemplateError, match="block 'x' has no parent"):
            env.get(name).render()


def test_super_is_not_escaped_and_sees_names():
    env = make(
        a="{% block x %}<{{ n }}>{% endblock %}",
        b="{% extends 'a' %}{% block x %}{{ super() }}{% endblock %}",
        c="{% extends 'b' %}{% block x %}{{ super() ~ '<' }}{% endblock %}",
    )
    assert env.get("c").render(n="&") == "<&amp;>&lt;"


def test_escape_does_everything_once():
    assert escape("&<>\"'") == "&amp;&lt;&gt;&quot;&#39;"
    assert escape("<&lt;") == "&lt;&amp;lt;"
    assert escape(escape("<")) == "&lt;"
    assert escape("a > b") == "a &gt; b"
    for text in ("&amp;", "<&>", "&#39;'", "&lt;b&gt;", "&amp;lt;", '"&quot;"'):
        assert escape(text).unescape() == text
    assert Environment().render("{{ a }}", a="<&\"'") == "&lt;&amp;&quot;&#39;"
    assert Markup("%s") % "<&" == "&lt;&amp;"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 if false else 2 if false else 3 if false else 4", 4),
        ("1 if false else 2 if true else 3", 2),
        ("1 if true else 2 if true else 3", 1),
        ("(1 if true else 2) if false else 3", 3),
        ("[1 if false else 2 if true, 5]", [2, 5]),
        ("{'a': 1 if false else 2 if false else 9}.a", 9),
    ],
)
def test_choices(text, expected):
    got = []
    Environment().render("{{ see(" + text + ") }}", see=lambda value: got.append(value))
    assert got == [expected]


def test_choice_without_else_in_a_choice():
    assert Environment().render("{{ 'a' if x == 1 else 'b' if x == 2 }}|", x=3) == "|"
    assert Environment().render("{{ 'a' if x == 1 else 'b' if x == 2 }}|", x=2) == "b|"


def test_defaults_of_macros():
    render = Environment().render
    assert render("{% macro m(a, b=a * 2, c=a + b) %}{{ a }},{{ b }},{{ c }};{% endmacro %}{{ m(1) }}{{ m(2, c=0) }}{{ m(3, 1) }}") == (
        "1,2,3;2,4,0;3,1,4;"
    )
    assert render("{% macro m(b=x) %}[{{ b }}]{% endmacro %}{{ m() }}", x=1) == "[]"
    assert render("{% macro m(a, b=a) %}{{ b }}{% endmacro %}{{ m(1) }}", a=7) == "1"
    assert render("{% macro m(b=range(3)) %}{{ b|join }}{% endmacro %}{{ m() }}") == "012"


def test_sort_keeps_equal_items_in_order():
    items = [{"n": name, "v": number} for number, name in enumerate("bABa")]
    assert [item["v"] for item in FILTERS["sort"](items, "n")] == [1, 3, 0, 2]
    assert [item["v"] for item in FILTERS["sort"](items, "n", True)] == [0, 2, 1, 3]
    assert FILTERS["sort"](["b", "B"], reverse=True) == ["b", "B"]
    assert FILTERS["sort"]([]) == []
    assert FILTERS["sort"]([3, 1, 2], reverse=True) == [3, 2, 1]


def test_folders_are_no_templates(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_text("found")
    files = FileLoader(tmp_path)
    for name in ("a", "a/b", "x", "a/x"):
        with pytest.raises(TemplateNotFound):
            files.load(name)
    env = Environment(ChoiceLoader([files, DictLoader({"a": "second"})]))
    assert env.get("a").render() == "second"
    assert env.get("a/b/c").render() == "found"
    assert env.render("[{% include 'a/b' optional %}]") == "[]"
    assert env.select(["a/b", "a/b/c"]).render() == "found"
