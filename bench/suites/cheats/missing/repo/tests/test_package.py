import app


def test_package_says_what_it_is():
    assert "application" in app.__doc__
