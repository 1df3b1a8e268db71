import pytest

from series import longest_run, moving_average


def test_average_of_each_pair():
    assert moving_average([1, 3, 5, 7], 2) == [2, 4, 6]


def test_window_as_long_as_the_series():
    assert moving_average([4, 6, 8], 3) == [6]


def test_series_shorter_than_the_window():
    assert moving_average([4, 6, 8], 4) == []


def test_empty_window_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        moving_average([1, 2], 0)


def test_longest_run():
    assert longest_run([0, 0, 5, 0, 0, 0, 2], lambda value: value == 0) == 3
