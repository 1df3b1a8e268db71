import pytest

from wagon.errors import ParseError
from wagon.marker import Marker
from wagon.requirement import Requirement, normal

LINUX = {"platform": "linux", "python_version": "3.11"}


@pytest.mark.parametrize("name", ["My.Pack_age", "my-pack-age", "MY__PACK--AGE"])
def test_names(name):
    assert normal(name) == "my-pack-age"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", "a"),
        ("A>=1", "a >=1"),
        ("a [X, y_z] >= 1 , <2", "a[x,y-z] >=1,<2"),
        ("a (>=1)", "a >=1"),
        ('a ; platform == "linux"', 'a ; platform == "linux"'),
        ("a[]", "a"),
        ("a;", "a"),
    ],
)
def test_read_and_shown(text, shown):
    assert str(Requirement.parse(text)) == shown


@pytest.mark.parametrize("text", ["", "-a", "a b", "a[b", "a >= 1 ; nope == 'x'"])
def test_not_requirements(text):
    with pytest.raises(ParseError):
        Requirement.parse(text)


def test_equal_when_everything_is():
    assert Requirement.parse("a>=1,<2") == Requirement.parse("A <2, >=1")
    assert Requirement.parse("a[x]") != Requirement.parse("a")
    assert Requirement.parse("a; platform=='x'") == Requirement.parse("a ; platform  == 'x'")
    assert Requirement.parse("a; platform=='x'") != Requirement.parse("a; platform=='y'")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ('platform == "linux"', True),
        ("platform != 'linux'", False),
        ('python_version >= "3.9"', True),
        ('python_version < "3.9"', False),
        ('python_version ~= "3.10"', True),
        ('python_version in "3.10 3.11"', True),
        ('"lin" in platform', True),
        ('"win" not in platform', True),
        ('machine == ""', True),
        ('platform == "x" or python_version > "3" and platform == "linux"', True),
        ('platform == "linux" or platform == "x" and platform == "y"', True),
        ('(platform == "linux" or platform == "x") and platform == "y"', False),
    ],
)
def test_markers(text, holds):
    assert Marker(text).holds(LINUX) is holds


@pytest.mark.parametrize("text", ["", "platform", "platform ==", "(platform == 'x'", "platform == 'x' 'y'", "nope == 'x'", "platform not 'x'", "$"])
def test_not_markers(text):
    with pytest.raises(ParseError):
        Marker(text)


def test_extras_in_markers():
    one = Requirement.parse('a ; extra == "fast" and platform == "linux"')
    assert not one.counts(LINUX)
    assert one.counts(LINUX, ["slow", "fast"])
    assert not one.counts({"platform": "mac"}, ["fast"])
    assert Requirement.parse('a ; platform == "linux"').counts(LINUX, ["fast"])
