import pytest

from wrappers import checked, compose, counted, counter, multipliers, once, retry


def test_once():
    calls = []

    @once
    def nothing():
        """Doc."""
        calls.append(1)

    assert nothing() is None
    assert nothing() is None
    assert calls == [1]
    assert nothing.__name__ == "nothing"
    assert nothing.__doc__ == "Doc."
    double = once(lambda value: value * 2)
    assert [double(4), double(5), double(4)] == [8, 8, 8]


@pytest.mark.parametrize("times, failures", [(1, 0), (1, 1), (2, 1), (4, 3), (4, 4)])
def test_retry(times, failures):
    calls, told = [], []

    @retry(times, errors=(LookupError, OSError), on_failure=lambda number, error: told.append((number, error)))
    def work(a, *, b=2):
        calls.append((a, b))
        if len(calls) <= failures:
            raise KeyError(len(calls))
        return a + b

    if failures < times:
        assert work(1, b=3) == 4
    else:
        with pytest.raises(KeyError) as caught:
            work(1, b=3)
        assert caught.value is told[-1][1]
    assert calls == [(1, 3)] * min(times, failures + 1)
    assert [number for number, _ in told] == list(range(1, failures + 1))
    assert work.__name__ == "work"


def test_other_errors_pass():
    calls = []

    @retry(5, errors=(OSError,))
    def work():
        calls.append(1)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    assert calls == [1]


def test_retry_in_silence():
    calls = []

    @retry(2)
    def work():
        calls.append(1)
        if len(calls) == 1:
            raise OSError
        return "done"

    assert work() == "done"
    assert calls == [1, 1]


def test_checked():
    @checked(b=str)
    def f(a, b="x", *rest, c=None):
        return a, b, rest, c

    assert f(1) == (1, "x", (), None)
    assert f(1, "y", 2, c=3) == (1, "y", (2,), 3)
    assert f(b="q", a=0) == (0, "q", (), None)
    for call in (lambda: f(1, 2), lambda: f(1, b=None), lambda: f()):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError, match="b must be str"):
        f(1, b=5)

    @checked(n=int)
    def g(n=None):
        return n

    with pytest.raises(TypeError, match="n must be int"):
        g()


def test_counted():
    @counted
    def f(x):
        """D."""
        return x

    @counted
    def g():
        return None

    assert (f.calls, f(3), f(x=4), f.calls, g.calls) == (0, 3, 4, 2, 0)
    assert f.__name__ == "f"


def test_compose():
    assert compose(len)("abc") == 3
    assert compose(list, reversed, sorted)([2, 3, 1]) == [3, 2, 1]


def test_multipliers():
    double, zero = multipliers((2, 0))
    assert (double("a"), double(4), zero(9)) == ("aa", 8, 0)
    assert multipliers([]) == []


def test_counter():
    one, two = counter(5), counter(step=3)
    assert [one(), two(), one(), two(), one()] == [5, 0, 6, 3, 7]
