import pytest

from inifile import ParseError, as_bool, as_list, dump, expand, parse


def test_parse():
    assert parse("") == {"": {}}
    assert parse("#a=1\n  ;b=2\n\n") == {"": {}}
    assert parse("[X y]\nA B = c") == {"": {}, "X y": {"a b": "c"}}
    assert parse("[  pad ]\nk=v")["pad"] == {"k": "v"}
    assert parse("k = v # note\nl = 'v # note'\nm = a#b\nn = \"\"")[""] == {"k": "v", "l": "v # note", "m": "a#b", "n": ""}
    assert parse("[s]\na=1\n[t]\nb=2\n[ s ]\nc=3\n[t]") == {"": {}, "s": {"a": "1", "c": "3"}, "t": {"b": "2"}}
    assert parse("k = '") == {"": {"k": "'"}}
    assert parse("k = a = b = c")[""]["k"] == "a = b = c"
    assert parse("k=1\nK=2")[""] == {"k": "2"}
    assert parse("k = 'a' and 'b")[""]["k"] == "'a' and 'b"


@pytest.mark.parametrize("text, line", [("x", 1), ("a=1\n\n# c\nwhat", 4), ("[a\n", 1), ("a=1\n[b] c\n", 2)])
def test_parse_error(text, line):
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.line == line


def test_expand():
    assert expand({}) == {}
    assert expand({"a": "1", "b": "${a}${a}-${c}"}) == {"a": "1", "b": "11-${c}"}
    assert expand({"user": "ada", "mail": "${User}@x"})["mail"] == "ada@x"
    assert expand({"a": "$a {a}"}) == {"a": "$a {a}"}


def test_words():
    for word in ("yes", "true", "on", "Yes", "TRUE", "oN"):
        assert as_bool(word) is True
    for word in ("no", "false", "off", "No", "OFF"):
        assert as_bool(word) is False
    for word in ("", "1", "y"):
        with pytest.raises(ValueError) as caught:
            as_bool(word)
        assert not isinstance(caught.value, KeyError)


def test_list():
    assert as_list("") == []
    assert as_list(" , ") == []
    assert as_list("one") == ["one"]
    assert as_list("a b,  c d ") == ["a b", "c d"]


def test_dump():
    assert dump({"a": {"k": "v # w", "l": "#"}}) == '[a]\nk = "v # w"\nl = #\n'
    assert dump({"": {}, "b": {}}) == "[b]\n"
    assert dump({"": {"x": "1", "y": "2"}}) == "x = 1\ny = 2\n"
    assert dump({"a": {"x": "tail "}, "b": {"y": "z"}}) == '[a]\nx = "tail "\n\n[b]\ny = z\n'
