from vectors import Row, total


def test_sum_of_rows():
    assert (Row([1, 2]) + Row([3, 4]) == Row([4, 6])).all()


def test_scaled():
    scaled = Row([1, 2, 3]) * 3
    assert len(scaled) == 3
    assert (scaled == Row([3, 6, 9])).all()


def test_scaled_total():
    assert total(Row([5, 6]) * 2) == 22


def test_total():
    assert total(Row([4, 5])) == 9


def test_compared_one_by_one():
    assert list(Row([1, 2]) == Row([1, 3])) == [True, False]
