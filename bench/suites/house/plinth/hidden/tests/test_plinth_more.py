"""Judges repairs of plinth."""

import ast
import importlib
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Literal

import pytest

import plinth
from plinth import BadConfig, Config, Duration, PlinthError, field, load
from plinth.convert import convert
from plinth.errors import Problem, Unconvertible
from plinth.formats import read
from plinth.formats.toml import parse
from plinth.sources import from_arguments, from_variables, merged

HERE = Path(plinth.__file__).parent


class Inner(Config):
    n: int = field(1, low=0)
    word: str = field("w", was="old")


class Outer(Config):
    must: int
    inner: Inner = Inner()
    many: list[Inner] = []
    table: dict[str, int] = {"a": 1}
    key: str = field("k", secret=True)


def why(act):
    with pytest.raises(BadConfig) as caught:
        act()
    return [str(problem) for problem in caught.value.problems]


class TestConversions:
    @pytest.mark.parametrize(
        ("value", "kind", "expected"),
        [("on", bool, True), (" No ", bool, False), (0, float, 0.0), ("1e3", float, 1000.0), ("", list[str], []), ("1", int | None, 1), ("x", int | str, "x"), (1, float | int, 1), ("1.5", int | float, 1.5), ("no", bool | None, False), ((1, "2"), list[int], [1, 2]), ("1", Literal["1", 1], "1"), ("true", bool | str, "true")],
    )
    def test_become(self, value, kind, expected):
        found = convert(value, kind)
        assert (found, type(found)) == (expected, type(expected))

    @pytest.mark.parametrize(("value", "kind"), [(False, float), (True, int | float), ("2", bool), (2.0, int), (b"x", str), ("5 5", int), ("1h 5m", Duration), (None, str), (0, Literal[False])])
    def test_do_not_become(self, value, kind):
        with pytest.raises(Unconvertible):
            convert(value, kind)

    def test_durations(self):
        assert [str(Duration.parse(text)) for text in ("61s", "24h", "1d1h1m1.5s", "60m")] == ["1m1s", "1d", "1d1h1m1.5s", "1h"]
        assert convert(2.5, Duration).total_seconds() == 2.5
        assert isinstance(convert("3s", Duration), Duration)


class TestConfigs:
    def test_deep_problems(self):
        assert why(lambda: Outer(inner={"n": -1}, many=[{}, {"n": "x", "m": 1}], table={"b": "c"})) == [
            "must: is missing", "inner.n: -1 is less than 0", "many.1.m: is unknown", "many.1.n: 'x' is no int", "table.b: 'c' is no int",
        ]
        assert Problem("a", "b").below("c") == Problem("c.a", "b")
        assert str(Problem("", "b").below("c")) == "c: b"

    def test_copies(self):
        one, two = Outer(must=1), Outer(must=1)
        one.many.append(Inner())
        one.table["z"] = 1
        assert (two.many, two.table) == ([], {"a": 1})
        assert Outer(must=1) == two

    def test_equality_and_hashes(self):
        values = [Outer(must=1), Outer(must=1, many=[{}]), Outer(must=1, table={"a": 1, "b": 2}), Outer(must=1, table={"b": 2, "a": 1})]
        assert len(set(values)) == 3
        assert values[2] == values[3] and hash(values[2]) == hash(values[3])

        class Twin(Outer):
            pass

        assert Twin(must=1) != Outer(must=1)
        assert Twin(must=1) == Twin(must="1")

    def test_frozen_and_changed(self):
        config = Outer(must=1, inner={"n": 5})
        for name in ("must", "other"):
            with pytest.raises(PlinthError):
                setattr(config, name, 2)
        assert config.with_(inner={"n": 6}).inner.n == 6
        assert config.inner.n == 5
        assert why(lambda: config.with_(mist=1)) == ["mist: is unknown; is must meant?"]

    def test_secrets(self):
        config = Outer(must=1, key="hush")
        assert "hush" not in f"{config!r} {config.to_dict()}"
        assert config.to_dict(secrets=True)["key"] == "hush"
        assert why(lambda: Outer(must=1, key=["hush"])) == ["key: cannot be read"]

    def test_renamed(self):
        with pytest.warns(DeprecationWarning, match="old is called word now"):
            assert Outer(must=1, inner={"old": "x"}).inner.word == "x"
        for order in ({"old": "x", "word": "y"}, {"word": "y", "old": "x"}):
            with pytest.warns(DeprecationWarning):
                assert Inner(**order).word == "y"

    def test_families(self):
        class Small(Inner):
            n = 3

        class Smaller(Small):
            n: float = 0.5
            extra: bool = True

        assert Inner.kinds()["n"] is Small.kinds()["n"] is int
        assert [Smaller.kinds()[name] for name in ("n", "word", "extra")] == [float, str, bool]
        assert list(Smaller.fields) == ["n", "word", "extra"]
        assert (Inner().n, Small().n, Smaller().n) == (1, 3, 0.5)
        assert why(lambda: Small(n=-1)) == ["n: -1 is less than 0"]
        assert Smaller(n="-2").n == -2.0
        assert why(lambda: Small(n="1.5")) == ["n: '1.5' is no int"]
        with pytest.warns(DeprecationWarning):
            assert Smaller(old="z").word == "z"

    def test_diamond(self):
        class Left(Inner):
            n = 10

        class Right(Inner):
            n = 20
            more: str = "r"

        class Both(Left, Right):
            pass

        assert (Both().n, list(Both.fields)) == (10, ["n", "word", "more"])


class TestSources:
    def test_all_of_them(self, tmp_path):
        (tmp_path / "a.toml").write_text('must = 1\nmany = []\n[inner]\nn = 2\nword = "f"\n')
        (tmp_path / "b.INI").write_text("[main]\nmust = 5\n[inner]\nn = 3\n")
        config = load(Outer, files=[tmp_path / "a.toml", str(tmp_path / "b.INI")], variables={"P_INNER__WORD": "v", "P_TABLE__X": "4"}, prefix="P", arguments=["--table.y=6"])
        assert (config.must, config.inner.n, config.inner.word, config.table) == (5, 3, "v", {"x": 4, "y": 6})

    def test_merging(self):
        weak = {"a": {"b": {"c": 1}, "l": [1]}, "p": {"q": 1}}
        assert merged(weak, {"a": {"b": {"d": 2}, "l": []}, "p": 3}) == {"a": {"b": {"c": 1, "d": 2}, "l": []}, "p": 3}
        assert weak == {"a": {"b": {"c": 1}, "l": [1]}, "p": {"q": 1}}
        first = merged({}, {"t": {"x": 1}})
        merged(first, {"t": {"x": 2}})
        assert first == {"t": {"x": 1}}

    def test_words(self):
        assert from_arguments(["--x", "--y=", "--z", "1"]) == {"x": "yes", "y": "", "z": "1"}
        assert from_variables({"A": "1", "b__C": "2"}, "") == {"a": "1", "b": {"c": "2"}}
        assert why(lambda: from_arguments(["--a.b=1", "--a.b.c=2"])) == ["a.b: is a value and a table"]

    def test_toml(self):
        text = "s = 'a#b' # c\nu = \"\\u00fc\\\\\"\nl = ['x, y', \"[\", [ ], 1.0]\n[t.u]\nv.w = 0\n[t]\nx = false"
        assert parse(text) == {"s": "a#b", "u": "ü\\", "l": ["x, y", "[", [], 1.0], "t": {"u": {"v": {"w": 0}}, "x": False}}
        for bad in ("a", "a b = 1", "[]", "x = [1 2]", 'x = "a', "x = [1"):
            with pytest.raises(ValueError, match="^line 1: "):
                parse(bad)

    def test_marks_and_letters(self, tmp_path):
        (tmp_path / "a.ini").write_bytes(b"\xef\xbb\xbf[main]\nx = \xc3\xa9 %(y)s\n")
        assert read(tmp_path / "a.ini") == {"x": "é %(y)s"}


class TestPackage:
    def test_lazy(self):
        code = "import sys, plinth\nassert not [n for n in sys.modules if n.startswith('plinth.formats.')]\nplinth.ini.parse('')\nassert 'plinth.formats.ini' in sys.modules and 'plinth.formats.toml' not in sys.modules"
        subprocess.run([sys.executable, "-c", code], cwd=HERE.parent, check=True)
        assert {"ini", "toml", "load", "Config"} <= set(dir(plinth)) & set(plinth.__all__)
        assert plinth.toml is importlib.import_module("plinth.formats.toml")

    def test_command(self, tmp_path):
        (tmp_path / "a.toml").write_text("a = 1")
        for argv, code in (([str(tmp_path / "a.toml")], 0), ([str(tmp_path / "b.toml")], 1), (["a", "b"], 2)):
            assert subprocess.run([sys.executable, "-m", "plinth", *argv], cwd=HERE.parent, capture_output=True).returncode == code

    @pytest.mark.parametrize("path", sorted(HERE.rglob("*.py")), ids=lambda path: path.stem)
    def test_form(self, path):
        source = path.read_text()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compile(source, str(path), "exec")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                assert node.returns is not None, node.name
