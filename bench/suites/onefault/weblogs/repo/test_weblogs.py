import pytest

import weblogs

LINE = 'ada.example [2024-05-01 10:00] "GET /shop/cart?token=x HTTP" 200 512'
LINES = [
    '10.0.0.1 [2024-05-01 10:00] "GET /shop/cart?id=1" 200 512\n',
    '10.0.0.2 [2024-05-01 10:01] "POST /shop/pay" 500 -\n',
    "restarted\n",
    '10.0.0.1 [2024-05-01 10:02] "GET /" 404 90\n',
]


def test_line_is_read():
    hit = weblogs.read(LINES[0])
    assert (hit.host, hit.verb, hit.path, hit.status, hit.size) == ("10.0.0.1", "GET", "/shop/cart?id=1", 200, 512)
    assert hit.when == "2024-05-01 10:00"


def test_dash_is_no_size():
    assert weblogs.read(LINES[1]).size is None


@pytest.mark.parametrize("line", ["restarted", "", LINE, LINES[0].strip() + "0 more"])
def test_other_lines(line):
    assert weblogs.read(line) is None


def test_errors():
    assert [hit.is_error for hit in map(weblogs.read, LINES) if hit] == [False, True, True]
    assert weblogs.Hit("h", "w", "GET", "/", 400, 0).is_error


def test_secrets_are_masked():
    assert weblogs.masked("/login?user=ada&Password=hi.there&x=1") == "/login?user=ada&Password=***&x=1"
    assert weblogs.masked("token=abc and more") == "token=*** and more"


def test_addresses():
    text = "Ask Ada@example.org, bob.b+x@mail.example.co.uk. Or ada@example.org!"
    assert weblogs.addresses(text) == ["ada@example.org", "bob.b+x@mail.example.co.uk"]


def test_tags():
    assert weblogs.without_tags("<p>Hello <b>dear</b>\n  friend</p>") == "Hello dear friend"


@pytest.mark.parametrize("text, expected", [("v1.2", (1, 2, 0)), ("10.0.3\n", (10, 0, 3))])
def test_version(text, expected):
    assert weblogs.version(text) == expected


@pytest.mark.parametrize("text", ["1", "12", "1.2.3-beta", "one"])
def test_no_version(text):
    with pytest.raises(ValueError):
        weblogs.version(text)


def test_sections():
    assert weblogs.by_section(LINES) == {"shop": 512, "": 90}
