import pytest

from postbag import Address, parse_list
from postbag.errors import BadAddress


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("ann@example.org", ("ann", "example.org", "")),
        (" Ann Bell <ann@Example.ORG> ", ("ann", "example.org", "Ann Bell")),
        ('"Bell, Ann" <ann@example.org>', ("ann", "example.org", "Bell, Ann")),
        ('"The \\"Boss\\"" <b@x.nl>', ("b", "x.nl", 'The "Boss"')),
        ("<ann@example.org>", ("ann", "example.org", "")),
    ],
)
def test_parsing(text, parts):
    address = Address.parse(text)
    assert (address.local, address.domain, address.name) == parts


@pytest.mark.parametrize("text", ["", "ann", "ann@", "@example.org", "a b@c.d", "Ann <ann>", "a@b@c <x@y"])
def test_no_addresses(text):
    with pytest.raises(BadAddress):
        Address.parse(text)


def test_domain_is_compared_without_capitals():
    assert Address("Ann", "EXAMPLE.org") == Address("Ann", "example.org", "Ann B.")
    assert Address("Ann", "example.org") != Address("ann", "example.org")


def test_name_is_quoted_where_it_must_be():
    assert str(Address("ann", "x.nl", "Bell, Ann")) == '"Bell, Ann" <ann@x.nl>'
    assert str(Address("ann", "x.nl", "Ann Bell")) == "Ann Bell <ann@x.nl>"


@pytest.mark.parametrize("name", ["Bell, Ann", 'a "b" c', "back\\slash, too", "plain"])
def test_there_and_back(name):
    assert Address.parse(str(Address("a", "b.c", name))).name == name


def test_list_with_commas_in_quotes():
    found = parse_list('"Bell, Ann" <ann@x.nl>, bob@y.nl,, "x\\", y" <z@z.nl>')
    assert [address.name for address in found] == ["Bell, Ann", "", 'x", y']
