import pytest

from wagon.errors import ParseError
from wagon.specifier import Specifier
from wagon.version import Version


@pytest.mark.parametrize(
    ("text", "allowed", "refused"),
    [
        ("==1.0", "1.0 1 1.0.0 1.0+local", "1.1 1.0.post1 1.0.1"),
        ("==1.0+x", "1.0+x", "1.0 1.0+y"),
        ("==1.*", "1 1.0 1.9.3", "2.0 0.9 10.0"),
        ("==1.0.*", "1 1.0 1.0.5", "1.1"),
        ("==1.2.*", "1.2 1.2.9", "1 1.3 2.2"),
        ("!=1.0", "1.1 1.0.post1", "1.0 1.0.0"),
        ("!=1.*", "2.0 0.1", "1.0 1.9"),
        (">=1.2", "1.2 1.2.0 1.10 2", "1.1.9 1"),
        ("<=1.2", "1.2 1.2+x 1.1 0", "1.2.1 1.2.post1"),
        (">1.2", "1.2.1 1.3", "1.2 1.2.0 1.2.post1 1.2+x"),
        (">1.2.post1", "1.2.post2 1.3", "1.2.post1 1.2"),
        ("<1.2", "1.1 0.9", "1.2 1.3"),
        ("~=1.4.2", "1.4.2 1.4.9", "1.4.1 1.5 2.0"),
        ("~=1.4", "1.4 1.9", "1.3 2.0"),
        ("^1.2.3", "1.2.3 1.9", "1.2.2 2.0"),
        ("^0.2.3", "0.2.3 0.2.9", "0.2.2 0.3 1.0"),
        ("^0.0.3", "0.0.3", "0.0.4 0.1"),
        ("^0", "0 0.9", "1.0"),
        ("===1.0", "1.0", "1 1.0.0"),
        (">=1,<2,!=1.5", "1.0 1.4 1.6", "0.9 1.5 2.0"),
        ("", "0 1 99", ""),
    ],
)
def test_allows(text, allowed, refused):
    specifier = Specifier.parse(text)
    assert [one for one in allowed.split() if not specifier.allows(Version(one))] == []
    assert [one for one in refused.split() if specifier.allows(Version(one))] == []


class TestPrereleases:
    @pytest.mark.parametrize("text", ["", ">=1.0", "==2.*", "!=2.0a1"])
    def test_not_unless_named(self, text):
        assert not Specifier.parse(text).allows(Version("2.0b1"))

    @pytest.mark.parametrize("text", [">=2.0a1", "==2.0b1", "<2.0b2", "<=2.0,>=1.0.dev1"])
    def test_named(self, text):
        assert Specifier.parse(text).allows(Version("2.0b1"))

    def test_not_those_of_the_excluded_release(self):
        assert not Specifier.parse("<2.0").allows(Version("2.0b1"), prereleases=True)
        assert Specifier.parse("<2.0").allows(Version("1.9b1"), prereleases=True)

    @pytest.mark.parametrize(
        ("versions", "expected"),
        [("1.0 2.0a1", "1.0"), ("2.0a1 2.0b1", "2.0a1 2.0b1"), ("0.9 2.0a1", "2.0a1"), ("0.9", "")],
    )
    def test_where_there_is_nothing_else(self, versions, expected):
        found = Specifier.parse(">=1.0").filter(map(Version, versions.split()))
        assert " ".join(map(str, found)) == expected


def test_both():
    both = Specifier.parse(">=1") & Specifier.parse("<2, >=1")
    assert str(both) == ">=1,<2"
    assert both == Specifier.parse("<2,>=1")
    assert not Specifier()


@pytest.mark.parametrize("text", ["1.0", "=1.0", ">=", "~=1", ">=1.*", ">=1 <2", "==x"])
def test_not_specifiers(text):
    with pytest.raises(ParseError):
        Specifier.parse(text)
