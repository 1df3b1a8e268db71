"""Judges repairs: never seen by an engine or the gate."""

import pytest

from quill import Document, to_html, to_text
from quill.html import HtmlRenderer
from quill.text import TextRenderer, wrap


def flat(source):
    return to_html(source).replace(">\n", ">")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# A\n# A\n# A\n# A", ["a", "a-1", "a-2", "a-3"]),
        ("# A 1\n# A\n# A\n# A", ["a-1", "a", "a-2", "a-3"]),
        ("# A\n# B\n# A\n# B\n# A", ["a", "b", "a-1", "b-1", "a-2"]),
        ("# A\n# A-1\n# A\n# A-1", ["a", "a-1", "a-2", "a-1-1"]),
        ("# A\n> # A\n\n- # A", ["a", "a-1", "a-2"]),
        ("# ?\n# section\n# !", ["section", "section-1", "section-2"]),
        ("## x\n# X\n### *x*", ["x", "x-1", "x-2"]),
    ],
)
def test_anchors(source, expected):
    found = [node.anchor for node in Document(source).root.walk() if type(node).__name__ == "Heading"]
    assert found == expected
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("- a\n  > b", "<ul><li>a\n<blockquote><p>b</p></blockquote></li></ul>"),
        ("- > a\n- b", "<ul><li><blockquote><p>a</p></blockquote></li><li>b</li></ul>"),
        ("- a\n  > - b\n  > - c\n- d", "<ul><li>a\n<blockquote><ul><li>b</li><li>c</li></ul></blockquote></li><li>d</li></ul>"),
        ("- > a\n  > - b\n  >\n  > - c", "<ul><li><blockquote><p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul></blockquote></li></ul>"),
        ("> - a\n>   > b\n>\n> c", "<blockquote><ul><li>a\n<blockquote><p>b</p></blockquote></li></ul><p>c</p></blockquote>"),
        ("- a\n\n- > b", "<ul><li><p>a</p></li><li><blockquote><p>b</p></blockquote></li></ul>"),
        ("1. a\n   > b\n\nc", "<ol><li>a\n<blockquote><p>b</p></blockquote></li></ol><p>c</p>"),
    ],
)
def test_quotes_in_lists(source, expected):
    assert flat(source).replace("<li>\n", "<li>") == expected


def test_renderer_can_be_used_again():
    renderer = HtmlRenderer()
    first = [renderer.visit(Document(source).root) for source in ("- a\n  > b", "c", "- a\n\n- b")]
    assert first[1] == "<p>c</p>\n"
    assert first == [renderer.visit(Document(source).root) for source in ("- a\n  > b", "c", "- a\n\n- b")]


@pytest.mark.parametrize(
    ("start", "count", "width"),
    [(1, 9, 3), (1, 10, 4), (9, 1, 3), (9, 2, 4), (10, 1, 4), (95, 5, 4), (95, 6, 5), (99, 2, 5), (100, 1, 5), (8, 4, 4)],
)
def test_width_of_numbers(start, count, width):
    shown = to_text("\n".join(f"{start + number}. x" for number in range(count)))
    lines = shown.splitlines()
    assert [line.index("x") for line in lines] == [width] * count
    assert [int(line.split(".")[0]) for line in lines] == list(range(start, start + count))


def test_numbered_texts_are_wrapped_under_themselves():
    shown = to_text("9. aaaa bbbb\n10. cccc dddd", width=9)
    assert shown == "9.  aaaa\n    bbbb\n10. cccc\n    dddd\n"
    assert to_text("- 99. a\n  100. b") == "- 99.  a\n  100. b\n"


class TestDefinitions:
    @pytest.mark.parametrize("name", ["a", "A", " a "])
    def test_first_one_holds_however_it_is_written(self, name):
        assert flat(f"[a]: 1 'x'\n[{name}]: 2 'y'\n[{name}]: 3\n\n[A]") == '<p><a href="1" title="x">A</a></p>'

    def test_also_when_it_has_no_title(self):
        assert flat("[a]: 1\n\ntext\n\n[a]: 2 'y'\n\n[a]") == '<p>text</p><p><a href="1">a</a></p>'

    def test_others_are_not_touched(self):
        assert flat("[a]: 1\n[b]: 2\n[a]: 3\n\n[a][b] [b][a]") == '<p><a href="2">a</a> <a href="1">b</a></p>'


@pytest.mark.parametrize(
    ("text", "width", "first", "rest", "expected"),
    [
        ("a\nb\nc", 9, "1. ", "   ", ["1. a", "   b", "   c"]),
        ("aa bb\ncc dd", 6, "- ", "  ", ["- aa", "  bb", "  cc", "  dd"]),
        ("\nb", 9, "- ", "  ", ["-", "  b"]),
        ("a\n\nb", 9, "> ", "> ", ["> a", ">", "> b"]),
        ("a b", 3, "xx", "y", ["xxa", "yb"]),
        ("a b", 9, "", "", ["a b"]),
        ("", 9, "- ", "  ", ["-"]),
    ],
)
def test_prefixes(text, width, first, rest, expected):
    assert wrap(text, width, first, rest) == expected


@pytest.mark.parametrize(
    ("source", "tight"),
    [
        ("- a\n  - b\n\n    c\n- d", (True, False)),
        ("- a\n\n  - b\n  - c\n- d", (False, True)),
        ("- a\n  - b\n  - c\n\n- d", (False, True)),
        ("- a\n  - b\n    - c\n\n      d\n- e", (True, True, False)),
        ("- a\n  1. b\n\n     c\n  2. d\n- e", (True, False)),
    ],
)
def test_blank_lines_count_for_the_list_that_they_part(source, tight):
    found = tuple(node.tight for node in Document(source).root.walk() if type(node).__name__ == "ListBlock")
    assert found == tight


def test_renderers_agree_on_looseness():
    assert to_text("- a\n  - b\n\n    c\n- d") == "- a\n  - b\n\n    c\n- d\n"


def test_notes_are_those_of_one_text():
    renderer = TextRenderer()
    for _ in range(2):
        assert renderer.visit(Document("[a](x)").root) == "a [1]\n\n[1] x\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("`a``b`", "<code>a``b</code>"),
        ("``a`b``c`", "<code>a`b</code>c`"),
        ("`a``", "`a``"),
        ("```a``b```", "<code>a``b</code>"),
        ("*a ``*`` b*", "<em>a <code>*</code> b</em>"),
    ],
)
def test_code_spans(source, expected):
    assert flat("x " + source) == f"<p>x {expected}</p>"
