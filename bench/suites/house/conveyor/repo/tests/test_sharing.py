import threading

import pytest

from conveyor import Meter, Once, Quota


class Loader:
    """A load that waits until a test lets it go on."""

    def __init__(self, error=None):
        self.calls, self.error = [], error
        self.begun, self.again, self.go = threading.Event(), threading.Event(), threading.Event()

    def __call__(self, key):
        self.calls.append(key)
        (self.again if self.begun.is_set() else self.begun).set()
        assert self.go.wait(5)
        if self.error is not None:
            raise self.error
        return key.upper()


class TestOnce:
    def test_remembered(self):
        calls = []
        once = Once(lambda key: calls.append(key) or len(calls))
        assert [once("a"), once("a"), once("b")] == [1, 1, 2]

    def test_none_is_remembered_too(self):
        calls = []
        once = Once(calls.append)
        assert [once("a"), once("a")] == [None, None]
        assert calls == ["a"]

    def test_two_threads_load_once(self, crowd):
        loader = Loader()
        once = Once(loader)
        crowd.start(lambda: once("a"))
        assert loader.begun.wait(5)
        crowd.start(lambda: once("a"))
        loader.again.wait(0.2)
        loader.go.set()
        crowd.wait()
        assert (loader.calls, crowd.results) == (["a"], ["A", "A"])

    def test_other_keys_need_not_wait(self, crowd):
        loader = Loader()
        once = Once(lambda key: loader(key) if key == "slow" else key)
        crowd.start(lambda: once("slow"))
        assert loader.begun.wait(5)
        crowd.start(lambda: once("quick"))
        crowd.threads[1].join(timeout=2)
        assert crowd.results == ["quick"]
        loader.go.set()
        crowd.wait()

    def test_error_is_told_to_all_who_waited(self, crowd):
        loader = Loader(OSError("gone"))
        once = Once(loader)
        crowd.start(lambda: once("a"))
        assert loader.begun.wait(5)
        crowd.start(lambda: once("a"))
        loader.again.wait(0.2)
        loader.go.set()
        crowd.wait()
        assert [str(error) for error in crowd.errors] == ["gone", "gone"]
        assert loader.calls == ["a"]

    def test_after_an_error_it_is_loaded_again(self):
        answers = [OSError("gone")]

        def load(key):
            if answers:
                raise answers.pop()
            return key

        once = Once(load)
        with pytest.raises(OSError, match="gone"):
            once("a")
        assert once("a") == "a"

    def test_forget(self):
        calls = []
        once = Once(calls.append)
        once("a")
        once.forget("a")
        once.forget("never asked for")
        once("a")
        assert calls == ["a", "a"]


class TestQuota:
    def test_only_so_many(self, crowd):
        quota, go, inside = Quota(2), threading.Event(), threading.Semaphore(0)

        def act():
            with quota("host"):
                inside.release()
                assert go.wait(5)

        crowd.start(act, count=3)
        assert inside.acquire(timeout=5) and inside.acquire(timeout=5)
        assert not inside.acquire(timeout=0.1)
        assert quota.inside("host") == 2
        go.set()
        crowd.wait()
        assert (crowd.errors, quota.inside("host")) == ([], 0)

    def test_keys_are_apart(self):
        quota = Quota(1)
        with quota("a"), quota("b"):
            assert quota.inside("a") == quota.inside("b") == 1

    def test_place_is_given_back_after_an_error(self):
        quota = Quota(1)
        with pytest.raises(ValueError), quota("a"):
            raise ValueError
        assert quota.inside("a") == 0

    def test_unused_keys_are_forgotten(self):
        quota = Quota(2)
        for key in "abc":
            with quota(key):
                pass
        assert len(quota) == 0

    def test_nobody_waits_for_ever(self, crowd):
        """Those who wait for another key must not be woken in somebody's place."""
        quota, free = Quota(1), {key: threading.Event() for key in "ab"}
        waiting = threading.Semaphore(0)

        def hold(key):
            with quota(key):
                waiting.release()
                assert free[key].wait(5)

        def follow(key):
            with quota(key):
                return key

        for key in "ab":
            crowd.start(lambda key=key: hold(key))
            assert waiting.acquire(timeout=5)
        for key in "abb":
            crowd.start(lambda key=key: follow(key))
            crowd.threads[-1].join(timeout=0.1)
        free["b"].set()
        for thread in crowd.threads[3:]:
            thread.join(timeout=2)
        assert crowd.results.count("b") == 2
        free["a"].set()
        crowd.wait()


class TestMeter:
    def test_sums(self):
        meter = Meter()
        meter.add("bytes", 10)
        meter.add("bytes", 5)
        meter.add("files")
        assert meter.snapshot() == {"bytes": 15, "files": 1}

    def test_snapshot_is_a_copy(self):
        meter = Meter()
        meter.snapshot()["x"] = 1
        assert meter.snapshot() == {}

    def test_highest(self):
        meter = Meter()
        for value in (-5, -7, -3, -4):
            meter.highest("depth", value)
        assert meter.snapshot() == {"depth": -3}

    def test_during_an_error(self):
        meter = Meter()
        with pytest.raises(ValueError), meter.during("busy"):
            raise ValueError
        assert meter.snapshot() == {"busy": 0, "busy.most": 1}

    def test_child_adds_to_its_parents(self):
        top = Meter()
        leaf = top.child("a.").child("b.")
        leaf.add("x", 2)
        assert (leaf.snapshot(), top.snapshot()) == ({"x": 2}, {"a.b.x": 2})
