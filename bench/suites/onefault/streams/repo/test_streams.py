from itertools import count

import pytest

import streams


def test_chunks():
    assert list(streams.chunks("abcdefg", 3)) == [["a", "b", "c"], ["d", "e", "f"], ["g"]]
    assert list(streams.chunks([], 3)) == []


def test_chunks_of_nothing():
    with pytest.raises(ValueError):
        list(streams.chunks("abc", 0))


def test_chunks_are_lazy():
    assert next(streams.chunks(count(), 2)) == [0, 1]


def test_windows():
    assert list(streams.windows([1, 2, 3, 4], 3)) == [(1, 2, 3), (2, 3, 4)]
    assert list(streams.windows([1, 2], 3)) == []


def test_flatten():
    assert list(streams.flatten([1, [2, (3, [4])], "text", []])) == [1, 2, 3, 4, "text"]


def test_merged():
    assert list(streams.merged([1, 4, 6], [2, 4, 9], [])) == [1, 2, 4, 4, 6, 9]


def test_merged_streams_may_be_endless():
    stream = streams.merged(count(0, 2), count(1, 2))
    assert [next(stream) for _ in range(5)] == [0, 1, 2, 3, 4]


def test_changes():
    assert list(streams.changes([1, 1, 2, 2, 1])) == [1, 2, 1]
    assert list(streams.changes([0, 0, 5], start=0)) == [5]


def test_running_mean():
    assert list(streams.running_mean([2, 4, 9])) == [2, 3, 5]


def test_peeking_takes_nothing():
    items = streams.Peekable("ab")
    assert (items.peek(), items.peek(), next(items)) == ("a", "a", "a")
    assert list(items) == ["b"]
    assert items.peek("end") == "end"


def test_take_while():
    items = streams.Peekable([1, 2, 0, 3])
    assert items.take_while(lambda item: item > 0) == [1, 2]
    assert list(items) == [0, 3]
    assert items.take_while(bool) == []


def test_first():
    assert streams.first([0, "", 3, 4]) == 3
    assert streams.first([1, 2], lambda item: item > 5, default=9) == 9
