import pytest

from weather import fahrenheit, frosty_hours, mean, smoothed, spread, warmest_hour


@pytest.mark.parametrize(("celsius", "expected"), [(0, 32), (100, 212), (20, 68), (-10, 14), (25.5, 77.9)])
def test_scale(celsius, expected):
    assert fahrenheit(celsius) == pytest.approx(expected)


@pytest.mark.parametrize(("readings", "expected"), [([5], 5), ([1, 2], 1.5), ([-4, 4], 0), ([0.5, 0.5, 2], 1)])
def test_means(readings, expected):
    assert mean(readings) == pytest.approx(expected)


@pytest.mark.parametrize(("readings", "expected"), [([5], 0), ([-5, -2], 3), ([7, 1, 4], 6), ([-1, 1], 2)])
def test_spreads(readings, expected):
    assert spread(readings) == expected


@pytest.mark.parametrize(("readings", "hours"), [([], 0), ([0, 0], 0), ([-0.1], 1), ([-2, 3, -2, 3], 2)])
def test_frost(readings, hours):
    assert frosty_hours(readings) == hours


@pytest.mark.parametrize(
    ("readings", "width", "expected"),
    [([1, 2, 3, 4], 1, [1, 2, 3, 4]), ([1, 2, 3, 4], 3, [2, 3]), ([4, 4], 2, [4]), ([1], 2, []), ([0, 6, 0, 6], 2, [3, 3, 3])],
)
def test_smoothing(readings, width, expected):
    assert smoothed(readings, width) == expected


@pytest.mark.parametrize(("readings", "hour"), [([1], 0), ([5, 5, 5], 0), ([-9, -3, -4], 1), ([0, 1, 2, 3], 3), ([4, 6, 1, 6], 1)])
def test_hours(readings, hour):
    assert warmest_hour(readings) == hour
