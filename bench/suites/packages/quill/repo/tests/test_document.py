import pytest

from quill import Document, to_html
from quill.nodes import Node
from quill.html import HtmlRenderer
from quill.toc import contents_html, slug


@pytest.mark.parametrize(
    ("text", "expected"),
    [("A Title!", "a-title"), ("  a -- b_c ", "a-b-c"), ("Größe 2", "größe-2"), ("?!", "")],
)
def test_slugs(text, expected):
    assert slug(text) == expected


def anchors(source):
    return [node.anchor for node in Document(source).root.walk() if type(node).__name__ == "Heading"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# A\n# B", ["a", "b"]),
        ("# A\n# A\n# A", ["a", "a-1", "a-2"]),
        ("# A\n# A 1\n# A", ["a", "a-1", "a-2"]),
        ("# *A* `b`", ["a-b"]),
        ("# !\n# ?", ["section", "section-1"]),
    ],
)
def test_anchors_are_unique(source, expected):
    assert anchors(source) == expected


def shape(entries):
    return [(entry.title, shape(entry.entries)) if entry.entries else entry.title for entry in entries]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# a\n## b\n## c\n# d", [("a", ["b", "c"]), "d"]),
        ("# a\n### b\n## c", [("a", ["b", "c"])]),
        ("## a\n# b\n### c\n### d", ["a", ("b", ["c", "d"])]),
        ("# a\n## b\n### c\n# d", [("a", [("b", ["c"])]), "d"]),
        ("text", []),
    ],
)
def test_contents(source, expected):
    assert shape(Document(source).contents()) == expected


def test_contents_down_to_a_level():
    assert shape(Document("# a\n## b\n### c").contents(deepest=2)) == [("a", ["b"])]


def test_contents_as_html():
    entries = Document("# a & b\n## c").contents()
    assert contents_html(entries) == (
        '<ul><li><a href="#a-b">a &amp; b</a><ul><li><a href="#c">c</a></li></ul></li></ul>'
    )


@pytest.mark.parametrize(("source", "title"), [("## a\n# b", "b"), ("## *a*\n### b", "a"), ("text", ""), ("> # q", "q")])
def test_title(source, title):
    assert Document(source).title == title


def test_links():
    assert Document("[a](x) ![b](y)\n\n- [c](x)\n\n| [t](z) |\n|-|").links() == ["x", "y", "z"]


def test_tree_is_made_once():
    document = Document("# a")
    assert document.root is document.root


def test_shifted_headings():
    assert to_html("# a\n###### b", shift=1) == '<h2 id="a">a</h2>\n<h6 id="b">b</h6>\n'


def test_soft_breaks():
    assert to_html("a\nb", soft_break=" ") == "<p>a b</p>\n"


def test_unknown_nodes():
    class Odd(Node):
        pass

    with pytest.raises(TypeError, match="HtmlRenderer cannot show Odd"):
        HtmlRenderer().visit(Odd())


def test_quote_is_the_same_wherever_it_stands(html):
    quote = "<blockquote><p>now</p><ul><li>then</li></ul></blockquote>"
    assert html("> now\n> - then") == quote
    assert html("- ever\n  > now\n  > - then") == f"<ul><li>ever\n{quote}</li></ul>"


def test_tight_list_in_a_quote_in_a_list(html):
    source = "- a\n  > b\n  >\n  > - c"
    assert html(source) == "<ul><li>a\n<blockquote><p>b</p><ul><li>c</li></ul></blockquote></li></ul>"


def test_rendering_twice_gives_the_same():
    document = Document("- a\n\n[x](y)")
    renderer = HtmlRenderer()
    assert renderer.visit(document.root) == renderer.visit(document.root)
    assert document.text() == document.text()
