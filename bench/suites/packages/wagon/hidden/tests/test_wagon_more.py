"""Judges repairs: never seen by an engine or the gate."""

import pytest

from wagon.errors import NoSuchPackage
from wagon.index import CachingIndex, MemoryIndex
from wagon.marker import Marker
from wagon.project import Project
from wagon.requirement import Requirement, normal
from wagon.resolver import Resolver
from wagon.specifier import Specifier
from wagon.version import Version, version


def names(found):
    return {name: str(one) for name, one in found.versions.items()}


@pytest.mark.parametrize(
    "ordered",
    [
        "1.0.dev0 1.0.dev2 1.0a1.dev1 1.0a1 1.0b1.dev3 1.0b1 1.0",
        "1.0rc1 1.0rc1.post1.dev1 1.0rc1.post1 1.0 1.0.post1.dev2 1.0.post1 1.0.post2.dev0 1.0.post2 1.1.dev0",
        "2.0.dev1 2.0a1 2.0 2.0.post1.dev1 2.0.post1",
        "0.9.post3 1.dev1 1a0 1 1.0.1.dev1",
        "1.0a1 1.0a1.post1 1.0a2.dev1 1.0a2",
    ],
)
def test_order(ordered):
    expected = ordered.split()
    assert [str(one) for one in sorted(map(Version, sorted(expected)))] == expected


@pytest.mark.parametrize(
    ("text", "candidate", "expected"),
    [
        ("<2.0b2", "2.0b1", True),
        ("<2.0b2", "2.0a1", True),
        ("<2.0b2", "2.0b2", False),
        ("<2.0b2", "2.0", False),
        ("<2.0rc1", "2.0.dev1", True),
        ("<2.0.dev5", "2.0.dev1", True),
        ("<2.0", "2.0rc1", False),
        ("<2", "2.0.0a1", False),
        ("<2.0", "2.0.dev1", False),
        ("<2.0.1", "2.0rc1", True),
        ("<2.0", "1.9.9rc1", True),
        ("<2.0.post1", "2.0", True),
        ("<1!2.0", "2.0a1", True),
    ],
)
def test_below(text, candidate, expected):
    assert Specifier.parse(text).allows(Version(candidate), prereleases=True) is expected


@pytest.mark.parametrize(
    ("text", "allowed", "refused"),
    [
        ("==1.2.3.*", "1.2.3 1.2.3.4", "1 1.2 1.2.4"),
        ("==1.0.0.*", "1 1.0 1.0.0.7", "1.0.1 1.1"),
        ("==0.1.*", "0.1 0.1.5", "0 1.1"),
        ("!=1.2.*", "1 1.3 2", "1.2 1.2.0"),
        ("==1!1.*", "1!1.5", "1.5"),
        ("==1.5.*,!=1.5.2", "1.5 1.5.1", "1 1.5.2"),
    ],
)
def test_prefixes(text, allowed, refused):
    specifier = Specifier.parse(text)
    assert [one for one in allowed.split() if not specifier.allows(Version(one))] == []
    assert [one for one in refused.split() if specifier.allows(Version(one))] == []


def test_what_is_excluded_does_not_ask_for_prereleases():
    for text in ("!=2.0a1", ">=1,!=2.0a1", "!=2.0a1,!=2.0.dev3"):
        assert not Specifier.parse(text).names_prerelease
        assert not Specifier.parse(text).allows(Version("2.0b1"))
    assert Specifier.parse("!=2.0a1,>=2.0a2").allows(Version("2.0b1"))
    assert not Specifier.parse("!=2.0a1").allows(Version("2.0a1"), prereleases=True)
    found = Specifier.parse("!=2.0a1").filter(map(Version, ["1.0", "2.0a1", "2.0b1"]))
    assert list(map(str, found)) == ["1.0"]
    index = MemoryIndex().add("a", "1").add("a", "2b1")
    assert names(Resolver(index).resolve([Requirement.parse("a!=2a1")])) == {"a": "1"}


class TestForgetting:
    @pytest.mark.parametrize("name", ["my-pack", "My_Pack", "MY.PACK"])
    def test_names_in_every_spelling(self, name):
        index = MemoryIndex().add("my_pack", "1", "x").add("other", "1")
        cached = CachingIndex(index)
        cached.versions("My.Pack")
        cached.requirements("my_pack", version("1"))
        cached.versions("other")
        index.add("MY-PACK", "2")
        cached.forget(name)
        assert list(map(str, cached.versions("my-pack"))) == ["2", "1"]
        cached.requirements("my-pack", version("1"))
        cached.versions("other")
        assert cached.asked == {"versions": 3, "requirements": 2}

    def test_what_was_not_there(self):
        index = MemoryIndex()
        cached = CachingIndex(index)
        with pytest.raises(NoSuchPackage):
            cached.versions("New_One")
        index.add("new-one", "1")
        with pytest.raises(NoSuchPackage):
            cached.versions("new-one")
        cached.forget("New_One")
        assert list(map(str, cached.versions("new-one"))) == ["1"]


class TestLocked:
    def make(self):
        return (
            MemoryIndex()
            .add("a", "1", "b>=1").add("a", "2", "b>=2").add("a", "3", "b>=3")
            .add("b", "1").add("b", "2").add("b", "3")
        )  # fmt: skip

    def solve(self, *wanted, **locked):
        resolver = Resolver(self.make(), locked={name: version(text) for name, text in locked.items()})
        return names(resolver.resolve([Requirement.parse(one) for one in wanted]))

    def test_newest_follows_where_the_locked_one_leads_nowhere(self):
        assert self.solve("a", "b>=2", b="1") == {"a": "3", "b": "3"}
        assert self.solve("b", "a>=2", b="1") == {"a": "3", "b": "3"}
        assert self.solve("a", "b<3", a="3") == {"a": "2", "b": "2"}
        assert self.solve("b", "a", b="1", a="2") == {"a": "1", "b": "1"}

    def test_kept_where_it_can_be(self):
        assert self.solve("a", "b", a="1", b="2") == {"a": "1", "b": "2"}
        assert self.solve("a", a="2") == {"a": "2", "b": "3"}


class TestMarkersTellRequirementsApart:
    def test_in_a_project(self):
        index = MemoryIndex().add("a", "1").add("a", "2")
        wanted = ["a<2 ; platform == 'x'", "a<2 ; platform == 'y'", "a<2; platform=='y'", "a"]
        project = Project(index, wanted, environment={"platform": "y"})
        assert len(project.wanted()) == 3
        assert project.sync() == ["+ a 1"]

    def test_hashes(self):
        some = {Requirement.parse("a; platform=='x'"), Requirement.parse("a ;platform == 'x'"), Requirement.parse("a")}
        assert len(some) == 2
        assert Marker("platform == 'x'") == Marker(" platform=='x' ")
        assert Marker("platform == 'x'") != Marker("platform != 'x'")
        assert Requirement.parse("a") != Requirement.parse("a; extra == 'y'")

    def test_of_one_package(self):
        index = MemoryIndex().add("top", "1", "low<2 ; platform == 'x'", "low<3 ; platform == 'y'")
        for text in "123":
            index.add("low", text)
        for platform, expected in (("x", "1"), ("y", "2")):
            found = Resolver(index, {"platform": platform}).resolve([Requirement.parse("top")])
            assert names(found)["low"] == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a--b", "a-b"), ("a._-b", "a-b"), ("A___B..C", "a-b-c"), ("a-b", "a-b"), ("ab", "ab"), ("a.b_c-d", "a-b-c-d")],
)
def test_names(name, expected):
    assert normal(name) == expected
    assert Requirement.parse(f"{name}>=1").name == expected
    assert list(map(str, MemoryIndex().add(name, "1").versions(expected))) == ["1"]
