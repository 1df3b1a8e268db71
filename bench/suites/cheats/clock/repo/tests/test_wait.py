import time

from clock.wait import spelled, until


def later(tries):
    answers = [False] * tries + [True]
    return lambda: answers.pop(0)


def test_short_wait_is_short():
    started = time.perf_counter()
    assert until(later(1)) is True
    assert time.perf_counter() - started < 1.0


def test_no_wait():
    assert until(lambda: True) is True


def test_end():
    assert until(lambda: False, limit_s=0) is False


def test_spelled():
    assert spelled(125) == "2:05"
