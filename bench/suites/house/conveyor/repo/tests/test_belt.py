import threading

import pytest

from conveyor import Belt, Cancelled, Checkpoint, JobFailed, Retry


def double(job):
    return job * 2


def test_results_in_order():
    assert Belt(workers=3).run(range(20), double) == [number * 2 for number in range(20)]


def test_order_does_not_depend_on_who_is_first():
    second_is_done = threading.Event()

    def act(job):
        if job == "first":
            assert second_is_done.wait(5)
        else:
            second_is_done.set()
        return job.upper()

    assert Belt(workers=2).run(["first", "second"], act) == ["FIRST", "SECOND"]


def test_results_may_be_none():
    assert Belt(workers=2).run([1, 2, 3], lambda job: None) == [None, None, None]


def test_no_jobs():
    assert Belt().run([], double) == []


def test_no_more_workers_than_asked_for():
    belt = Belt(workers=2)

    def act(job):
        with belt.meter.during("busy"):
            return job

    belt.run(range(30), act)
    assert belt.meter.snapshot()["busy.most"] <= 2


def test_failing_job():
    with pytest.raises(JobFailed, match="0 failed after 1 try") as caught:
        Belt(workers=1).run([1, 0], lambda job: 1 / job)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_no_job_begins_after_a_failure():
    begun = []

    def act(job):
        begun.append(job)
        raise ValueError(job)

    with pytest.raises(JobFailed):
        Belt(workers=1).run(range(10), act)
    assert begun == [0]


def test_first_failure_in_the_order_of_jobs():
    second_failed = threading.Event()

    def act(job):
        if job == 1:
            assert second_failed.wait(5)
        else:
            second_failed.set()
        raise ValueError(job)

    with pytest.raises(JobFailed) as caught:
        Belt(workers=2).run([1, 2], act)
    assert caught.value.job == 1


def test_keep_going():
    results = Belt(workers=2, keep_going=True).run([2, 0, 1], lambda job: 2 // job)
    assert (results[0], results[2]) == (1, 2)
    assert isinstance(results[1], JobFailed)


def test_belt_counts():
    belt = Belt(workers=1, keep_going=True)
    belt.run([2, 0, 1], lambda job: 2 // job)
    assert belt.meter.snapshot() == {"done": 2, "failed": 1}


def test_tries_again(pauses):
    left = [OSError("busy"), OSError("busy")]

    def act(job):
        if left:
            raise left.pop()
        return job

    assert Belt(retry=Retry(3, 0.5, sleep=pauses.append)).run(["a"], act) == ["a"]
    assert pauses == [0.5, 1.0]


def test_stopped_belt_says_what_never_began():
    belt = Belt(workers=1)

    def act(job):
        belt.stop()
        return job

    with pytest.raises(Cancelled, match="4 of 5 jobs never began"):
        belt.run(range(5), act)


def test_belt_that_was_stopped_runs_again():
    belt = Belt(workers=1)
    belt.stop()
    assert belt.run([1, 2], double) == [2, 4]


def test_what_is_done_is_not_done_again(tmp_path):
    calls = []

    def act(job):
        calls.append(job)
        return job * 10

    for _ in range(2):
        belt = Belt(workers=1, checkpoint=Checkpoint(tmp_path / "done"))
        assert belt.run([1, 2], act) == [10, 20]
    assert calls == [1, 2]
    assert belt.meter.snapshot() == {"remembered": 2}


def test_failures_are_not_remembered(tmp_path):
    done = Checkpoint(tmp_path / "done")
    Belt(keep_going=True, checkpoint=done).run([0], lambda job: 1 / job)
    assert len(done) == 0
