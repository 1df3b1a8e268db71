import pytest

from stencil import TemplateError, TemplateNotFound


@pytest.fixture
def templates():
    return {
        "base": "<{% block head %}base head{% endblock %}|{% block body %}base body{% endblock %}>",
        "child": "{% extends 'base' %}ignored{% block body %}child body{% endblock %}",
        "super": "{% extends 'base' %}{% block head %}[{{ super() }}]{% endblock %}",
        "grandchild": "{% extends 'super' %}{% block head %}({{ super() }}){% endblock %}",
        "nested": "{% extends 'base' %}{% block body %}a{% block inner %}b{% endblock %}c{% endblock %}",
        "deep": "{% extends 'nested' %}{% block inner %}B{% endblock %}",
        "loop": "{% extends 'pool' %}",
        "pool": "{% extends 'loop' %}",
        "macro": "{% extends 'base' %}{% macro b(x) %}<b>{{ x }}</b>{% endmacro %}{% set w = 'W' %}"
        "{% block body %}{{ b(w) }}{% endblock %}",
        "row": "[{{ item }}{{ other }}]",
        "rows": "{% for item in 'ab' %}{% include 'row' %}{% endfor %}",
        "alone": "{% set item = 1 %}{% include 'row' isolated %}",
        "either": "{% include ['nope', 'row'] %}",
        "optional": "a{% include 'nope' optional %}b",
        "missing": "\n{% include ['no', 'nope'] %}",
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("base", "<base head|base body>"),
        ("child", "<base head|child body>"),
        ("super", "<[base head]|base body>"),
        ("grandchild", "<([base head])|base body>"),
        ("nested", "<base head|abc>"),
        ("deep", "<base head|aBc>"),
        ("macro", "<base head|<b>W</b>>"),
        ("rows", "[a][b]"),
        ("alone", "[]"),
        ("either", "[]"),
        ("optional", "ab"),
    ],
)
def test_templates(env, name, expected):
    assert env.get(name).render() == expected


def test_parent_may_depend_on_a_value(env):
    template = env.from_string("{% extends layout %}{% block head %}x{% endblock %}")
    assert template.render(layout="base") == "<x|base body>"
    assert template.render(layout="child") == "<x|child body>"


def test_circle(env):
    with pytest.raises(TemplateError, match="extend each other: loop -> pool -> loop"):
        env.get("loop").render()


def test_missing_template(env):
    with pytest.raises(TemplateNotFound) as caught:
        env.get("missing").render()
    assert str(caught.value) == "missing:2: template 'nope' not found (tried no)"


def test_no_parent_to_call(env):
    with pytest.raises(TemplateError, match="block 'a' has no parent"):
        env.render("{% block a %}{{ super() }}{% endblock %}")


def test_set_in_an_include_stays_there(env, templates):
    templates["setter"] = "{% set x = 2 %}"
    assert env.render("{% set x = 1 %}{% include 'setter' %}{{ x }}") == "1"
