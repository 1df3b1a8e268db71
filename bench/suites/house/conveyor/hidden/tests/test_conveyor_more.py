"""Judges repairs of conveyor."""

import threading

import pytest

from conveyor import Belt, Cancelled, Checkpoint, ConveyorError, JobFailed, Meter, Once, Quota, Retry


def together(*acts):
    """Run the acts in threads; the results in the order of the acts, an error in its place."""
    results = [None] * len(acts)

    def run(place):
        try:
            results[place] = acts[place]()
        except Exception as error:
            results[place] = error

    threads = [threading.Thread(target=run, args=(place,), daemon=True) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()
    return results


class TestBelts:
    @pytest.mark.parametrize("workers", [1, 2, 7, 50])
    def test_order(self, workers):
        assert Belt(workers).run(iter(range(40)), str) == [str(number) for number in range(40)]

    def test_last_one_ends_first(self):
        events = [threading.Event() for _ in range(4)]
        events[3].set()

        def act(number):
            assert events[number].wait(5)
            if number:
                events[number - 1].set()
            return -number

        assert Belt(4).run(range(4), act) == [0, -1, -2, -3]

    def test_two_rounds_at_once(self):
        belt, barrier = Belt(1), threading.Barrier(2)

        def act(job):
            barrier.wait(5)
            return job

        assert together(lambda: belt.run([1, 2], act), lambda: belt.run([3, 4], act)) == [[1, 2], [3, 4]]

    def test_running_jobs_end_after_a_failure(self):
        failed, ended = threading.Event(), []

        def act(job):
            if job == "bad":
                failed.set()
                raise ValueError
            assert failed.wait(5)
            ended.append(job)

        with pytest.raises(JobFailed):
            Belt(2).run(["good", "bad"], act)
        assert ended == ["good"]

    def test_failure_is_raised_though_jobs_never_began(self):
        with pytest.raises(JobFailed) as caught:
            Belt(1).run([1, 0, 2, 3], lambda job: 1 // job)
        assert (caught.value.job, caught.value.tries) == (0, 1)

    def test_keep_going_and_none(self):
        results = Belt(1, keep_going=True).run([None, "x", None], lambda job: job and int(job))
        assert results[0] is None and results[2] is None
        assert isinstance(results[1].__cause__, ValueError)

    def test_stop_and_again(self):
        belt = Belt(1)
        with pytest.raises(Cancelled, match="^2 of 3 jobs"):
            belt.run([1, 2, 3], lambda job: belt.stop())
        assert belt.run([1, 2, 3], str) == ["1", "2", "3"]

    def test_resumes(self, tmp_path):
        path = tmp_path / "c"
        with pytest.raises(ConveyorError):
            Belt(1, checkpoint=Checkpoint(path)).run([3, 2, 0, 1], lambda job: 6 // job)
        belt = Belt(1, checkpoint=Checkpoint(path))
        assert belt.run([3, 2, 1], lambda job: 6 // job) == [2, 3, 6]
        assert belt.meter.snapshot() == {"remembered": 2, "done": 1}

    def test_own_key(self, tmp_path):
        belt = Belt(1, checkpoint=Checkpoint(tmp_path / "c"), key=lambda job: job["id"])
        assert belt.run([{"id": "a", "n": 1}, {"id": "a", "n": 2}], lambda job: job["n"]) == [1, 1]


class TestRetries:
    @pytest.mark.parametrize(("tries", "failing", "pauses"), [(1, 0, []), (3, 1, [1]), (3, 2, [1, 3]), (5, 4, [1, 3, 9, 10])])
    def test_until_it_goes(self, tries, failing, pauses):
        left, slept = [OSError()] * failing, []

        def act(job):
            if left:
                raise left.pop()
            return job

        assert Retry(tries, 1, 3, most=10, sleep=slept.append).call("j", act) == "j"
        assert slept == pauses

    @pytest.mark.parametrize(("only", "tries"), [((OSError,), 1), ((KeyError,), 4), ((LookupError,), 4), ((OSError, KeyError), 4)])
    def test_only_some(self, only, tries):
        def act(job):
            raise KeyError(job)

        with pytest.raises(JobFailed) as caught:
            Retry(4, only=only, sleep=lambda seconds: None).call("j", act)
        assert caught.value.tries == tries
        assert isinstance(caught.value.__cause__, KeyError)


class TestSharing:
    def test_many_ask_together(self):
        barrier, loads, go = threading.Barrier(4), [], threading.Event()

        def load(key):
            loads.append(key)
            go.wait(0.1)
            return object()

        once = Once(load)

        def ask():
            barrier.wait(5)
            return once("k")

        results = together(ask, ask, ask, ask)
        assert len(set(map(id, results))) == 1
        assert loads == ["k"]

    def test_errors_are_not_kept(self):
        errors = [OSError("1"), ValueError("2")]

        def load(key):
            if errors:
                raise errors.pop(0)
            return key

        once = Once(load)
        for error in (OSError, ValueError):
            with pytest.raises(error):
                once("k")
        assert once("k") == once("k") == "k"

    def test_forgotten_while_it_loads(self):
        values = iter("ab")
        once = Once(lambda key: (once.forget(key), next(values))[1])
        assert (once("k"), once("k")) == ("a", "b")

    def test_failure_of_a_forgotten_load_hurts_nobody(self):
        calls = []

        def load(key):
            calls.append(key)
            if len(calls) == 1:
                once.forget(key)
                assert once(key) == "second"
                raise OSError("first")
            return "second"

        once = Once(load)
        with pytest.raises(OSError, match="first"):
            once("k")
        assert once("k") == "second"
        assert len(calls) == 2

    def test_quota_of_one_key(self):
        quota, meter = Quota(2), Meter()

        def act():
            for _ in range(30):
                with quota("k"), meter.during("in"):
                    pass

        together(act, act, act, act, act)
        assert meter.snapshot()["in"] == 0
        assert meter.snapshot()["in.most"] <= 2
        assert len(quota) == 0

    def test_quota_after_errors(self):
        quota = Quota(1)
        for _ in range(3):
            with pytest.raises(KeyError), quota("k"):
                raise KeyError
        assert (quota.inside("k"), len(quota)) == (0, 0)

    def test_all_who_wait_are_woken(self):
        quota, inside, go = Quota(1), threading.Event(), threading.Event()

        def hold():
            with quota("k"):
                inside.set()
                assert go.wait(5)

        def follow(key):
            assert inside.wait(5)
            with quota(key):
                return key

        def free():
            assert inside.wait(5)
            threading.Event().wait(0.2)
            go.set()

        assert together(hold, lambda: follow("k"), lambda: follow("k"), lambda: follow("l"), free)[1:4] == ["k", "k", "l"]

    def test_place_of_one_key_is_no_place_of_another(self):
        quota, held, through = Quota(1), threading.Semaphore(0), threading.Semaphore(0)
        go = {key: threading.Event() for key in "xy"}

        def hold(key):
            with quota(key):
                held.release()
                assert go[key].wait(5)

        def follow(key):
            with quota(key):
                through.release()

        def begin(act, key):
            thread = threading.Thread(target=act, args=(key,), daemon=True)
            thread.start()
            return thread

        threads = [begin(hold, key) for key in "xy"]
        assert held.acquire(timeout=5) and held.acquire(timeout=5)
        for key in "yyxx":
            threads.append(begin(follow, key))
            threads[-1].join(0.1)
        go["x"].set()
        assert through.acquire(timeout=3) and through.acquire(timeout=3)
        assert not through.acquire(timeout=0.05)
        go["y"].set()
        for thread in threads:
            thread.join(3)
        assert len(quota) == 0

    def test_meter(self):
        top = Meter()
        child = top.child("c.")
        together(*[lambda: [child.add("n") for _ in range(200)]] * 4)
        child.highest("h", -2)
        child.highest("h", -9)
        assert child.snapshot() == {"n": 800, "h": -2}
        assert top.snapshot() == {"c.n": 800}


class TestCheckpoints:
    @pytest.mark.parametrize("cut", [1, 2, 5, 12, 20])
    def test_cut_anywhere(self, tmp_path, cut):
        path = tmp_path / "c"
        done = Checkpoint(path)
        done.put("é", "ü")
        done.put("b", 2)
        path.write_bytes(path.read_bytes()[:-cut])
        again = Checkpoint(path)
        assert (len(again), again["é"]) == (1, "ü")
        again.put("c", [3])
        again.put("d", None)
        last = Checkpoint(path)
        assert [last[key] for key in ("é", "c", "d")] == ["ü", [3], None]
        assert "b" not in last

    def test_compact_and_on(self, tmp_path):
        path = tmp_path / "c"
        done = Checkpoint(path)
        for number in range(6):
            done.put(f"k{number % 2}", "ö" * number)
        done.compact()
        size = path.stat().st_size
        done.put("z", 0)
        assert path.stat().st_size > size
        again = Checkpoint(path)
        assert (len(again), again["k0"], again["k1"], again["z"]) == (3, "öööö", "ööööö", 0)

    def test_from_many_threads(self, tmp_path):
        done = Checkpoint(tmp_path / "c")
        together(*[lambda start=start: [done.put(f"{start}-{number}", number) for number in range(10)] for start in range(3)])
        assert len(Checkpoint(tmp_path / "c")) == 30
