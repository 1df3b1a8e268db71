import pytest

from weblogs import Hit, addresses, by_section, masked, read, version, without_tags


def line(path="/a", status=200, size="1"):
    return f'h [t] "GET {path}" {status} {size}'


def test_read():
    assert read(line()) == Hit("h", "t", "GET", "/a", 200, 1)
    assert read(line(size="0")).size == 0
    assert read(line(size="-")).size is None
    for text in (line(status=20), line(status=2000), line(size="x"), "x " + line(), line() + " ", line(size="12a"), line(size="--")):
        assert read(text) is None, text


def test_is_error():
    assert [read(line(status=code)).is_error for code in (200, 302, 399, 400, 404, 500)] == [False] * 3 + [True] * 3


def test_masked():
    assert masked("TOKEN=a&password=b c") == "TOKEN=***&password=*** c"
    assert masked("token=") == "token=***"
    assert masked("tokens = 5") == "tokens = 5"
    assert masked("a=1") == "a=1"


def test_addresses():
    assert addresses("") == []
    assert addresses("x@y") == []
    assert addresses("<a-b@c-d.e.fg>;A-B@c-d.e.fg") == ["a-b@c-d.e.fg"]
    assert addresses("z@z.de, a@a.de.") == ["z@z.de", "a@a.de"]


def test_without_tags():
    assert without_tags("a<br>b <i>c</i> d") == "ab c d"
    assert without_tags(" \t<p></p> ") == ""
    assert without_tags("1 < 2") == "1 < 2"


def test_version():
    assert version(" v0.10.200 ") == (0, 10, 200)
    assert version("2.0") == (2, 0, 0)
    for text in ("", "v1", "1.2.3.4", "1x2", "a1.2", "1.2 3"):
        with pytest.raises(ValueError):
            version(text)


def test_by_section():
    lines = [line("/a/b/c", size="5"), line("/a?x=/q", size="6"), line("/b/", size="-"), "?", line("/a", size="1")]
    assert by_section(lines) == {"a": 12, "b": 0}
    assert by_section([]) == {}
