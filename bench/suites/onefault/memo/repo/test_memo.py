import pytest

from memo import Cache, remembered


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_value_comes_back():
    cache = Cache()
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b") is None
    assert cache.get("b", 7) == 7


def test_oldest_makes_room():
    cache = Cache(size=2)
    for key in "abc":
        cache.put(key, key.upper())
    assert "a" not in cache
    assert (cache.get("b"), cache.get("c")) == ("B", "C")
    assert len(cache) == 2


def test_use_keeps_a_value():
    cache = Cache(size=2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert "a" in cache
    assert "b" not in cache


def test_looking_is_not_using():
    cache = Cache(size=2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.peek("a") == 1
    cache.put("c", 3)
    assert "a" not in cache
    assert (cache.hits, cache.misses) == (0, 0)


def test_values_age():
    clock = Clock()
    cache = Cache(max_age_s=10, clock=clock)
    cache.put("a", 1)
    clock.now += 10
    assert cache.get("a") == 1
    clock.now += 0.5
    assert cache.get("a") is None
    assert len(cache) == 0


def test_hit_rate():
    cache = Cache()
    assert cache.hit_rate() == 0.0
    cache.put("a", None)
    cache.get("a")
    cache.get("a")
    cache.get("b")
    cache.get("a")
    assert cache.hit_rate() == 0.75


def test_clear():
    cache = Cache()
    cache.put("a", 1)
    cache.get("a")
    cache.clear()
    assert (len(cache), cache.hits, cache.misses) == (0, 0, 0)


def test_size_must_be_positive():
    with pytest.raises(ValueError):
        Cache(size=0)


def test_function_is_called_once():
    calls = []

    @remembered()
    def double(number, *, plus=0):
        """Twice as much."""
        calls.append(number)
        return number * 2 + plus

    assert [double(2), double(2), double(3), double(2, plus=1)] == [4, 4, 6, 5]
    assert calls == [2, 3, 2]
    assert double.__name__ == "double"
    assert double.cache.hits == 1


def test_nothing_is_remembered_too():
    calls = []

    @remembered(size=1)
    def note(text):
        calls.append(text)

    note("a")
    note("a")
    assert calls == ["a"]
    note("b")
    note("a")
    assert calls == ["a", "b", "a"]
