import json

import pytest

from plinth import BadConfig, Config, Duration, load
from plinth.formats import read
from plinth.sources import from_arguments, from_variables, merged


class Limits(Config):
    size: int = 10
    pause: Duration = Duration(seconds=1)


class App(Config):
    host: str = "localhost"
    tags: list[str] = []
    debug: bool = False
    limits: Limits = Limits()


def test_toml(folder):
    assert read(folder("a.toml")) == {"host": "example.org", "tags": ["a, b", "c", "#d"], "limits": {"size": 1000, "pause": "1h30m"}}


def test_from_a_file(folder):
    app = load(App, files=[folder("a.toml")])
    assert (app.limits.size, app.limits.pause) == (1000, Duration(minutes=90))


def test_strongest_first(folder):
    app = load(
        App, files=[folder("a.toml")], variables={"APP_LIMITS__SIZE": "7", "APP_HOST": "v", "HOST": "x"}, prefix="APP", arguments=["--host", "a", "--debug"]
    )
    assert (app.host, app.debug, app.limits.size, app.limits.pause) == ("a", True, 7, Duration(minutes=90))


def test_later_files_are_stronger(folder):
    files = [folder("a.toml"), folder("b.json", json.dumps({"limits": {"size": 2}, "tags": ["z"]}))]
    app = load(App, files=files)
    assert (app.limits.size, app.limits.pause, app.tags, app.host) == (2, Duration(minutes=90), ["z"], "example.org")


def test_merging_changes_nothing():
    weak, strong = {"a": {"b": 1, "c": [1]}}, {"a": {"b": 2}, "d": {}}
    assert merged(weak, strong) == {"a": {"b": 2, "c": [1]}, "d": {}}
    assert weak == {"a": {"b": 1, "c": [1]}}
    assert strong == {"a": {"b": 2}, "d": {}}


def test_variables():
    assert from_variables({"X_A": "1", "X_B__C": "2", "XA": "3", "Y": "4"}, "X") == {"a": "1", "b": {"c": "2"}}


def test_arguments():
    assert from_arguments(["--a-b", "1", "--c.d=x=y", "--flag", "--e", "-5"]) == {"a_b": "1", "c": {"d": "x=y"}, "flag": "yes", "e": "-5"}


@pytest.mark.parametrize("words", [["a"], ["--a", "1", "2"], ["--"], ["--a=1", "--a.b=2"]])
def test_bad_arguments(words):
    with pytest.raises(BadConfig):
        from_arguments(words)


def test_ini(folder):
    path = folder("a.ini", "[main]\nhost = 100%\n[limits]\nsize: 5\n[deep.er]\nx = 1\n")
    assert read(path) == {"host": "100%", "limits": {"size": "5"}, "deep": {"er": {"x": "1"}}}


def test_byte_order_mark(folder):
    path = folder("a.json", '\ufeff{"host": "ü"}')
    assert load(App, files=[path]).host == "ü"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.toml", "x = 1\ny =\n", "a.toml: line 2: '' is no value"), ("a.toml", "[a\n", "line 1: '\\[a' is no table"), ("a.toml", "x = 1\nx = 2\n", "line 2: x stands there twice"),
        ("a.toml", "a = 1\n[a.b]\n", "line 2: a is a value and a table"), ("a.ini", "x = 1\n", "a.ini: File contains no section"), ("a.json", "[1]", "a.json: the file holds no table"),
        ("a.yaml", "", "a.yaml: files of this kind"),
    ],
)
def test_bad_files(folder, name, text, why):
    with pytest.raises(BadConfig, match=why):
        read(folder(name, text))


def test_toml_values():
    from plinth.formats.toml import parse

    text = "a.b = 1\na.c = -1.5e3\nd = true\ne = []\nf = [1, [2, 3], \"x]\"]\ng = 'C:\\dir'\nh = \"a\\\"#b\"\n"
    assert parse(text) == {"a": {"b": 1, "c": -1500.0}, "d": True, "e": [], "f": [1, [2, 3], "x]"], "g": "C:\\dir", "h": 'a"#b'}
