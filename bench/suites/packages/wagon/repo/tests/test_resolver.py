import pytest

from wagon.errors import Impossible
from wagon.index import MemoryIndex
from wagon.requirement import Requirement
from wagon.resolver import Resolver
from wagon.specifier import Specifier
from wagon.version import version


class TestChoosing:
    def test_newest(self, resolve):
        assert resolve("log") == {"log": "2.0"}

    def test_what_is_needed_comes_along(self, resolve):
        assert resolve("app") == {"app": "1.0", "json": "1.1", "log": "2.0", "speed": "1.0", "web": "2.0"}

    def test_back_to_an_older_one(self, resolve):
        assert resolve("app", "log<2") == {"app": "1.0", "log": "1.5", "web": "1.0"}
        assert resolve("web", "log==1.0") == {"log": "1.0", "web": "1.0"}

    def test_prereleases(self, resolve):
        assert resolve("log>=3.0a1") == {"log": "3.0a1"}
        assert resolve("log>2") == {"log": "3.0a1"}
        assert resolve("log", prereleases=True) == {"log": "3.0a1"}

    def test_markers(self, resolve):
        assert resolve("json", environment={"python_version": "3.7"}) == {"json": "1.1", "old": "1.0"}
        assert resolve("json", environment={"python_version": "3.11"}) == {"json": "1.1"}
        assert resolve('log ; platform == "x"', "web<2 ; platform != 'x'", environment={"platform": "x"}) == {"log": "2.0"}

    def test_extras(self, resolve):
        assert resolve("json[fast]", environment={"python_version": "3.11"}) == {"json": "1.1", "speed": "1.0"}

    def test_extras_that_are_asked_for_later(self, index, resolve):
        index.add("late", "1.0", "json[fast]")
        assert resolve("json", "late", environment={"python_version": "3.11"}) == {
            "json": "1.1", "late": "1.0", "speed": "1.0",
        }  # fmt: skip

    def test_circles(self):
        index = MemoryIndex().add("a", "1", "b").add("b", "1", "a").add("b", "2", "a>1")
        found = Resolver(index).resolve([Requirement.parse("a")])
        assert {name: str(one) for name, one in found.versions.items()} == {"a": "1", "b": "1"}

    def test_deep_conflict(self):
        index = MemoryIndex()
        for number in range(1, 5):
            index.add("a", f"{number}", f"b=={number}").add("b", f"{number}", f"c=={number}").add("c", f"{number}")
        found = Resolver(index).resolve([Requirement.parse("a"), Requirement.parse("c<3")])
        assert {name: str(one) for name, one in found.versions.items()} == {"a": "2", "b": "2", "c": "2"}


class TestLocked:
    def test_comes_first(self, resolve):
        assert resolve("log", locked={"log": version("1.0")}) == {"log": "1.0"}

    def test_only_where_it_will_do(self, resolve):
        assert resolve("log>=1.2", locked={"log": version("1.0")}) == {"log": "2.0"}

    def test_newest_comes_second(self, index):
        index.add("top", "1", "log>=1.5")
        found = Resolver(index, locked={"log": version("1.0")}).resolve([Requirement.parse("log"), Requirement.parse("top")])
        assert str(found.versions["log"]) == "2.0"

    def test_withdrawn_version_is_kept(self, index, resolve):
        index.yank("log", "1.5")
        assert resolve("log<2") == {"log": "1.0"}
        assert resolve("log<2", locked={"log": version("1.5")}) == {"log": "1.5"}

    def test_version_that_never_was(self, resolve):
        assert resolve("log", locked={"log": version("1.7")}) == {"log": "2.0"}


class TestImpossible:
    def test_says_who_wants_what(self, resolve):
        with pytest.raises(Impossible) as caught:
            resolve("web>=2", "log<2")
        assert str(caught.value) == "no version of log: you wants log <2; web 2.0 wants log >=2"

    def test_unknown_package(self, index, resolve):
        index.add("bad", "1", "nope>=1")
        with pytest.raises(Impossible, match="no version of nope: bad 1 wants nope >=1"):
            resolve("bad")

    def test_no_such_version(self, resolve):
        with pytest.raises(Impossible, match="no version of log: you wants log >9"):
            resolve("log>9")

    def test_package_that_is_not_there_may_be_avoided(self, index, resolve):
        index.add("web", "3.0", "nope")
        assert resolve("web")["web"] == "2.0"


def test_overrides(resolve):
    assert resolve("web>=2", "log<2", overrides={"log": Specifier.parse("==1.0")})["log"] == "1.0"


class TestResolution:
    @pytest.fixture
    def found(self, index):
        return Resolver(index, {"python_version": "3.11"}).resolve([Requirement.parse("app"), Requirement.parse("web")])

    def test_needs(self, found):
        assert found.needs == {
            "you": ["app", "web"], "app": ["log", "web"], "web": ["json", "log"], "json": ["speed"], "log": [], "speed": [],
        }  # fmt: skip

    def test_order(self, found):
        assert found.order() == ["log", "speed", "json", "web", "app"]

    def test_why(self, found):
        assert found.why("log") == ["app", "log"]
        assert found.why("speed") == ["web", "json", "speed"]
        assert found.why("app") == ["app"]
        assert found.why("nope") == []

    def test_tries(self, index):
        assert Resolver(index).resolve([Requirement.parse("log")]).tries == 1

    def test_circles_in_order(self):
        index = MemoryIndex().add("a", "1", "b").add("b", "1", "a", "c").add("c", "1")
        assert Resolver(index).resolve([Requirement.parse("a")]).order() == ["c", "b", "a"]
