import pytest

from letters.filters import FILTERS, listed, money, plural, quoted, short, title, upper
from letters.template import Letter, Reminder, TemplateError, fields, render


def test_render():
    assert render("", {}) == ""
    assert render("{a}{b}{a}", {"a": 1, "b": None}) == "1None1"
    assert render("{{{a}", {"a": "x"}) == "{x"
    assert render("} {a b} {}", {"a": 1}) == "} {a b} {}"
    assert render("{a|upper|short}", {"a": "z" * 30}) == "Z" * 17 + "..."
    assert render("{x|upper}", {}, missing="-") == "-"
    assert render("<{x}>", {}, missing="") == "<>"
    assert render("{a|list|title}", {"a": ["x", "y"]}) == "X And Y"
    assert render("{zero}", {"zero": 0}) == "0"
    for template in ("{b}", "{a|nope}", "{a|upper|nope}"):
        with pytest.raises(TemplateError):
            render(template, {"a": "x"})


def test_fields():
    assert fields("no") == []
    assert fields("{{a} {{{b} {c|x|y}{b}{d}") == ["b", "c", "d"]


def test_filters():
    assert upper(None) == "NONE"
    assert title("a  bC d") == "A  BC D"
    assert title("") == ""
    assert money(0) == "0.00"
    assert money(-9999999.999) == "-10,000,000.00"
    assert listed(["x", "y"]) == "x and y"
    assert listed(iter([1, 2, 3, 4])) == "1, 2, 3 and 4"
    assert short("abcdefgh", 6) == "abc..."
    assert short(12345678901234567890) == "12345678901234567890"
    assert quoted("\\\"") == '"\\\\\\""'
    assert quoted(5) == '"5"'
    assert [plural(count) for count in (0, 1, 2)] == ["s", "", "s"]
    assert set(FILTERS) == {"upper", "title", "money", "list", "short", "quote", "s"}


def test_letter():
    letter = Letter("\n\nBody {x}\n", x=1, sender="S")
    assert letter.text(name="N", x=2) == "Dear N,\n\nBody 2\n\nYours,\nS"
    assert "Body 1" in letter.text(name="N")
    assert letter.text(name="N", sender="T").endswith("Yours,\nT")
    with pytest.raises(TemplateError, match="unknown field sender"):
        Letter("").text(name="N")
    assert letter.for_all([]) == {}
    assert letter.for_all([{"name": "A", "x": 7}])["A"] == "Dear A,\n\nBody 7\n\nYours,\nS"


def test_reminder():
    one, two = Reminder("b", sender="S"), Reminder("c", sender="S")
    heads = [reminder.text(name=name).split("\n")[0] for reminder, name in ((one, "A"), (one, "A"), (one, "B"), (two, "A"), (one, "A"))]
    assert heads == ["Reminder 1", "Reminder 2", "Reminder 1", "Reminder 1", "Reminder 3"]
    assert one.sent == {"A": 3, "B": 1}
    assert isinstance(one, Letter)
    assert one.text(name="C") == "Reminder 1\n\nDear C,\n\nb\n\nYours,\nS"
