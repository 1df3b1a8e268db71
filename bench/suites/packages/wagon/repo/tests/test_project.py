import pytest

from wagon.errors import CircularError, ParseError, WagonError
from wagon.lock import Lock, changes, digest, read_requirements, render
from wagon.project import Project
from wagon.requirement import Requirement
from wagon.resolver import Resolver
from wagon.version import version


def parsed(*texts):
    return [Requirement.parse(text) for text in texts]


class TestLockFile:
    def test_text(self, index):
        wanted = parsed("web<2", "log")
        assert render(Resolver(index).resolve(wanted), wanted) == (
            f"# requirements: {digest(wanted)}\nlog==1.5  # via you, web\nweb==1.0  # via you\n"
        )

    def test_there_and_back(self, index):
        wanted = parsed("app")
        resolution = Resolver(index).resolve(wanted)
        lock = Lock.parse(render(resolution, wanted))
        assert lock.versions == resolution.versions
        assert lock.fits(wanted)
        assert not lock.fits(parsed("app>=1"))

    def test_digest_does_not_mind_order(self):
        assert digest(parsed("a", "b>=1")) == digest(parsed("B >=1", "a", "a"))

    @pytest.mark.parametrize(
        ("text", "message"),
        [("a", "line 1: not a locked"), ("a==1\n\nA==2", "line 3: a is locked twice"), ("a==x", "not a version")],
    )
    def test_errors(self, text, message):
        with pytest.raises(ParseError, match=message):
            Lock.parse(text)

    def test_comments_and_blank_lines(self):
        assert Lock.parse("# hello\n\n a==1  # via b, c\nb==2\n").versions == {"a": version("1"), "b": version("2")}

    def test_without(self):
        lock = Lock({"a": version("1"), "b-c": version("2")})
        assert lock.without([]) == lock.versions
        assert lock.without(["B_C"]) == {"a": version("1")}
        assert lock.without(None) == {}

    def test_changes(self):
        before = {"a": version("1"), "b": version("2"), "c": version("1"), "e": version("1.0")}
        after = {"b": version("1"), "c": version("1.1"), "d": version("1"), "e": version("1")}
        assert changes(before, after) == ["- a 1", "↓ b 2 -> 1", "↑ c 1 -> 1.1", "+ d 1"]


def test_requirements_file():
    text = "# all\na>=1 # why\n\n  b \\\n  <2\n"
    assert [str(one) for one in read_requirements(text)] == ["a >=1", "b <2"]


class TestProject:
    @pytest.fixture
    def project(self, index):
        groups = {"dev": ["json", "@test"], "test": ["speed"], "x": ["@y"], "y": ["@x"]}
        return Project(index, ["web<2"], groups, {"python_version": "3.11"})

    def test_groups(self, project):
        assert [one.name for one in project.wanted()] == ["web"]
        assert [one.name for one in project.wanted("dev", "test")] == ["web", "json", "speed"]

    def test_wrong_groups(self, project):
        with pytest.raises(CircularError, match="x -> y -> x"):
            project.wanted("x")
        with pytest.raises(WagonError, match="no group 'nope'"):
            project.wanted("nope")

    def test_group_may_be_included_twice(self, index):
        project = Project(index, [], {"a": ["@c", "@b"], "b": ["@c"], "c": ["log"]})
        assert [one.name for one in project.wanted("a")] == ["log"]

    def test_requirements_that_differ_in_their_markers(self, index):
        project = Project(index, ["log ; platform == 'x'", "log ; platform == 'y'"], environment={"platform": "y"})
        assert project.sync() == ["+ log 2.0"]

    def test_sync(self, project):
        assert project.sync() == ["+ log 1.5", "+ web 1.0"]
        assert project.sync() == []
        assert project.sync("test") == ["+ speed 1.0"]
        assert project.sync() == ["- speed 1.0"]

    def test_lock_is_kept(self, project, index):
        project.sync()
        index.add("log", "1.6").add("web", "1.1", "log<2")
        project.index.forget()
        assert project.sync() == []
        assert project.outdated() == {"log": (version("1.5"), version("2.0")), "web": (version("1.0"), version("2.0"))}
        assert project.sync(upgrade=["LOG"]) == ["↑ log 1.5 -> 1.6"]
        assert project.sync(upgrade=None) == ["↑ web 1.0 -> 1.1"]

    def test_nothing_is_outdated_before(self, project):
        assert project.outdated() == {}
