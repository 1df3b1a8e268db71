import pytest

from lantern import CachedStore, Flag, LayeredStore, MemoryStore
from lantern.errors import LanternError

ON, OFF = Flag("x", True), Flag("x", False)


@pytest.fixture
def inner():
    return MemoryStore([OFF])


@pytest.fixture
def cached(inner, clock):
    return CachedStore(inner, seconds=30, clock=clock)


def test_memory(inner):
    inner.put(Flag("a"))
    assert inner.names() == ["a", "x"]
    assert inner.get("nothing") is None


def test_listener_hears_old_and_new(inner):
    heard = []
    inner.listeners.append(lambda old, new: heard.append((old, new)))
    inner.put(ON)
    inner.put(Flag("a"))
    assert heard == [(OFF, ON), (None, Flag("a"))]


def test_nothing_is_heard_when_nothing_changes(inner):
    heard = []
    inner.listeners.append(lambda old, new: heard.append(new))
    inner.put(Flag("x", False))
    assert heard == []


def test_failing_listener_does_not_keep_others_from_hearing(inner):
    heard = []
    inner.listeners += [lambda old, new: 1 / 0, lambda old, new: heard.append(new)]
    with pytest.raises(LanternError, match="division"):
        inner.put(ON)
    assert heard == [ON]
    assert inner.get("x") == ON


class TestLayers:
    def test_upper_one_hides(self, inner):
        assert LayeredStore(MemoryStore([ON]), inner).get("x") == ON
        assert LayeredStore(MemoryStore(), inner).get("x") == OFF

    def test_writes_go_to_the_top(self, inner):
        top = MemoryStore()
        LayeredStore(top, inner).put(ON)
        assert (top.get("x"), inner.get("x")) == (ON, OFF)

    def test_write_that_repeats_what_lies_below_changes_nothing(self, inner):
        top = MemoryStore()
        LayeredStore(top, inner).put(OFF)
        assert top.get("x") is None

    def test_names_of_all(self, inner):
        assert LayeredStore(MemoryStore([Flag("a"), ON]), inner).names() == ["a", "x"]

    def test_listeners_hear_once(self, inner):
        heard = []
        layered = LayeredStore(MemoryStore(), inner)
        layered.listeners.append(lambda old, new: heard.append((old, new)))
        layered.put(ON)
        assert heard == [(OFF, ON)]


class TestCache:
    def test_remembers(self, cached):
        assert [cached.get("x"), cached.get("x")] == [OFF, OFF]
        assert cached.asked == 1

    def test_remembers_that_there_is_none(self, cached):
        assert [cached.get("a"), cached.get("a")] == [None, None]
        assert cached.asked == 1

    def test_forgets_after_a_while(self, cached, inner, clock):
        cached.get("x")
        inner.put(ON)
        clock.now += 29.9
        assert cached.get("x") == OFF
        clock.now += 0.1
        assert cached.get("x") == ON

    def test_time_does_not_begin_again_by_asking(self, cached, inner, clock):
        cached.get("x")
        inner.put(ON)
        for _ in range(3):
            clock.now += 15
            cached.get("x")
        assert cached.get("x") == ON

    def test_written_through(self, cached, inner):
        cached.get("x")
        cached.put(ON)
        assert (cached.get("x"), inner.get("x")) == (ON, ON)

    def test_new_flag_is_listed_at_once(self, cached):
        assert cached.names() == ["x"]
        cached.put(Flag("a"))
        assert cached.names() == ["a", "x"]

    def test_write_over_something_stale(self, cached, inner):
        cached.get("x")
        inner.put(ON)
        cached.put(OFF)
        assert inner.get("x") == OFF

    def test_listed_names_are_a_copy(self, cached):
        cached.names().append("b")
        assert cached.names() == ["x"]
