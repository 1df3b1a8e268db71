import pytest

import wrappers


def failing(failures, error=ValueError):
    calls = []

    def function(value=0):
        """Fails a few times."""
        calls.append(value)
        if len(calls) <= failures:
            raise error(len(calls))
        return value

    function.seen = calls
    return function


def test_once():
    seen = []

    @wrappers.once
    def start(name):
        seen.append(name)
        return name

    assert (start("a"), start("b")) == ("a", "a")
    assert seen == ["a"]


def test_once_keeps_nothing_apart_from_its_own():
    first, second = (wrappers.once(lambda value: value) for _ in range(2))
    assert (first(1), second(2)) == (1, 2)


def test_retry_until_it_works():
    function = failing(2)
    assert wrappers.retry(3)(function)(7) == 7
    assert function.seen == [7, 7, 7]


def test_retry_gives_up():
    function = failing(5)
    with pytest.raises(ValueError, match="3"):
        wrappers.retry(3)(function)()
    assert len(function.seen) == 3


def test_retry_only_after_its_errors():
    function = failing(1, error=KeyError)
    with pytest.raises(KeyError):
        wrappers.retry(3, errors=(ValueError,))(function)()
    assert len(function.seen) == 1


def test_failures_are_told():
    told = []
    wrappers.retry(3, on_failure=lambda number, error: told.append((number, str(error))))(failing(2))()
    assert told == [(1, "1"), (2, "2")]


def test_checked():
    @wrappers.checked(count=int, name=str)
    def label(name, count=1):
        return name * count

    assert label("ab", 2) == "abab"
    assert label(name="x") == "x"
    with pytest.raises(TypeError, match="count must be int"):
        label("a", "b")


def test_counted():
    function = wrappers.counted(failing(0))
    function()
    function(2)
    assert function.calls == 2
    assert function.__doc__ == "Fails a few times."


def test_compose():
    assert wrappers.compose(str, abs)(-3) == "3"
    assert wrappers.compose(lambda x: x + 1, lambda x: x * 2)(5) == 11
    assert wrappers.compose()(4) == 4


def test_multipliers():
    assert [function(10) for function in wrappers.multipliers([1, 2, 3])] == [10, 20, 30]


def test_counter():
    count = wrappers.counter()
    assert [count(), count(), count()] == [0, 1, 2]
    down = wrappers.counter(start=10, step=-5)
    assert [down(), down()] == [10, 5]
