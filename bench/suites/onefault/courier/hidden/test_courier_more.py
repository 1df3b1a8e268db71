import asyncio

import pytest

from courier import Courier, GaveUp, first_done, pages, within


def counted(calls, failures):
    async def job():
        calls.append(1)
        if len(calls) <= failures:
            raise ConnectionError(f"no {len(calls)}")
        return len(calls)

    return job


@pytest.mark.parametrize("tries, failures, works", [(1, 0, True), (1, 1, False), (4, 3, True), (4, 4, False)])
def test_tries(tries, failures, works):
    calls = []

    async def go():
        async with Courier(tries=tries, workers=1) as courier:
            courier.submit("x", counted(calls, failures))
        return courier

    courier = asyncio.run(go())
    if works:
        assert courier.results == {"x": failures + 1}
        assert courier.failed == {}
    else:
        assert courier.failed == {"x": f"no {tries}"}
        assert len(calls) == tries
    with pytest.raises(RuntimeError):
        courier.submit("y", counted([], 0))


def test_attempt():
    assert asyncio.run(Courier(tries=1).attempt(counted([], 0))) == 1
    with pytest.raises(GaveUp) as caught:
        asyncio.run(Courier(tries=3).attempt(counted([], 5)))
    assert str(caught.value) == "failed 3 times"
    assert str(caught.value.__cause__) == "no 3"


def test_most_at_a_time():
    for workers in (1, 2, 4):
        running, most = [], []

        async def job():
            running.append(1)
            most.append(len(running))
            await asyncio.sleep(0.003)
            running.pop()
            return "done"

        async def go():
            async with Courier(workers=workers) as courier:
                for number in range(8):
                    courier.submit(number, job)
            return courier

        assert asyncio.run(go()).results == dict.fromkeys(range(8), "done")
        assert max(most) == workers


def test_leaving_with_an_error_does_no_work():
    async def go():
        async with courier:
            courier.submit("x", counted(calls, 0))
            raise LookupError

    calls = []
    courier = Courier()
    with pytest.raises(LookupError):
        asyncio.run(go())
    assert calls == []


def test_first_done_cancels():
    ended = []

    def job(seconds):
        async def run():
            try:
                await asyncio.sleep(seconds)
            except asyncio.CancelledError:
                ended.append(seconds)
                raise
            return seconds

        return run

    async def go():
        result = await first_done(job(5), job(0.001), job(6))
        await asyncio.sleep(0)
        return result

    assert asyncio.run(go()) == 0.001
    assert sorted(ended) == [5, 6]


def test_pages():
    asked = []

    async def fetch(number):
        asked.append(number)
        return list(range(number)) if number < 4 else []

    async def go():
        return [entry async for entry in pages(fetch)]

    assert asyncio.run(go()) == [0, 0, 1, 0, 1, 2]
    assert asked == [1, 2, 3, 4]


def test_within():
    async def quick():
        return 0

    assert asyncio.run(within(1, quick, default=5)) == 0
    assert asyncio.run(within(0.001, lambda: asyncio.sleep(1))) is None


def test_only_failures_of_the_line_are_repeated():
    calls = []

    async def job():
        calls.append(1)
        raise KeyError("name")

    with pytest.raises(KeyError):
        asyncio.run(Courier(tries=4).attempt(job))
    assert len(calls) == 1
