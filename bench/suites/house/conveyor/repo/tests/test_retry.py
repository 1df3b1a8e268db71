import pytest

from conveyor import JobFailed, Retry


def fail(times, error=OSError):
    left = [error("no")] * times

    def act(job):
        if left:
            raise left.pop()
        return f"{job} done"

    return act


@pytest.mark.parametrize(
    ("retry", "expected"),
    [
        (Retry(1), []),
        (Retry(4, 1, 2), [1, 2, 4]),
        (Retry(4, 1, 1), [1, 1, 1]),
        (Retry(5, 1, 3, most=5), [1, 3, 5, 5]),
        (Retry(2, 60), [30.0]),
    ],
)
def test_pauses(retry, expected):
    assert list(retry.pauses()) == expected


def test_last_try_counts(pauses):
    assert Retry(3, sleep=pauses.append).call("a", fail(2)) == "a done"
    assert len(pauses) == 2


def test_no_pause_after_the_last_try(pauses):
    with pytest.raises(JobFailed, match="'a' failed after 3 tries"):
        Retry(3, sleep=pauses.append).call("a", fail(3))
    assert len(pauses) == 2


def test_errors_that_are_final(pauses):
    with pytest.raises(JobFailed, match="after 1 try$") as caught:
        Retry(3, only=(OSError,), sleep=pauses.append).call("a", fail(3, KeyError))
    assert caught.value.tries == 1
    assert pauses == []


def test_each_call_begins_anew(pauses):
    retry = Retry(2, 1, sleep=pauses.append)
    for _ in range(2):
        retry.call("a", fail(1))
    assert pauses == [1, 1]


def test_at_least_once():
    with pytest.raises(ValueError, match="at least once"):
        Retry(0)
