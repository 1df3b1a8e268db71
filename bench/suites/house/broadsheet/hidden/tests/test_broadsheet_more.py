"""Judges repairs of broadsheet."""

import itertools
import re

import pytest

from broadsheet import Beside, Rule, Stack, Table, Text, pages
from broadsheet.cells import clusters, cut, fitted, width
from broadsheet.paragraph import broken, even, greedy, pieces
from broadsheet.styles import BadStyle, parse, plain, shown

TEXTS = ["", "one", "the quick brown fox", "日本語 テキスト です", "e\u0301te\u0301 na\u00efve", "co\u00adope\u00adra\u00adtion now", "a" * 30, "x\u00a0y z"]


def bare(line):
    return re.sub(r"\x1b\[[\d;]*m", "", line)


class TestCells:
    @pytest.mark.parametrize("text", TEXTS)
    @pytest.mark.parametrize("cells", [1, 2, 3, 7])
    def test_cut_and_fitted(self, text, cells):
        first, rest = cut(text, cells)
        assert first + rest == text
        assert width(first) <= cells
        assert "".join(clusters(text)) == text
        for align in ("left", "right", "center"):
            assert width(fitted(text, cells, align)) == cells

    def test_marks(self):
        assert cut("e\u0301\u0302a", 1) == ("e\u0301\u0302", "a")
        assert cut("日\ufe0f本", 2) == ("日\ufe0f", "本")
        assert width("\u1112\u1161") in (2, 3)


class TestParagraphs:
    @pytest.mark.parametrize("text", TEXTS)
    @pytest.mark.parametrize("cells", [2, 3, 5, 9, 40])
    @pytest.mark.parametrize("way", [greedy, even])
    def test_no_line_is_too_wide(self, text, cells, way):
        for line, start, end in broken(text, cells, way):
            assert width(line) <= cells
            assert line.rstrip("-") == text[start:end].rstrip("-")

    @pytest.mark.parametrize("cells", [6, 9, 13])
    def test_even_is_the_best(self, cells):
        found = pieces("it was a dark and very stormy night", cells)
        best = None
        for size in range(len(found)):
            for places in itertools.combinations(range(1, len(found)), size):
                bounds = [0, *places, len(found)]
                lines = [found[a:b] for a, b in zip(bounds, bounds[1:])]
                lengths = [sum(len(piece.text) for piece in line) + len(line) - 1 for line in lines]
                if all(length <= cells for length in lengths):
                    cost = sum((cells - length) ** 2 for length in lengths[:-1])
                    best = cost if best is None else min(best, cost)
        lengths = [width(line) for line, _, _ in broken("it was a dark and very stormy night", cells, even)]
        assert sum((cells - length) ** 2 for length in lengths[:-1]) == best

    def test_hyphens(self):
        text = "ab\u00adcd\u00adef"
        assert [line for line, _, _ in broken(text, 3)] == ["ab-", "cd-", "ef"]
        assert [line for line, _, _ in broken(text, 5)] == ["ab\u00adcd-", "ef"]
        assert [line for line, _, _ in broken(text, 6)] == [text]

    def test_long_words_between(self):
        assert [line for line, _, _ in broken("a bbbbb c", 2)] == ["a", "bb", "bb", "b", "c"]
        assert [line for line, _, _ in broken("a bbbbb c", 3, even)][1:3] == ["bbb", "bb"]


class TestStyles:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [("{u:a}{b:b}", "\x1b[4ma\x1b[0m\x1b[1mb\x1b[0m"), ("{u:{b:a}}", "\x1b[1;4ma\x1b[0m"), ("{b:}", ""), ("{b:a}{b:b}", "\x1b[1mab\x1b[0m"), ("{r:a}b", "\x1b[7ma\x1b[0mb"), (r"\\{b:a}", "\\\x1b[1ma\x1b[0m")],
    )
    def test_codes(self, text, expected):
        assert shown(parse(text)) == expected

    def test_each_line_stands_alone(self):
        lines = Text("a {b:b c {u:d e} f} g").lines(1)
        assert [bare(line) for line in lines] == list("abcdefg")
        assert lines[3] == "\x1b[1;4md\x1b[0m"
        assert lines[-1] == "g"

    def test_plain(self):
        assert plain(parse("{b:a {u:b}} c")) == "a b c"
        for text in ("{b:a}}", "{", "{b", "{q:a}", "}{b:a"):
            with pytest.raises(BadStyle):
                parse(text)


class TestBlocks:
    @pytest.mark.parametrize("align", ["left", "right", "center"])
    @pytest.mark.parametrize("text", ["one {b:two} three", "日本 {u:語}", "{b:co\u00adoperate} x", "", "a\n\n\n\nb"])
    def test_exact_widths(self, text, align):
        block = Stack(Text(text, align), Beside(Rule("*"), Text(text, align), gutter=2), gap=1)
        for cells in (7, 12, 31):
            assert {width(bare(line)) for line in block.lines(cells)} == {cells}

    def test_right_aligned_text_with_blanks_of_its_own(self):
        assert Text("\u00a0x", align="right").lines(4) == ["  \u00a0x"]
        assert Text("{b:x}", align="right").lines(3) == ["  \x1b[1mx\x1b[0m"]
        assert Text("{b:x}", align="center").lines(4) == [" \x1b[1mx\x1b[0m  "]

    def test_changes_go_all_the_way_up(self):
        text, table = Text("a"), Table(["h"])
        outer = Stack(Beside(Stack(text), table, gutter=0))
        assert outer.lines(4) == ["a h ", "  - "]
        text.text = "b"
        assert outer.lines(4)[0] == "b h "
        table.add("1")
        assert len(outer.lines(4)) == 3

    def test_block_in_two_places(self):
        text = Text("a")
        one, two = Stack(text), Stack(text, Rule())
        assert (one.lines(1), two.lines(1)) == (["a"], ["a", "-"])
        text.text = "b"
        assert (one.lines(1), two.lines(1)) == (["b"], ["b", "-"])

    def test_stacks_share_nothing(self):
        one, two = Stack(), Stack()
        one.add(Text("a"))
        assert (one.lines(1), two.lines(1)) == (["a"], [])

    def test_left_over_cells(self):
        block = Beside(Rule("a"), Rule("b"), Rule("c"), gutter=1)
        assert [block.lines(cells)[0] for cells in (5, 6, 7, 8)] == ["a b c", "aa b c", "aa bb c", "aa bb cc"]


class TestTables:
    def test_widest_gives_first(self):
        table = Table(["a", "b", "c"], [("x" * 9, "y" * 7, "z")])
        assert [table.widths(cells) for cells in (21, 20, 17, 7, 3)] == [[9, 7, 1], [8, 7, 1], [6, 6, 1], [1, 1, 1], [1, 1, 1]]

    @pytest.mark.parametrize(("values", "right"), [(["1,000.5"], True), (["+3", "-4%", "5 %"], True), (["1", "n/a"], False), (["", ""], False), (["", "2"], True)])
    def test_alignment(self, values, right):
        lines = Table(["wide head"], [(value,) for value in values]).lines(9)[2:]
        assert any(line.startswith(" ") and line.strip() for line in lines) is right

    def test_wide_and_wrapped(self):
        lines = Table(["k", "v"], [("日本語", "1"), ("ab", "22")]).lines(8)
        assert {width(line) for line in lines} == {8}
        assert [line.split() for line in lines[2:]] == [["日本", "1"], ["語"], ["ab", "22"]]


class TestPages:
    @pytest.mark.parametrize("height", [4, 5, 9])
    def test_heights(self, height):
        blocks = [Text("a b c d e f"), Rule(), Text("x\n\ny"), Table(["h"], [("1",), ("2",)])]
        found = pages(blocks, 1, height, head=lambda number: Rule("="))
        assert {len(page) for page in found} == {height}
        assert all(page[0] == "=" for page in found)
        assert "".join(line for page in found for line in page[1:]).replace(" ", "") == "abcdef-xyh-12"

    def test_three_lines_stay_together_and_four_do_not(self):
        assert pages([Rule(), Text("a b c")], 1, 3) == [["-", " ", " "], ["a", "b", "c"]]
        assert pages([Rule(), Text("a b c d")], 1, 3) == [["-", "a", "b"], ["c", "d", " "]]

    def test_shared_head(self):
        head = Stack(Text("h"), Rule())
        first = pages([Text("a b c d e")], 1, 4, head=lambda number: head)
        assert pages([Text("a b c d e")], 1, 4, head=lambda number: head) == first
        assert head.lines(1) == ["h", "-"]
