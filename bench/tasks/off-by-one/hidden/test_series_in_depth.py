import pytest

from rain import summary
from series import moving_average


@pytest.mark.parametrize("length", range(9))
@pytest.mark.parametrize("window", range(1, 11))
def test_there_is_one_average_for_each_window(length, window):
    values = [value * value for value in range(length)]
    averages = moving_average(values, window)
    assert len(averages) == max(0, length - window + 1)
    for start, average in enumerate(averages):
        assert average == pytest.approx(sum(values[start : start + window]) / window)


def test_window_of_one_gives_the_series_back():
    assert moving_average([2, 9, 4], 1) == [2, 9, 4]


def test_wettest_week_may_be_the_last_one():
    lines = [f"2024-05-{day:02} {amount}" for day, amount in enumerate([0, 0, 0, 1, 1, 1, 1, 8], start=1)]
    assert summary(lines).endswith("wettest 7 days 12.0 mm")
