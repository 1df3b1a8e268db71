from itertools import count, islice

import pytest

from streams import Peekable, changes, chunks, first, flatten, merged, running_mean, windows


def test_chunks():
    assert list(chunks(range(4), 2)) == [[0, 1], [2, 3]]
    assert list(chunks(iter([1]), 5)) == [[1]]
    assert list(chunks([0, 0, 0], 1)) == [[0], [0], [0]]
    with pytest.raises(ValueError):
        next(chunks([1], -1))


def test_windows():
    assert list(windows("abcd", 1)) == [("a",), ("b",), ("c",), ("d",)]
    assert list(windows("abcd", 4)) == [tuple("abcd")]
    assert list(islice(windows(count(), 2), 3)) == [(0, 1), (1, 2), (2, 3)]


def test_flatten():
    assert list(flatten([])) == []
    assert list(flatten([[[]], [()], "ab", b"c", {1: 2}])) == ["ab", b"c", {1: 2}]
    assert list(flatten(([["x"]], 0, None))) == ["x", 0, None]
    assert next(flatten([[1], count()])) == 1


def test_merged():
    assert list(merged()) == []
    assert list(merged("ace", "bdf", "ag")) == list("aabcdefg")
    assert list(merged([5], [1, 2, 3])) == [1, 2, 3, 5]
    values = list(merged([1, 1], [1.0], [0, 1]))
    assert values == [0, 1, 1, 1, 1]
    assert [type(value) for value in values] == [int, int, int, float, int]
    assert list(islice(merged(count(5), [1, 6]), 4)) == [1, 5, 6, 6]


def test_changes():
    assert list(changes([])) == []
    assert list(changes([None, None, 1])) == [1]
    assert list(changes([3, 3, 3, 4, 3, 3], start=4)) == [3, 4, 3]


def test_running_mean():
    assert list(running_mean([])) == []
    assert list(running_mean([1, 2, 3, 4])) == [1, 1.5, 2, 2.5]


def test_peekable():
    items = Peekable([None, 0, 1])
    assert items.peek("d") is None
    assert next(items) is None
    assert next(items) == 0
    assert items.peek() == 1
    assert next(items) == 1
    with pytest.raises(StopIteration):
        next(items)
    assert items.peek() is None
    falsy = Peekable([0, 0, 5])
    assert falsy.take_while(lambda item: item == 0) == [0, 0]
    assert next(falsy) == 5
    assert Peekable("aab").take_while(lambda item: item == "a") == ["a", "a"]
    assert iter(items) is items


def test_first():
    assert first([]) is None
    assert first(count(), lambda item: item > 7) == 8
    assert first([3, 2], lambda item: item < 3) == 2
