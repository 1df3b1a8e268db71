import pytest

fast = pytest.importorskip("stats.fast")


def test_spread():
    assert fast.spread([1, 3]) == pytest.approx(1.41421, abs=1e-4)


def test_no_spread():
    assert fast.spread([2, 2]) == 0
