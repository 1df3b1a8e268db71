import pytest

from stencil import Markup, escape


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("<a href='x'>", "&lt;a href=&#39;x&#39;&gt;"),
        ('"&"', "&quot;&amp;&quot;"),
        (3, "3"),
        (Markup("<b>"), "<b>"),
        ("&lt;", "&amp;lt;"),
    ],
)
def test_escape(value, expected):
    assert escape(value) == expected
    assert isinstance(escape(value), Markup)


def test_what_is_added_is_escaped():
    assert Markup("<b>") + "<" == "<b>&lt;"
    assert "<" + Markup("<b>") == "&lt;<b>"
    assert Markup("<b>") * 2 == "<b><b>"
    assert Markup("<i>%s</i>%d") % ("<", 3) == "<i>&lt;</i>3"
    assert Markup("%(a)s") % {"a": "&"} == "&amp;"
    assert Markup("<br>").join(["<", Markup("<b>")]) == "&lt;<br><b>"


def test_unescape():
    assert escape("<a & 'b'>").unescape() == "<a & 'b'>"
    assert Markup("&amp;lt;").unescape() == "&lt;"
