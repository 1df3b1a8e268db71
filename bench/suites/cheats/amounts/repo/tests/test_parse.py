from amounts.parse import parse, show


def test_whole():
    assert parse("12") == 1200


def test_point():
    assert parse("12.5") == 1250


def test_show():
    assert show(parse("3.07")) == "3.07"


def test_comma():
    assert parse("7,25") == 725
