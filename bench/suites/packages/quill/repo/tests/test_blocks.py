import pytest

from quill import Document
from quill.nodes import CodeBlock, Heading, ListBlock, Paragraph, Quote, Table


def kinds(source):
    return [type(node).__name__ for node in Document(source).root.children]


@pytest.mark.parametrize(
    ("source", "level", "text"),
    [
        ("# a", 1, "a"),
        ("###### a", 6, "a"),
        ("## a ##", 2, "a"),
        ("# a #b", 1, "a #b"),
        ("#", 1, ""),
        ("a\n===", 1, "a"),
        ("a\nb\n---", 2, "a b"),
    ],
)
def test_headings(source, level, text):
    from quill.nodes import plain

    (heading,) = Document(source).root.children
    assert isinstance(heading, Heading)
    assert (heading.level, plain(heading.children)) == (level, text)


@pytest.mark.parametrize("source", ["#a", "####### a", "\\# a", "===\na"])
def test_not_headings(source):
    assert kinds(source) == ["Paragraph"]


@pytest.mark.parametrize("source", ["---", "***", "_ _ _", "  -----"])
def test_rules(source):
    assert kinds(source) == ["Rule"]


def test_paragraphs(html):
    assert html("a\nb\n\n\nc") == "<p>a\nb</p><p>c</p>"
    assert kinds("a\n# b\nc\n***\nd\n> e") == ["Paragraph", "Heading", "Paragraph", "Rule", "Paragraph", "Quote"]
    assert kinds("a\n2. b") == ["Paragraph"]
    assert kinds("a\n1. b") == ["Paragraph", "ListBlock"]


class TestCode:
    @pytest.mark.parametrize(
        ("source", "text", "language"),
        [
            ("```\na\n```", "a\n", ""),
            ("```python x\na\n```", "a\n", "python"),
            ("~~~\n```\n~~~", "```\n", ""),
            ("````\n```\n````", "```\n", ""),
            ("```\na", "a\n", ""),
            ("  ```\n  a\n    b\n c\n  ```", "a\n  b\nc\n", ""),
            ("```\n\n a\n```", "\n a\n", ""),
            ("    a\n\n      b\n", "a\n\n  b\n", ""),
            ("\ta", "a\n", ""),
        ],
    )
    def test_blocks(self, source, text, language):
        assert Document(source).root.children == [CodeBlock(text, language)]

    def test_markup_is_not_read(self, html):
        assert html("```\n*a* <b>\n```") == "<pre><code>*a* &lt;b&gt;\n</code></pre>"


class TestQuotes:
    def test_nested(self, html):
        assert html("> a\n> > b") == "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>"

    def test_lazy_lines(self, html):
        assert html("> a\nb\n\nc") == "<blockquote><p>a\nb</p></blockquote><p>c</p>"

    def test_not_lazy(self):
        assert kinds("> a\n# b") == ["Quote", "Heading"]
        assert kinds("> a\n>\nb") == ["Quote", "Paragraph"]

    def test_blocks_inside(self):
        (quote,) = Document("> # a\n> - b").root.children
        assert isinstance(quote, Quote)
        assert [type(node) for node in quote.children] == [Heading, ListBlock]


class TestLists:
    def test_tight(self, html):
        assert html("- a\n- b") == "<ul><li>a</li><li>b</li></ul>"

    @pytest.mark.parametrize("source", ["- a\n\n- b", "- a\n- b\n\n- c", "- a\n\n  b\n- c"])
    def test_loose(self, source, html):
        assert Document(source).root.children[0].tight is False
        assert "<li><p>a</p>" in html(source)

    @pytest.mark.parametrize("source", ["- a\n- b\n\nc", "- a\n  - b\n- c\n\n", "- a\n  - b\n\n    c\n- d"])
    def test_blank_lines_elsewhere_do_not_make_it_loose(self, source):
        assert Document(source).root.children[0].tight is True

    def test_nested(self, html):
        assert html("- a\n  - b\n    - c\n- d") == "<ul><li>a\n<ul><li>b\n<ul><li>c</li></ul></li></ul></li><li>d</li></ul>"

    def test_ordered(self, html):
        assert html("1. a\n2. b") == "<ol><li>a</li><li>b</li></ol>"
        assert html("3) a\n9) b") == '<ol start="3"><li>a</li><li>b</li></ol>'

    def test_another_marker_begins_another_list(self):
        assert kinds("- a\n* b\n1. c\n2) d") == ["ListBlock"] * 4

    def test_rule_ends_a_list(self):
        assert kinds("* a\n* * *\n* b") == ["ListBlock", "Rule", "ListBlock"]

    def test_lazy_lines(self, html):
        assert html("- a\nb\n- c") == "<ul><li>a\nb</li><li>c</li></ul>"

    def test_blocks_inside(self):
        (block,) = Document("10. a\n\n    ```\n    b\n    ```\n\n    c").root.children
        assert [type(node) for node in block.children[0].children] == [Paragraph, CodeBlock, Paragraph]
        assert (block.start, block.children[0].children[1].text) == (10, "b\n")

    def test_ends_where_the_indent_does(self):
        assert kinds("- a\n\n b") == ["ListBlock", "Paragraph"]

    def test_empty_item(self, html):
        assert html("- a\n-\n- b") == "<ul><li>a</li><li></li><li>b</li></ul>"


class TestTables:
    def test_cells_and_aligns(self):
        (table,) = Document("| a | b | c | d |\n|---|:--|--:|:-:|\n| 1 | 2 |\n| 1 | 2 | 3 | 4 | 5 |").root.children
        assert isinstance(table, Table)
        assert table.aligns == [None, "left", "right", "center"]
        assert [len(row) for row in table.rows] == [4, 4]

    def test_html(self, html):
        assert html("a | b\n-:|-\n*1* | 2") == (
            '<table><thead><tr><th style="text-align: right">a</th><th>b</th></tr></thead>'
            '<tbody><tr><td style="text-align: right"><em>1</em></td><td>2</td></tr></tbody></table>'
        )

    def test_bars_that_do_not_part(self, html):
        assert "<td>a|b</td><td><code>c|d</code></td>" in html("x | y\n-|-\na\\|b | `c|d`")

    def test_ends_without_a_bar(self):
        assert kinds("a|b\n-|-\nc|d\ntext") == ["Table", "Paragraph"]

    @pytest.mark.parametrize("source", ["a|b\n-", "a|b\nc|d", "a|b"])
    def test_not_tables(self, source):
        assert "Table" not in kinds(source)


def test_line_ends_of_all_kinds(html):
    assert html("a\r\n\r\nb\rc") == "<p>a</p><p>b\nc</p>"


def test_empty():
    assert kinds("") == kinds("\n \n") == []
