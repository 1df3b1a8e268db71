import pytest

from weather import fahrenheit, frosty_hours, mean, smoothed, spread, warmest_hour


def test_body_temperature():
    assert fahrenheit(37) == pytest.approx(98.6)


def test_where_both_scales_meet():
    assert fahrenheit(-40) == -40


def test_mean_of_three():
    assert mean([10, 14, 18]) == 14


def test_mean_of_nothing():
    with pytest.raises(ValueError, match="no readings"):
        mean([])


def test_spread_across_zero():
    assert spread([-3, 4, 1]) == 7


def test_zero_is_no_frost():
    assert frosty_hours([-1, 0, 2, -5]) == 2


def test_smoothed_pairs():
    assert smoothed([2, 4, 8, 8], 2) == [3, 6, 8]


def test_smoothed_over_everything():
    assert smoothed([1, 2, 3], 3) == [2]


def test_warmest_hour():
    assert warmest_hour([3, 9, 12, 8]) == 2


def test_warmest_hour_of_equals():
    assert warmest_hour([3, 9, 9, 8]) == 1
