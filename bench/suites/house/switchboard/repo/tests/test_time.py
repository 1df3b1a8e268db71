import asyncio

import pytest

from switchboard import Ticker, gather_limited


def ticking(clock, act, until, **options):
    """Run a ticker until it has called so often; returns it."""

    async def main():
        done = asyncio.Event()
        calls = 0

        async def counted(number):
            nonlocal calls
            calls += 1
            if calls == until:
                done.set()
            await act(number)

        ticker = Ticker(10, counted, clock, **options)
        ticker.start()
        await asyncio.wait_for(done.wait(), 5)
        await ticker.stop()
        return ticker

    return asyncio.run(main())


def test_at_every_interval(clock):
    times = []

    async def act(number):
        times.append((number, clock.time))

    ticking(clock, act, 3)
    assert times[:3] == [(1, 60), (2, 70), (3, 80)]


def test_time_that_the_act_takes_does_not_add_up(clock):
    times = []

    async def act(number):
        times.append(clock.time)
        clock.time += 4

    ticking(clock, act, 3)
    assert times[:3] == [60, 70, 80]


def test_missed_ticks_are_left_out(clock):
    times = []

    async def act(number):
        times.append((number, clock.time))
        if number == 1:
            clock.time += 25

    ticker = ticking(clock, act, 3)
    assert times[:3] == [(1, 60), (4, 90), (5, 100)]
    assert ticker.missed == 2


def test_failing_act(clock):
    errors = []

    async def act(number):
        raise ValueError(number)

    ticking(clock, act, 3, on_error=errors.append)
    assert [str(error) for error in errors[:2]] == ["1", "2"]


def test_started_twice(clock, settle):
    async def main():
        calls = []

        async def act(number):
            calls.append(number)
            await asyncio.Event().wait()

        ticker = Ticker(1, act, clock)
        ticker.start()
        await settle()
        ticker.start()
        await settle()
        await ticker.stop()
        await ticker.stop()
        return calls

    assert asyncio.run(main()) == [1]


def test_act_is_over_when_stop_comes_back(clock, settle):
    async def main():
        ended = []

        async def act(number):
            try:
                await asyncio.Event().wait()
            finally:
                await settle(3)
                ended.append(number)

        ticker = Ticker(1, act, clock)
        ticker.start()
        await settle()
        await ticker.stop()
        return ended

    assert asyncio.run(main()) == [1]


class TestGather:
    def test_results_in_order(self, settle):
        async def main():
            async def act(number):
                await settle(5 - number)
                return number

            return await gather_limited(2, [lambda number=number: act(number) for number in range(5)])

        assert asyncio.run(main()) == [0, 1, 2, 3, 4]

    def test_limit(self, settle):
        async def main():
            inside, most = 0, 0

            async def act():
                nonlocal inside, most
                inside += 1
                most = max(most, inside)
                await settle(2)
                inside -= 1

            await gather_limited(3, [act] * 10)
            return most

        assert asyncio.run(main()) == 3

    def test_first_error_ends_all(self, settle):
        async def main():
            begun, ended = [], []

            async def endless():
                begun.append("endless")
                try:
                    await asyncio.Event().wait()
                finally:
                    await settle(2)
                    ended.append("endless")

            async def broken():
                await settle(2)
                raise ValueError("broken")

            with pytest.raises(ValueError, match="broken"):
                await gather_limited(2, [endless, broken, endless])
            return begun == ended, len(asyncio.all_tasks())

        assert asyncio.run(main()) == (True, 1)

    def test_nothing(self):
        assert asyncio.run(gather_limited(1, [])) == []
