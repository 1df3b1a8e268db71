import pytest

import inifile

TEXT = """\
name = demo
; a comment
[server]
Host = localhost  # where it runs
port = 8080

# another comment
[ paths ]
home = "  /srv/app # one "
empty =
"""


def test_sections_and_values():
    sections = inifile.parse(TEXT)
    assert sections[""] == {"name": "demo"}
    assert sections["server"] == {"host": "localhost", "port": "8080"}
    assert sections["paths"]["empty"] == ""


def test_quotes_keep_blanks_and_hashes():
    assert inifile.parse(TEXT)["paths"]["home"] == "  /srv/app # one "
    assert inifile.parse("a = 'x'\nb = \"y'") == {"": {"a": "x", "b": "\"y'"}}


def test_section_goes_on_where_it_comes_again():
    assert inifile.parse("[a]\nx=1\n[b]\n[a]\ny=2") == {"": {}, "a": {"x": "1", "y": "2"}, "b": {}}


def test_value_may_hold_an_equals_sign():
    assert inifile.parse("query = a=b")[""] == {"query": "a=b"}


def test_line_number_of_a_mistake():
    with pytest.raises(inifile.ParseError) as caught:
        inifile.parse("[a]\n\nnonsense")
    assert caught.value.line == 3
    assert str(caught.value) == "line 3: nonsense"


def test_references():
    assert inifile.expand({"root": "/srv", "log": "${ROOT}/log", "odd": "${none}"}) == {
        "root": "/srv",
        "log": "/srv/log",
        "odd": "${none}",
    }


@pytest.mark.parametrize("word, expected", [("yes", True), ("ON", True), ("False", False), ("off", False)])
def test_bool(word, expected):
    assert inifile.as_bool(word) is expected


def test_no_bool():
    with pytest.raises(ValueError, match="'maybe' is neither"):
        inifile.as_bool("maybe")


def test_list():
    assert inifile.as_list("a, b ,,c,") == ["a", "b", "c"]


def test_dump():
    sections = {"": {"name": "demo"}, "server": {"host": "h", "motto": " hi "}, "empty": {}}
    assert inifile.dump(sections) == 'name = demo\n\n[server]\nhost = h\nmotto = " hi "\n\n[empty]\n'


def test_dump_is_read_back():
    sections = inifile.parse(TEXT)
    assert inifile.parse(inifile.dump(sections)) == sections
