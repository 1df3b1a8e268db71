import os

import pytest

from stencil import ChoiceLoader, DictLoader, Environment, FileLoader, PrefixLoader, TemplateNotFound, TemplateSyntaxError
from stencil.cache import LRUCache


class TestCache:
    def test_what_was_not_used_for_longest_goes(self):
        cache = LRUCache(2)
        cache.put("a", 1)
        cache.put("b", 2)
        assert cache.get("a") == 1
        cache.put("c", 3)
        assert "b" not in cache
        assert (cache.get("a"), cache.get("c")) == (1, 3)

    @pytest.mark.parametrize(("size", "kept"), [(0, 0), (1, 1), (None, 3)])
    def test_sizes(self, size, kept):
        cache = LRUCache(size)
        for key in "abc":
            cache.put(key, key)
        assert len(cache) == kept

    def test_counts(self):
        cache = LRUCache(1)
        cache.get("a")
        cache.put("a", 1)
        cache.get("a")
        cache.get("a")
        assert (cache.hits, cache.misses) == (2, 1)
        cache.clear()
        assert (cache.hits, cache.misses, len(cache)) == (0, 0, 0)


class TestReloading:
    def test_template_is_parsed_once(self, env, templates):
        templates["a"] = "x"
        assert env.get("a") is env.get("a")

    def test_changed_source_is_seen(self, env, templates):
        templates["a"] = "x"
        assert env.get("a").render() == "x"
        templates["a"] = "y"
        assert env.get("a").render() == "y"

    def test_not_without_auto_reload(self):
        templates = {"a": "x"}
        env = Environment(DictLoader(templates), auto_reload=False)
        first = env.get("a")
        templates["a"] = "y"
        assert env.get("a") is first


class TestLoaders:
    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "mail").mkdir()
        (tmp_path / "mail" / "welcome").write_text("Grüße", encoding="utf-8")
        (tmp_path / "top").write_text("top")
        return tmp_path

    def test_files(self, folder):
        loader = FileLoader(folder)
        assert loader.names() == ["mail/welcome", "top"]
        assert loader.load("mail/welcome")[0] == "Grüße"

    @pytest.mark.parametrize("name", ["nope", "mail", "../top", "mail/../top", "/top", "mail//welcome"])
    def test_no_such_file(self, folder, name):
        with pytest.raises(TemplateNotFound):
            FileLoader(folder).load(name)

    def test_changed_file_is_seen(self, folder):
        env = Environment(FileLoader(folder))
        assert env.get("top").render() == "top"
        (folder / "top").write_text("new")
        os.utime(folder / "top", ns=(1, 1))
        assert env.get("top").render() == "new"

    def test_choice(self):
        loader = ChoiceLoader([DictLoader({"a": "1"}), DictLoader({"a": "2", "b": "3"})])
        assert [loader.load(name)[0] for name in "ab"] == ["1", "3"]
        assert loader.names() == ["a", "b"]
        with pytest.raises(TemplateNotFound, match="'c'"):
            loader.load("c")

    def test_prefix(self):
        loader = PrefixLoader({"x": DictLoader({"a/b": "1"}), "y": DictLoader({})})
        assert loader.load("x/a/b")[0] == "1"
        assert loader.names() == ["x/a/b"]
        for name in ("y/a", "z/a", "x"):
            with pytest.raises(TemplateNotFound, match=name):
                loader.load(name)


def test_own_filters_and_tests(env):
    env.add_filter("double", lambda value: value * 2)
    env.add_test("big", lambda value: value > 10)
    assert env.render("{{ 6|double }}{{ 6|double is big }}") == "12True"


def test_filters_of_one_environment_do_not_show_in_another(env):
    env.add_filter("mine", str)
    with pytest.raises(Exception, match="no filter 'mine'"):
        Environment().render("{{ 1|mine }}")


def test_names_in_errors(env, templates):
    templates["bad"] = "\n{% if %}"
    with pytest.raises(TemplateSyntaxError, match="^bad:2: "):
        env.get("bad")


def test_trim_blocks():
    env = Environment(trim_blocks=True)
    assert env.render("{% if true %}\na\n{% endif %}\nb") == "a\nb"
