import pytest

from portal.form import Refused, file_of, signed_up


def test_member():
    assert signed_up("ann", "ann@home.org") == "ann <ann@home.org>"


def test_blanks_around_are_left_out():
    assert signed_up("bob ", " bob@home.org") == "bob <bob@home.org>"


@pytest.mark.parametrize("name", ["", "A", "x"])
def test_malformed_name(name):
    with pytest.raises(Refused):
        signed_up(name, "ann@home.org")


def test_file():
    assert file_of("/img/a.png") == "public/img/a.png"


def test_file_outside():
    with pytest.raises(Refused):
        file_of("/../etc/passwd")


def test_file_with_a_blank():
    assert file_of("/my%20cat.png") == "public/my cat.png"
