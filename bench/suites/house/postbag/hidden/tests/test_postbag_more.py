"""Judges repairs of postbag."""

import pytest

from postbag import Address, Letter, parse_list, words
from postbag.body import decode, encode, quoted
from postbag.errors import BadAddress, BadTemplate, Refused
from postbag.headers import Headers, fold, unfold
from postbag.mailing import Mailing
from postbag.template import Template

TEXTS = ["", " ", "a ", "\t", "é", "x" * 76, "x" * 77, "é" * 26, "=" * 30, "日本語テキスト" * 12, "one\n\n\ntwo", "tail\n", " lead"]


class TestAddresses:
    @pytest.mark.parametrize("name", ['"', "\\", "a\\\\b, c", "x<y>", "comma, \"quote\" \\ all"])
    def test_names(self, name):
        address = Address("a", "b.c", name)
        assert Address.parse(str(address)).name == name
        assert [one.name for one in parse_list(f"{address}, {address}")] == [name, name]

    def test_same_mailbox(self):
        assert len({Address("a", "X.org", "one"), Address("a", "x.ORG", "two"), Address("A", "x.org")}) == 2
        assert str(Address.parse("a@X.Org")) == "a@x.org"

    @pytest.mark.parametrize("text", ["a@b, c", "<>", "a@b c@d", "Name a@b.c"])
    def test_nothing_else(self, text):
        with pytest.raises(BadAddress):
            parse_list(text)

    def test_empty_list(self):
        assert parse_list(" , ,") == []


class TestHeaders:
    @pytest.mark.parametrize("text", ["ä" * 14, "ä" * 15, "ä" * 22, "ä" * 23, "ä" * 24, "a" + "ä" * 90, "日" * 31, "x" * 80 + "é", "😀" * 40])
    def test_words(self, text):
        found = words.encode(text).split(" ")
        assert all(len(word) <= 75 for word in found)
        assert "".join(words.decode(word) for word in found) == text

    def test_fold_and_unfold(self):
        line = "Keywords: " + " ".join("word" * (number % 4 + 1) for number in range(40))
        parts = fold(line)
        assert max(map(len, parts)) <= 76
        assert "".join(parts) == line
        assert unfold(parts) == [("Keywords", line.partition(": ")[2])]

    def test_word_that_is_longer_than_a_line(self):
        assert fold("X: " + "y" * 100) == ["X:", " " + "y" * 100]

    def test_set_and_copy(self):
        headers = Headers([("A", "1"), ("b", "2"), ("a", "3"), ("B", "4")])
        other = headers.copy()
        other.set("a", "5")
        other.set("c", "6")
        assert list(other) == [("a", "5"), ("b", "2"), ("B", "4"), ("c", "6")]
        assert list(headers) == [("A", "1"), ("b", "2"), ("a", "3"), ("B", "4")]

    def test_charsets_of_words(self):
        assert words.decode("=?windows-1252?q?=80_5?= and =?UTF-8?B?w6k=?=") == "€ 5 and é"
        assert words.decode("=?nonsense?b?6Q==?=") == "é"
        assert words.decode("=?ascii?q?=E9?=") == "\ufffd"
        assert words.decode("=?utf-8?q?a?= b =?utf-8?q?c?=") == "a b c"


class TestBodies:
    @pytest.mark.parametrize("text", TEXTS)
    def test_there_and_back(self, text):
        encoding, lines = encode(text)
        assert all(len(line) <= 76 and line == line.rstrip() for line in lines)
        assert decode(lines, encoding, "utf-8") == text
        assert Letter.from_bytes(Letter(Headers([("S", "x")]), text).to_bytes()).text == text

    def test_edges_of_lines(self):
        assert quoted("x" * 73 + "é") == ["x" * 73 + "=", "=C3=A9"]
        assert quoted("x" * 70 + "é") == ["x" * 70 + "=C3=A9"]
        assert quoted("x" * 69 + "éy") == ["x" * 69 + "=C3=A9y"]
        assert quoted("x" * 70 + "éy") == ["x" * 70 + "=C3=", "=A9y"]

    def test_what_others_write(self):
        assert decode(["=c3=a9=", "=C3=A9 ", ""], "QUOTED-PRINTABLE", "utf-8") == "éé\n"
        assert decode(["caf\xe9"], "8bit", "utf-8") == "caf\ufffd"
        assert decode(["caf\xe9"], "8bit", "no-such") == "café"

    def test_bare_newlines_and_none(self):
        assert Letter.from_bytes(b"A: b\n\nx\ny").text == "x\ny"
        assert Letter.from_bytes(b"A: b").text == ""
        assert Letter.from_bytes(b"A: b\r\n\r\nx\r\n\r\ny").text == "x\n\ny"


class TestMailings:
    def setup_method(self):
        self.taken, self.answers = [], []

    def send(self, address, data):
        self.taken.append((address, data))
        if self.answers:
            raise self.answers.pop(0)

    def make(self, text="Hi {name}"):
        return Mailing(Address("c", "d.e"), "Größe", Template(text), self.send)

    def test_order_and_tries(self):
        self.answers = [Refused("later"), Refused("never", for_good=True)]
        report = self.make().run([(Address("a", "x.y"), {}), (Address("b", "x.y"), {})])
        assert (len(self.taken), list(report.failed), report.sent) == (3, [Address("a", "x.y")], [Address("b", "x.y")])

    def test_exactly_three(self):
        self.answers = [Refused("later")] * 7
        report = self.make().run([(Address("a", "x.y"), {})])
        assert (len(self.taken), report.failed) == (3, {Address("a", "x.y"): "later"})

    def test_capitals(self):
        mailing = self.make()
        mailing.unsubscribe(Address("b", "X.Y"))
        report = mailing.run([(Address("a", "x.Y"), {}), (Address("a", "X.y"), {}), (Address("b", "x.y"), {}), (Address("A", "x.y"), {})])
        assert [one.local for one in report.sent] == ["a", "A"]
        assert len(report.skipped) == 2

    def test_letters_are_apart(self):
        mailing = self.make()
        one, two = mailing.letter(Address("a", "x.y"), {}), mailing.letter(Address("b", "x.y"), {})
        assert (one.headers["To"], two.headers["To"]) == ("a@x.y", "b@x.y")
        assert list(mailing.common) == [("From", "c@d.e")]
        assert (one.text, two.text) == ("Hi a", "Hi b")

    def test_values_win_over_the_name(self):
        assert self.make().letter(Address("a", "x.y", "Ann"), {"name": "Boss"}).text == "Hi Boss"


class TestTemplates:
    def test_nothing_is_filled_twice(self):
        values = {"a": "{{b}}", "b": "{a}"}
        assert Template("{a}{b}{{").fill(values) == "{{b}}{a}{"

    def test_filters(self):
        own = Template("{a|x|upper}", {"x": lambda text: f"<{text}>", "upper": str.lower})
        assert own.fill({"a": "B"}) == "<b>"
        assert Template("{a|upper}").fill({"a": "b"}) == "B"
        with pytest.raises(BadTemplate, match="'x'"):
            Template("{a|x}").fill({"a": "b"})

    @pytest.mark.parametrize(("text", "line"), [("{x}", 1), ("\n{x}\n", 2), ("a\nb\n\nc {x}", 4), ("{a}\n{", 2)])
    def test_lines(self, text, line):
        with pytest.raises(BadTemplate) as caught:
            Template(text).fill({"a": "1\n2\n3"})
        assert caught.value.line == line
