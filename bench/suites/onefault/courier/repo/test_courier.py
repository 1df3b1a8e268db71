import asyncio

import pytest

from courier import Courier, GaveUp, first_done, pages, within


def flaky(failures, value="ok"):
    """A job that fails a few times before it works."""
    left = [failures]

    async def job():
        if left[0] > 0:
            left[0] -= 1
            raise OSError("line is dead")
        return value

    return job


def slow(seconds, value):
    async def job():
        await asyncio.sleep(seconds)
        return value

    return job


async def deliver(jobs, **options):
    async with Courier(**options) as courier:
        for name, job in jobs.items():
            courier.submit(name, job)
    return courier


def test_all_jobs_are_done():
    courier = asyncio.run(deliver({"a": flaky(0, 1), "b": flaky(0, 2), "c": flaky(0, 3)}))
    assert courier.results == {"a": 1, "b": 2, "c": 3}
    assert courier.failed == {}


def test_jobs_are_tried_again():
    assert asyncio.run(deliver({"a": flaky(2)})).results == {"a": "ok"}


def test_last_failure_is_told():
    courier = asyncio.run(deliver({"a": flaky(3), "b": flaky(0)}))
    assert courier.failed == {"a": "line is dead"}
    assert courier.results == {"b": "ok"}


def test_giving_up_keeps_its_cause():
    with pytest.raises(GaveUp, match="failed 2 times") as caught:
        asyncio.run(Courier(tries=2).attempt(flaky(9)))
    assert isinstance(caught.value.__cause__, OSError)


def test_other_mistakes_are_not_repeated():
    async def job():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(Courier().attempt(job))


def test_workers_work_at_the_same_time():
    running, most = [], []

    async def job():
        running.append(1)
        most.append(len(running))
        await asyncio.sleep(0.005)
        running.pop()

    asyncio.run(deliver({name: job for name in "abcdef"}, workers=3))
    assert max(most) == 3


def test_no_jobs_outside():
    with pytest.raises(RuntimeError):
        Courier().submit("a", flaky(0))


def test_nothing_is_done_after_an_error():
    async def stumble():
        async with Courier() as courier:
            courier.submit("a", flaky(0))
            try:
                raise KeyError("x")
            finally:
                seen.append(courier)

    seen = []
    with pytest.raises(KeyError):
        asyncio.run(stumble())
    assert seen[0].results == {}


def test_first_done():
    assert asyncio.run(first_done(slow(0.2, "late"), slow(0.001, "early"))) == "early"


def test_pages():
    async def fetch(number):
        return {1: ["a", "b"], 2: ["c"]}.get(number, [])

    async def everything():
        return [entry async for entry in pages(fetch)]

    assert asyncio.run(everything()) == ["a", "b", "c"]


def test_time_limit():
    assert asyncio.run(within(0.005, slow(0.2, "late"), default="none")) == "none"
    assert asyncio.run(within(0.5, slow(0.0, "early"))) == "early"
