import pytest

from broadsheet import Beside, Rule, Stack, Table, Text, pages
from broadsheet.cells import width
from broadsheet.paragraph import even
from broadsheet.styles import BadStyle, Run, parse, shown


class TestStyles:
    def test_nested(self):
        assert parse("a {b:b {u:c} d}") == [Run("a "), Run("b ", ("b",)), Run("c", ("b", "u")), Run(" d", ("b",))]

    def test_braces(self):
        assert parse(r"\{b:x\} \\ \n") == [Run(r"{b:x} \ \n")]

    @pytest.mark.parametrize("text", ["{x:a}", "{b a}", "{b:a", "a}", "{"])
    def test_bad(self, text):
        with pytest.raises(BadStyle):
            parse(text)

    def test_codes(self):
        assert shown(parse("a{b:b{u:c}}")) == "a\x1b[1mb\x1b[0m\x1b[1;4mc\x1b[0m"

    def test_same_style_twice(self):
        assert shown(parse("{b:a{b:b}}")) == "\x1b[1mab\x1b[0m"


class TestText:
    def test_lines_are_filled_up(self):
        assert Text("one two three").lines(8) == ["one two ", "three   "]

    def test_align(self):
        assert Text("one two three", align="right").lines(8) == [" one two", "   three"]
        assert Text("ab", align="center").lines(5) == [" ab  "]

    def test_paragraphs(self):
        assert Text("a\n\nb").lines(2) == ["a ", "  ", "b "]
        assert Text("").lines(2) == ["  "]

    def test_style_over_a_line_end(self):
        assert Text("{b:one two}").lines(3) == ["\x1b[1mone\x1b[0m", "\x1b[1mtwo\x1b[0m"]

    def test_codes_take_no_cells(self):
        assert Text("{b:a} b").lines(5) == ["\x1b[1ma\x1b[0m b  "]

    def test_hyphen_has_the_style_of_its_word(self):
        assert Text("{b:co\u00adoperate}").lines(7) == ["\x1b[1mco-\x1b[0m    ", "\x1b[1moperate\x1b[0m"]

    def test_soft_hyphens_are_not_shown(self):
        assert Text("co\u00adop").lines(6) == ["coop  "]

    def test_way(self):
        assert Text("aaa bb cc ddddd", way=even).lines(6)[0] == "aaa   "


class TestMemory:
    def test_changed_text(self):
        text = Text("a")
        assert text.lines(2) == ["a "]
        text.text = "b"
        assert text.lines(2) == ["b "]

    def test_stack_changes_with_what_is_in_it(self):
        text = Text("a")
        outer = Stack(Stack(text), Rule())
        assert outer.lines(2) == ["a ", "--"]
        text.text = "b"
        assert outer.lines(2) == ["b ", "--"]

    def test_beside_changes_with_what_is_in_it(self):
        table = Table(["h"])
        block = Beside(table, Text("x"))
        assert len(block.lines(9)) == 2
        table.add("v")
        assert len(block.lines(9)) == 3

    def test_stack_grows(self):
        stack = Stack(Text("a"))
        stack.lines(2)
        stack.add(Text("b"))
        assert stack.lines(2) == ["a ", "b "]

    def test_lines_are_a_copy(self):
        text = Text("a")
        text.lines(2).append("x")
        assert text.lines(2) == ["a "]

    def test_widths_are_apart(self):
        text = Text("ab cd")
        assert [len(text.lines(cells)) for cells in (2, 5, 2)] == [2, 1, 2]

    def test_no_cells(self):
        with pytest.raises(ValueError, match="at least one cell"):
            Rule().lines(0)


class TestComposition:
    def test_rule(self):
        assert Rule("=").lines(3) == ["==="]
        assert Rule("日").lines(5) == ["日日 "]

    def test_gap(self):
        assert Stack(Text("a"), Text("b"), gap=1).lines(1) == ["a", " ", "b"]

    def test_beside(self):
        assert Beside(Text("aa bb"), Text("c")).lines(6) == ["aa  c ", "bb    "]

    def test_cells_that_are_left_over(self):
        assert Beside(Text("a"), Text("b"), Text("c"), gutter=0).lines(5) == ["a b c"]


class TestTable:
    def test_as_wide_as_it_needs_to_be(self):
        table = Table(["name", "n"], [("ann", 5), ("bo", 12)])
        assert table.lines(10) == ["name   n  ", "----  --  ", "ann    5  ", "bo    12  "]

    def test_widest_column_gives(self):
        table = Table(["a", "b"], [("x" * 10, "yyy")])
        assert table.widths(11) == [6, 3]

    def test_cells_wrap(self):
        table = Table(["a", "b"], [("one two", "x")])
        assert table.lines(6) == ["a    b", "---  -", "one  x", "two   "]

    @pytest.mark.parametrize(("cells", "align"), [(("1", "2.5", "-3", "4 %"), "  "), (("1", "x"), ""), (("", "7"), "  ")])
    def test_numbers_stand_right(self, cells, align):
        lines = Table(["wide"], [(cell,) for cell in cells]).lines(4)
        assert lines[-1].startswith(" ") == bool(align)

    def test_wide_signs(self):
        assert Table(["日本", "x"], [("a", "b")]).lines(7) == ["日本  x", "----  -", "a     b"]

    def test_missing_and_too_many_cells(self):
        table = Table(["a", "b"], [("x",)])
        assert table.rows == [["x", ""]]
        with pytest.raises(ValueError, match="3 cells for 2"):
            table.add(1, 2, 3)

    def test_every_line_has_its_width(self):
        table = Table(["first", "second", "third"], [("some words here", "日本語" * 3, "12"), ("", "x", "3.5")])
        for cells in (9, 14, 20, 40):
            assert {width(line) for line in table.lines(cells)} == {cells}


class TestPages:
    def test_blocks_that_stay_together(self):
        found = pages([Text("a\n\nb"), Text("c\n\nd")], 1, 4)
        assert found == [["a", " ", "b", " "], ["c", " ", "d", " "]]

    def test_long_blocks_are_divided(self):
        found = pages([Text("a b c d e")], 1, 2)
        assert found == [["a", "b"], ["c", "d"], ["e", " "]]

    def test_head_on_every_page(self):
        found = pages([Text("a b c d")], 1, 3, head=lambda number: Text(str(number)))
        assert found == [["1", "a", "b"], ["2", "c", "d"]]

    def test_heads_are_not_used_up(self):
        head = Text("h")
        for _ in range(2):
            assert pages([Text("a b c d")], 1, 3, head=lambda number: head)[1] == ["h", "c", "d"]

    def test_nothing(self):
        assert pages([], 5, 5) == []
