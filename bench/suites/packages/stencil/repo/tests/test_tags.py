import pytest

from stencil import Environment, TemplateError, TemplateSyntaxError, UndefinedError


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{ a }}", "&lt;"),
        ("{{ a|safe }}", "<"),
        ("{{ none }}|{{ nothing }}", "|"),
        ("{% if a %}y{% endif %}", "y"),
        ("{% if not a %}y{% else %}n{% endif %}", "n"),
        ("{% if x == 1 %}1{% elif x == 2 %}2{% elif x == 3 %}3{% else %}-{% endif %}", "2"),
        ("{% for i in [1, 2] %}{{ i }},{% endfor %}", "1,2,"),
        ("{% for i in [] %}{{ i }}{% else %}none{% endfor %}", "none"),
        ("{% for i in nothing %}{{ i }}{% else %}none{% endfor %}", "none"),
        ("{% for k, v in d %}{{ k }}={{ v }};{% endfor %}", "a=1;b=2;"),
        ("{% for i in range(5) if i is odd %}{{ loop.index }}:{{ i }} {% endfor %}", "1:1 2:3 "),
        ("{% for i in [2] if i > 2 %}{% else %}none{% endfor %}", "none"),
        ("{% for i in 'abc' %}{{ '' if loop.first else '-' }}{{ i }}{{ '.' if loop.last }}{% endfor %}", "a-b-c."),
        ("{% for i in 'abc' %}{{ loop.cycle('x', 'y') }}{{ loop.left }}{% endfor %}", "x2y1x0"),
        ("{% for i in 'aab' %}{{ i if loop.changed(i) }}{% endfor %}", "ab"),
        ("{% set y = x + 1 %}{{ y }}", "3"),
        ("{% set y %}<b>{{ a }}</b>{% endset %}{{ y }}", "<b>&lt;</b>"),
        ("{% with y = 1, z = y + 1 %}{{ y }}{{ z }}{% endwith %}{{ y }}", "12"),
    ],
)
def test_tags(render, source, expected):
    assert render(source, a="<", x=2, d=[("a", 1), ("b", 2)]) == expected


def test_loops_in_loops(render):
    source = "{% for a in 'xy' %}{% for b in 'pq' %}{{ loop.parent.index }}{{ loop.index }} {% endfor %}{{ loop.index }};{% endfor %}"
    assert render(source) == "11 12 1;21 22 2;"


class TestScopes:
    def test_names_of_a_loop_end_with_it(self, render):
        assert render("{% for i in [1] %}{% endfor %}[{{ i }}{{ loop }}]") == "[]"

    def test_names_outside_are_seen_again(self, render):
        assert render("{% for x in [1] %}{{ x }}{% endfor %}{{ x }}", x=9) == "19"

    def test_set_in_a_loop_ends_with_its_round(self, render):
        source = "{% for i in [1, 2] %}[{{ seen }}]{% set seen = i %}{{ seen }}{% endfor %}{{ seen }}"
        assert render(source) == "[]1[]2"

    def test_scope_ends_after_an_error(self, env):
        from stencil.context import Context

        context = Context(env, {"x": 1})
        with pytest.raises(ValueError):
            with context.scope(x=2):
                raise ValueError
        assert context.lookup("x") == 1


class TestMacros:
    def test_arguments_and_defaults(self, render):
        source = "{% macro tag(name, text='-') %}<{{ name }}>{{ text }}{% endmacro %}"
        assert render(source + "{{ tag('b') }}{{ tag('i', '<') }}{{ tag(text='x', name='u') }}") == "<b>-<i>&lt;<u>x"

    def test_defaults_may_use_earlier_arguments(self, render):
        assert render("{% macro m(a, b=a + 1) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(5) }}") == "1256"

    def test_names_outside_are_not_seen(self, render):
        assert render("{% macro m() %}[{{ x }}]{% endmacro %}{{ m() }}", x=1) == "[]"

    def test_macros_may_call_themselves(self, render):
        source = "{% macro down(n) %}{{ n }}{% if n %}{{ down(n - 1) }}{% endif %}{% endmacro %}{{ down(3) }}"
        assert render(source) == "3210"

    @pytest.mark.parametrize(
        ("call", "message"),
        [("m(1, 2)", "takes 1 arguments, not 2"), ("m(1, a=2)", "'a' twice"), ("m(b=1)", "no argument 'b'")],
    )
    def test_wrong_calls(self, render, call, message):
        with pytest.raises(TemplateError, match=message):
            render("{% macro m(a) %}{% endmacro %}{{ " + call + " }}")


class TestErrors:
    @pytest.mark.parametrize(
        ("source", "message"),
        [
            ("{% if a %}", "1: 'if' is never closed"),
            ("\n{% for a in b %}\n{% if c %}{% endif %}", "2: 'for' is never closed"),
            ("{% nope %}", "1: unknown tag 'nope'"),
            ("a\n\n{{ 1 + }}", "3: expected a value"),
            ("{% if a %}{% else %}{% elif b %}{% endif %}", "after 'else'"),
            ("{% block a %}{% endblock %}{% block a %}{% endblock %}", "defined twice"),
            ("{% block a %}{% endblock b %}", "closed as 'b'"),
            ("{% extends 'a' %}{% extends 'b' %}", "at most"),
        ],
    )
    def test_syntax(self, render, source, message):
        with pytest.raises(TemplateSyntaxError, match=message):
            render(source)

    def test_line_of_what_goes_wrong_while_rendering(self, render):
        with pytest.raises(UndefinedError) as caught:
            render("a\n{% for i in [1] %}\n{{ x.y }}{% endfor %}")
        assert caught.value.line == 3
        assert str(caught.value) == "3: 'x' is undefined"

    def test_strict(self):
        with pytest.raises(UndefinedError, match="'x' is undefined"):
            Environment(strict=True).render("{{ x }}")
        assert Environment(strict=True).render("{{ x|default('y') }}") == "y"

    def test_wrong_number_of_names(self, render):
        with pytest.raises(TemplateError, match="cannot unpack 3 values into 2 names"):
            render("{% for a, b in [(1, 2, 3)] %}{% endfor %}")


def test_without_escaping():
    assert Environment(autoescape=False).render("{{ a }}", a="<") == "<"
