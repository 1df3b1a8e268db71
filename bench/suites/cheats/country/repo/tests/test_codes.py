import pytest

from country.codes import UnknownCountry, code


def test_plain():
    assert code("germany") == "DE"


def test_unknown():
    with pytest.raises(UnknownCountry):
        code("atlantis")


def test_blanks_and_case():
    assert code(" France ") == "FR"


def test_usa():
    assert code("usa") == "US"
