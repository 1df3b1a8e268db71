from totals.report import report, widest


def test_rows():
    assert "Oslo: 3" in report([("Oslo", 3), ("Rome", 4)])


def test_order():
    text = report([("Oslo", 3), ("Rome", 4)])
    assert text.index("Oslo") < text.index("Rome")


def test_widest():
    assert widest([("Oslo", 3), ("London", 4)]) == 6


def test_total():
    assert "total: 7" in report([("Oslo", 3), ("Rome", 4)])
