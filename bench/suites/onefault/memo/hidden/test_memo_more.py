import pytest

from memo import MISSING, Cache, remembered


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_eviction_order():
    cache = Cache(size=3)
    for number in range(6):
        cache.put(number, -number)
    assert [number in cache for number in range(6)] == [False] * 3 + [True] * 3
    cache.put(3, "new")
    cache.put(6, 6)
    assert 3 in cache
    assert 4 not in cache
    assert cache.get(3) == "new"
    assert len(cache) == 3


def test_counts():
    cache = Cache(size=1)
    assert cache.get("x") is None
    assert cache.hit_rate() == 0.0
    cache.put("x", 0)
    assert cache.get("x") == 0
    assert cache.hit_rate() == 0.5
    assert "x" in cache
    assert (cache.hits, cache.misses) == (1, 1)
    assert cache.peek("y") is MISSING
    cache.clear()
    assert cache.hit_rate() == 0.0
    assert "x" not in cache


def test_age():
    clock = Clock()
    cache = Cache(size=5, max_age_s=2.5, clock=clock)
    cache.put("a", "A")
    clock.now = 2.0
    cache.put("b", "B")
    clock.now = 3.0
    assert cache.peek("a", "gone") == "gone"
    assert cache.get("b") == "B"
    cache.put("b", "again")
    clock.now = 5.5
    assert cache.get("b") == "again"
    forever = Cache(clock=clock)
    forever.put("a", 1)
    clock.now = 1e9
    assert forever.get("a") == 1


def test_sizes():
    assert Cache(1).size == 1
    for size in (0, -1):
        with pytest.raises(ValueError):
            Cache(size)


def test_remembered():
    calls = []

    @remembered(size=2)
    def join(*parts, sep="-", end=""):
        calls.append(parts)
        return sep.join(parts) + end

    assert join("a", "b") == "a-b"
    assert join("a", "b", sep="+", end="!") == "a+b!"
    assert join("a", "b", end="!", sep="+") == "a+b!"
    assert len(calls) == 2
    assert join("c") == "c"
    assert join("a", "b") == "a-b"
    assert len(calls) == 4
    assert join.__wrapped__("q") == "q"
    assert len(join.cache) == 2

    @remembered()
    def other(text):
        return text

    assert other("a") == "a"
    assert len(other.cache) == 1


def test_used_values_stay():
    cache = Cache(size=3)
    for key in "abc":
        cache.put(key, key)
    cache.get("b")
    cache.get("a")
    cache.put("d", "d")
    cache.put("e", "e")
    assert [key in cache for key in "abcde"] == [True, False, False, True, True]


def test_rate_of_many_uses():
    cache = Cache()
    cache.put("a", 1)
    for key in "abcabbbb":
        cache.get(key)
    assert cache.hit_rate() == 0.25


def test_none_is_a_result():
    calls = []

    @remembered()
    def nothing(*args):
        calls.append(args)

    assert nothing(1) is None
    assert nothing(1) is None
    assert nothing(2) is None
    assert calls == [(1,), (2,)]
