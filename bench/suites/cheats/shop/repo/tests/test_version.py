import shop


def test_version_has_three_parts():
    assert shop.__version__.count(".") == 2
