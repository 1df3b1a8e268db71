import pytest

from quill import to_text
from quill.text import wrap


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("aaa bbb ccc", 7, ["aaa bbb", "ccc"]),
        ("aaa bbb ccc", 6, ["aaa", "bbb", "ccc"]),
        ("aaa bbb ccc", 11, ["aaa bbb ccc"]),
        ("longword a", 4, ["longword", "a"]),
        ("a\nb c", 9, ["a", "b c"]),
        ("", 5, [""]),
    ],
)
def test_wrap(text, width, expected):
    assert wrap(text, width) == expected


def test_wrap_with_prefixes():
    assert wrap("aaa bbb ccc", 9, "- ", "  ") == ["- aaa bbb", "  ccc"]
    assert wrap("a\nb", 9, "- ", "  ") == ["- a", "  b"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# Title\n\ntext", "Title\n=====\n\ntext\n"),
        ("## Title", "Title\n-----\n"),
        ("### Title", "Title\n"),
        ("*a* **b** `c`", "*a* B `c`\n"),
        ("a\nb  \nc", "a b\nc\n"),
        ("```\na\n\nb\n```", "    a\n\n    b\n"),
        ("> a\n>\n> b", "> a\n>\n> b\n"),
        ("- a\n- b", "- a\n- b\n"),
        ("- a\n\n- b", "- a\n\n- b\n"),
        ("- a\n  - b\n- c", "- a\n  - b\n- c\n"),
        ("> - a\n> - b", "> - a\n> - b\n"),
        ("-\n- b", "-\n- b\n"),
        ("![a](b)", "[a]\n"),
        ("", ""),
    ],
)
def test_blocks(source, expected):
    assert to_text(source) == expected


def test_paragraphs_are_wrapped():
    assert to_text("aaaa bbbb cccc", width=9) == "aaaa bbbb\ncccc\n"
    assert to_text("> aaaa bbbb", width=9) == "> aaaa\n> bbbb\n"
    assert to_text("- aaaa bbbb cccc", width=11) == "- aaaa bbbb\n  cccc\n"


def test_numbers_are_aligned():
    source = "\n".join(f"{number}. x" for number in range(8, 12))
    assert to_text(source) == "8.  x\n9.  x\n10. x\n11. x\n"


def test_rule_is_as_wide_as_the_text():
    assert to_text("***", width=10) == "-" * 10 + "\n"
    assert to_text("> ***", width=10) == "> " + "-" * 8 + "\n"


def test_links_become_notes():
    source = "[a](x) [b](y) [c](x) <https://z>"
    assert to_text(source) == "a [1] b [2] c [1] https://z\n\n[1] x\n[2] y\n"


def test_table():
    source = "name | price | x\n---|--:|:-:\ntea | 3 | a\ncoffee | 12 | bcd"
    assert to_text(source) == (
        "name    price   x\n------  -----  ---\ntea         3   a\ncoffee     12  bcd\n"
    )
