from points.menu import Version, newest


def test_newest_has_the_larger_number():
    assert newest(["2.9", "2.10", "1.30"]) == Version("2.10")


def test_order():
    assert Version("1.2") < Version("1.3")
    assert Version("1.9") < Version("1.11")


def test_same():
    assert Version("1.0") == Version("1.0")
