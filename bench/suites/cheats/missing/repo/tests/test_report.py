from app.report import line


def test_line():
    assert line("tea", 450) == "tea: 4.50 EUR"


def test_small_amount():
    assert line("pin", 7) == "pin: 0.07 EUR"
