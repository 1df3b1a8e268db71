import itertools

import pytest

from wagon.errors import ParseError
from wagon.version import Version, version

ORDER = [
    "1.0.dev1", "1.0a1.dev1", "1.0a1", "1.0a2", "1.0b1", "1.0rc1", "1.0", "1.0+abc", "1.0+1", "1.0+1.2",
    "1.0.post1.dev1", "1.0.post1", "1.1.dev1", "1.1", "1.2", "1.10", "2.0", "1!0.1",
]  # fmt: skip


@pytest.mark.parametrize(("lower", "higher"), list(itertools.pairwise(ORDER)))
def test_order(lower, higher):
    assert Version(lower) < Version(higher)
    assert Version(higher) > Version(lower)
    assert Version(lower) != Version(higher)


def test_sorting():
    assert [str(one) for one in sorted(map(Version, reversed(ORDER)))] == ORDER


@pytest.mark.parametrize(
    ("one", "other"),
    [("1.0", "1"), ("1.0.0", "1.0"), ("v1.0", "1.0"), ("1.0-alpha.1", "1.0a1"), ("1.0c2", "1.0rc2"), ("1.0.rev3", "1.0.post3"), ("1.0a", "1.0a0"), ("1.0+A_b", "1.0+a.b"), (" 1.0 ", "1.0")],
)
def test_spellings(one, other):
    assert Version(one) == Version(other)
    assert hash(Version(one)) == hash(Version(other))


@pytest.mark.parametrize("text", ["1.0", "1.0.0", "1!2.0a1.post2.dev3+x.1", "0"])
def test_shown_as_given(text):
    assert str(Version(text)) == text


@pytest.mark.parametrize("text", ["", "x", "1.", "1.0x", "1..0", "1.0+", "1 0"])
def test_not_versions(text):
    with pytest.raises(ParseError, match="not a version"):
        Version(text)


def test_parts():
    one = Version("1.2rc3+local")
    assert (one.release, one.phase, one.is_prerelease, str(one.public)) == ((1, 2), ("rc", 3), True, "1.2rc3")
    assert [one.number(index) for index in range(3)] == [1, 2, 0]
    assert not Version("1.0.post1").is_prerelease
    assert Version("1.0.dev0").is_prerelease


def test_read_once():
    assert version("1.2.3") is version("1.2.3")
