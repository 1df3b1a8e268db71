import pytest

import samples


class TestMiddle:
    def test_mean(self):
        assert samples.mean([1, 2, 6]) == 3
        assert samples.mean(iter([1, 2])) == 1.5

    def test_mean_of_nothing(self):
        with pytest.raises(samples.NoData):
            samples.mean([])

    @pytest.mark.parametrize("share, expected", [(0, 1), (0.5, 3), (1, 9), (0.25, 2), (0.875, 7)])
    def test_quantile(self, share, expected):
        assert samples.quantile([5, 1, 9, 3, 2], share) == expected

    @pytest.mark.parametrize("share", [-0.1, 1.5])
    def test_no_such_share(self, share):
        with pytest.raises(ValueError):
            samples.quantile([1], share)

    def test_modes(self):
        assert samples.modes([3, 1, 3, 2, 1]) == [1, 3]
        assert samples.modes([]) == []


class TestSpread:
    def test_variance(self):
        assert samples.variance([2, 4, 6]) == 4
        assert samples.variance([2, 4, 6, 8], sample=False) == 5
        assert samples.variance([7]) == 0

    def test_deviation(self):
        assert samples.deviation([2, 4, 6]) == 2

    def test_scaled(self):
        assert samples.scaled([10, 15, 20]) == [0, 0.5, 1]
        assert samples.scaled([4, 4]) == [0, 0]

    def test_outliers(self):
        values = [10, 11, 60, 9, 10, 11, 9, 10, -20]
        assert samples.outliers(values) == [60]
        assert samples.outliers(values, times=1) == [60, -20]


class TestCounts:
    def test_histogram(self):
        assert samples.histogram([0, 1, 5, 9, 10, 11, -1], [0, 5, 10]) == [2, 3]

    def test_inner_edge_belongs_to_the_upper_bin(self):
        assert samples.histogram([1, 2, 2, 3], [1, 2, 3, 4]) == [1, 2, 1]

    def test_moving_average(self):
        assert samples.moving_average([1, 2, 4, 8], 3) == [2.33, 4.67]
        assert samples.moving_average([1, 2], 2) == [1.5]

    def test_percent(self):
        assert samples.percent(1, 3) == 33.3
        assert samples.percent(1, 3, digits=0) == 33
        assert samples.percent(1, 0) == 0


class TestCorrelation:
    def test_lines(self):
        assert samples.correlation([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
        assert samples.correlation([1, 2, 3], [5, 3, 1]) == pytest.approx(-1)

    def test_something_between(self):
        assert samples.correlation([1, 2, 3, 4], [1, 3, 2, 5]) == pytest.approx(0.8315, abs=1e-4)

    def test_without_variation(self):
        assert samples.correlation([1, 2], [3, 3]) == 0

    def test_different_lengths(self):
        with pytest.raises(ValueError):
            samples.correlation([1, 2], [1, 2, 3])
