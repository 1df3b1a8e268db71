import pytest

from samples import NoData, correlation, deviation, histogram, mean, modes, moving_average, outliers, percent, quantile, scaled, variance


def test_mean():
    assert mean([5]) == 5
    assert mean([-1, 1, 3, 4]) == 1.75
    assert mean(value for value in (2, 4)) == 3
    with pytest.raises(NoData):
        mean(iter(()))


def test_variance():
    values = [1, 2, 3, 4, 10]
    assert variance(values) == 12.5
    assert variance(values, sample=False) == 10
    assert variance(iter(values)) == 12.5
    assert variance([3], sample=False) == 0
    assert deviation([1, 1, 1, 1]) == 0
    assert deviation([1, 3]) == pytest.approx(1.41421356)
    with pytest.raises(NoData):
        variance([])


def test_quantile():
    values = [40, 10, 30, 20]
    for share, expected in ((0, 10), (1, 40), (0.5, 25), (1 / 3, 20), (0.9, 37), (0.1, 13)):
        assert quantile(values, share) == pytest.approx(expected)
    assert values == [40, 10, 30, 20]
    assert quantile([7], 0.3) == 7
    for share in (-0.01, 1.01):
        with pytest.raises(ValueError):
            quantile(values, share)
    with pytest.raises(NoData):
        quantile([], 0.5)


def test_modes():
    assert modes("abcab") == ["a", "b"]
    assert modes([5]) == [5]
    assert modes([2, 1, 0]) == [0, 1, 2]
    assert modes([3, 3, 3, 1, 1]) == [3]


def test_scaled():
    assert scaled([-2, 0, 2, 6]) == [0, 0.25, 0.5, 1]
    assert scaled(iter([3, 1])) == [1, 0]
    assert scaled([0, 0, 0]) == [0.0, 0.0, 0.0]


def test_histogram():
    assert histogram([], [0, 1]) == [0]
    assert histogram([1, 1, 0, 2], [0, 1]) == [3]
    assert histogram([0, 10, 19.9, 20, 30, 30, 31], [0, 10, 20, 30]) == [1, 2, 3]
    assert histogram([10, 20], [0, 10, 20]) == [0, 2]


def test_moving_average():
    assert moving_average([1, 2, 3], 1) == [1, 2, 3]
    assert moving_average([1, 2, 3], 3) == [2]
    assert moving_average([1, 2], 3) == []
    assert moving_average([0, 0, 1, 1], 3) == [0.33, 0.67]


def test_correlation():
    assert correlation([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    assert correlation([0, 1, 0, 1], [0, 0, 1, 1]) == pytest.approx(0)
    assert correlation([2, 4, 4, 5, 7, 9], [1, 2, 3, 4, 5, 5]) == pytest.approx(0.9206, abs=1e-4)
    assert correlation([1, 1], [1, 2]) == 0
    for xs, ys in (([1], []), ([1, 2, 3], [1, 2])):
        with pytest.raises(ValueError):
            correlation(xs, ys)
    with pytest.raises(NoData):
        correlation([], [])


def test_outliers():
    values = [0] * 10 + [100, -90]
    assert outliers(values) == [100, -90]
    assert outliers(values, times=3) == []
    assert outliers([1, 1, 1]) == []
    assert outliers([-1, 1], times=0.5) == [-1, 1]


def test_percent():
    assert percent(1, 8) == 12.5
    assert percent(1, 7, 3) == 14.286
    assert percent(0, 5) == 0
    assert percent(5, 0) == 0.0
    assert percent(-1, 4) == -25
