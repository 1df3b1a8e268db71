import pytest


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("plain", "plain"),
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("*a*", "<em>a</em>"),
        ("_a_", "<em>a</em>"),
        ("**a**", "<strong>a</strong>"),
        ("***a***", "<em><strong>a</strong></em>"),
        ("*a **b** c*", "<em>a <strong>b</strong> c</em>"),
        ("**a *b* c**", "<strong>a <em>b</em> c</strong>"),
        ("**a *b***", "<strong>a <em>b</em></strong>"),
        ("*a* b *c*", "<em>a</em> b <em>c</em>"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("*a", "*a"),
        ("snake_case_name", "snake_case_name"),
        ("in*fix*ed", "in<em>fix</em>ed"),
        ("a ****", "a ****"),
        ("*a `*` b*", "<em>a <code>*</code> b</em>"),
        (r"*a \* b*", "<em>a * b</em>"),
        (r"\*a\*", "*a*"),
        (r"\a \\", "\\a \\"),
    ],
)
def test_emphasis(inline, source, expected):
    assert inline(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("`a`", "<code>a</code>"),
        ("`a < b`", "<code>a &lt; b</code>"),
        ("``a ` b``", "<code>a ` b</code>"),
        ("`` ` ``", "<code>`</code>"),
        ("` `", "<code> </code>"),
        ("`a\nb`", "<code>a b</code>"),
        ("`a", "`a"),
        ("``a`", "``a`"),
        (r"`\`", r"<code>\</code>"),
        ("`*a*`", "<code>*a*</code>"),
    ],
)
def test_code(inline, source, expected):
    assert inline(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("[a](b)", '<a href="b">a</a>'),
        ('[a](b "t")', '<a href="b" title="t">a</a>'),
        (r"""[a](b 't "\' u')""", '<a href="b" title="t &quot;\' u">a</a>'),
        ("[a](<b c>)", '<a href="b c">a</a>'),
        ("[a](b(c)d)", '<a href="b(c)d">a</a>'),
        ("[*a*](b)", '<a href="b"><em>a</em></a>'),
        ("[a [b] c](d)", '<a href="d">a [b] c</a>'),
        ("[`]`](d)", '<a href="d"><code>]</code></a>'),
        ("[a](b", "[a](b"),
        ("[a]", "[a]"),
        (r"[a\]](b)", '<a href="b">a]</a>'),
        ("![a *b*](c)", '<img src="c" alt="a *b*">'),
        ("[![a](b)](c)", '<a href="c"><img src="b" alt="a"></a>'),
        ("!x", "!x"),
        ("<https://a.b/c?d&e>", '<a href="https://a.b/c?d&amp;e">https://a.b/c?d&amp;e</a>'),
        ("<ada@example.org>", '<a href="mailto:ada@example.org">ada@example.org</a>'),
        ("<b>", "&lt;b&gt;"),
        ("[a](javascript:x)", '<a href="">a</a>'),
        ("[a](JavaScript:x)", '<a href="">a</a>'),
        ("[a](x/y:z)", '<a href="x/y:z">a</a>'),
    ],
)
def test_links(inline, source, expected):
    assert inline(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a\nb", "a\nb"),
        ("a  \nb", "a<br>b"),
        ("a \nb", "a\nb"),
        ("a\\\nb", "a<br>b"),
        ("a\n   b", "a\nb"),
        ("a  ", "a"),
    ],
)
def test_line_ends(inline, source, expected):
    assert inline(source) == expected


class TestReferences:
    def test_ways_to_refer(self, html):
        source = "[x][n] [n][] [n] ![i][n]\n\n[n]: t 'T'"
        link = '<a href="t" title="T">{}</a>'
        image = '<img src="t" alt="i" title="T">'
        assert html(source) == f"<p>{link.format('x')} {link.format('n')} {link.format('n')} {image}</p>"

    def test_names_do_not_mind_capitals_and_blanks(self, html):
        assert html("[My  Name]: t\n\n[x][my name]") == '<p><a href="t">x</a></p>'

    def test_first_definition_holds(self, html):
        assert html("[a]: 1\n[a]: 2\n\n[a]") == '<p><a href="1">a</a></p>'

    def test_unknown_names_stay_text(self, html):
        assert html("[a][b]") == "<p>[a][b]</p>"

    def test_not_in_code(self, html):
        assert html("```\n[a]: b\n```\n[a]") == "<pre><code>[a]: b\n</code></pre><p>[a]</p>"

    def test_not_inside_of_a_paragraph(self, html):
        assert html("text\n[a]: b") == "<p>text\n[a]: b</p>"
