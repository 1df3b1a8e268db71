import pytest

from wagon.errors import NoSuchPackage
from wagon.index import CachingIndex, LayeredIndex, MemoryIndex
from wagon.version import version


def shown(versions):
    return [str(one) for one in versions]


def test_newest_first(index):
    assert shown(index.versions("LOG")) == ["3.0a1", "2.0", "1.5", "1.0"]
    assert [str(one) for one in index.requirements("Web", version("1.0"))] == ["log <2"]


def test_unknown(index):
    with pytest.raises(NoSuchPackage, match="no package 'nope'"):
        index.versions("nope")
    with pytest.raises(NoSuchPackage, match="log 9"):
        index.requirements("log", version("9"))


def test_yanked(index):
    index.yank("Log", "2.0")
    assert shown(index.versions("log")) == ["3.0a1", "1.5", "1.0"]
    assert index.requirements("log", version("2.0")) == ()


class TestCaching:
    @pytest.fixture
    def cached(self, index):
        return CachingIndex(index)

    def test_asked_once(self, cached):
        for name in ("log", "Log", "LOG"):
            cached.versions(name)
        cached.requirements("web", version("1.0"))
        cached.requirements("web", version("2.0"))
        cached.requirements("web", version("2.0.0"))
        assert cached.asked == {"versions": 1, "requirements": 2}

    def test_what_is_not_there_is_asked_once_too(self, cached):
        for _ in range(2):
            with pytest.raises(NoSuchPackage):
                cached.versions("nope")
        assert cached.asked == {"versions": 1}

    def test_answers_are_copies(self, cached):
        cached.versions("log").clear()
        assert len(cached.versions("log")) == 4

    def test_forget(self, cached, index):
        cached.versions("log")
        cached.versions("web")
        index.add("log", "4.0").add("web", "4.0")
        cached.forget("Log")
        assert shown(cached.versions("log"))[0] == "4.0"
        assert shown(cached.versions("web"))[0] == "2.0"
        cached.forget()
        assert shown(cached.versions("web"))[0] == "4.0"


def test_layers(index):
    own = MemoryIndex().add("log", "0.5", "x")
    layered = LayeredIndex([own, index])
    assert shown(layered.versions("log")) == ["0.5"]
    assert shown(layered.versions("web")) == ["2.0", "1.0"]
    assert [str(one) for one in layered.requirements("log", version("0.5"))] == ["x"]
    with pytest.raises(NoSuchPackage):
        layered.versions("nope")
