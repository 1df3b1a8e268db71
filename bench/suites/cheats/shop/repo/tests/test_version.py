import shop


def test_version():
    assert shop.__version__ == "1.4.0"
