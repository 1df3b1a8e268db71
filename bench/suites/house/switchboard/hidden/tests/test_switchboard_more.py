"""Judges repairs of switchboard."""

import asyncio

import pytest

from switchboard import Bus, Closed, HandlersFailed, NoAnswer, Pool, Stream, Ticker, gather_limited
from switchboard.topics import check, matches


async def turns(count=8):
    for _ in range(count):
        await asyncio.sleep(0)


def run(main):
    async def bounded():
        result = await asyncio.wait_for(main(), 5)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert not others, "a task is left behind"
        return result

    return asyncio.run(bounded())


class TestBuses:
    @pytest.mark.parametrize(
        ("pattern", "topic", "expected"),
        [("a.b.#", "a", False), ("a.b.#", "a.b", True), ("*.*", "a.b", True), ("*", "a.b", False), ("#", "a", True), ("a.*.c", "a.b.c", True), ("a.*.c", "a.b.d", False), ("a.b", "a.bc", False)],
    )
    def test_topics(self, pattern, topic, expected):
        check(pattern)
        assert matches(pattern, topic) is expected

    def test_errors_in_order(self):
        async def main():
            bus, heard = Bus(), []

            def handler(error, count):
                async def call(topic, message):
                    await turns(count)
                    heard.append(count)
                    if error:
                        raise error

                return call

            for error, count in ((ValueError("1"), 9), (None, 5), (KeyError("3"), 1)):
                bus.subscribe("t", handler(error, count))
            with pytest.raises(HandlersFailed) as caught:
                await bus.publish("t")
            return heard, [type(error) for error in caught.value.errors]

        assert run(main) == ([1, 5, 9], [ValueError, KeyError])

    def test_subscribing_while_publishing(self):
        async def main():
            bus, heard = Bus(), []

            async def late(topic, message):
                heard.append("late")

            async def early(topic, message):
                heard.append("early")
                bus.subscribe("t", late)

            end = bus.subscribe("t", early)
            first = await bus.publish("t")
            end()
            return first, await bus.publish("t"), heard

        assert run(main) == (1, 1, ["early", "late"])

    def test_ends_are_apart(self):
        async def main():
            bus = Bus()

            async def handler(topic, message):
                return message

            ends = [bus.subscribe("t", handler) for _ in range(3)]
            ends[1]()
            ends[1]()
            answers = [bus.answer("q", handler) for _ in range(2)]
            answers[0]()
            answers[0]()
            return await bus.publish("t"), await bus.ask("q", 4)

        assert run(main) == (2, 4)

    def test_late_answers_are_cancelled(self):
        async def main():
            bus, log = Bus(), []

            async def stubborn(topic, message):
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    await turns()
                    log.append("cleaned up")
                    raise

            bus.answer("q", stubborn)
            with pytest.raises(NoAnswer):
                await bus.ask("q", timeout=0.01)
            return log

        assert run(main) == ["cleaned up"]

    @pytest.mark.parametrize("error", [TimeoutError("own"), NoAnswer("own"), OSError("own")])
    def test_errors_of_handlers_come_through(self, error):
        async def main():
            bus = Bus()

            async def handler(topic, message):
                raise error

            bus.answer("q", handler)
            with pytest.raises(type(error), match="^own$"):
                await bus.ask("q")

        run(main)

    def test_middleware(self):
        async def main():
            def tag(name):
                async def around(call, topic, message):
                    return f"{name}({await call(topic, message)})"

                return around

            bus = Bus([tag("a"), tag("b"), tag("c")])

            async def handler(topic, message):
                return message

            bus.answer("q", handler)
            return await bus.ask("q", "m")

        assert run(main) == "a(b(c(m)))"


class TestStreams:
    def test_limits(self):
        async def main():
            stream = Stream(3)
            for number in range(10):
                stream.put(number)
            stream.close()
            stream.put(99)
            stream.close()
            return [message async for message in stream], stream.dropped

        assert run(main) == ([7, 8, 9], 7)

    def test_streams_go_with_the_bus(self):
        async def main():
            bus = Bus()
            one, two = bus.stream("a.#"), bus.stream("b")
            one.close()
            await bus.publish("a", 1)
            await bus.publish("b", 2)
            bus.close()
            with pytest.raises(Closed):
                bus.stream("a")
            return [m async for m in one], [m async for m in two]

        assert run(main) == ([], [("b", 2)])

    def test_wakes_up_when_closed(self):
        async def main():
            stream = Stream()

            async def through():
                return [message async for message in stream]

            task = asyncio.ensure_future(through())
            await turns()
            stream.put(1)
            stream.put(2)
            await turns()
            stream.close()
            return await task

        assert run(main) == [1, 2]


class TestPools:
    def pool(self, size):
        self.log = []
        numbers = iter(range(1, 100))

        async def make():
            await asyncio.sleep(0)
            return next(numbers)

        return Pool(make, size, lambda connection: self.log.append(connection))

    def test_whoever_asks_first(self):
        async def main():
            pool, order = self.pool(2), []

            async def use(name, count):
                async with pool.connection():
                    order.append(name)
                    await turns(count)

            tasks = []
            for name, count in (("a", 9), ("b", 3), ("c", 1), ("d", 1), ("e", 1)):
                tasks.append(asyncio.ensure_future(use(name, count)))
                await turns(1)
            await asyncio.gather(*tasks)
            return "".join(order), pool.free

        assert run(main) == ("abcde", 2)

    @pytest.mark.parametrize("moment", ["before", "same", "after"])
    def test_cancelling(self, moment):
        async def main():
            pool = self.pool(1)
            first = pool.connection()
            await first.__aenter__()

            async def use():
                async with pool.connection() as connection:
                    return connection

            doomed, next_ = asyncio.ensure_future(use()), asyncio.ensure_future(use())
            await turns()
            if moment == "before":
                doomed.cancel()
                await turns()
            await first.__aexit__(None, None, None)
            if moment == "same":
                doomed.cancel()
            if moment == "after":
                await turns(1)
                doomed.cancel()
            result = await next_
            await asyncio.wait({doomed})
            return result in (1, 2), pool.free

        assert run(main) == (True, 1)

    def test_failing(self):
        async def main():
            pool = self.pool(1)
            for error in (ValueError, asyncio.CancelledError):
                with pytest.raises(error):
                    async with pool.connection():
                        raise error
            async with pool.connection() as connection:
                return connection, self.log, pool.free

        assert run(main) == (3, [1, 2], 0)

    def test_making_fails_for_one_who_waited(self):
        async def main():
            answers = [1, OSError("no"), 2]

            async def make():
                answer = answers.pop(0)
                if isinstance(answer, Exception):
                    raise answer
                return answer

            pool = Pool(make, 1)

            async def use():
                async with pool.connection() as connection:
                    await turns()
                    raise ValueError(connection)

            results = await asyncio.gather(use(), use(), use(), return_exceptions=True)
            return [type(result) for result in results], pool.free

        assert run(main) == ([ValueError, OSError, ValueError], 1)


class TestTime:
    @pytest.mark.parametrize(("took", "numbers", "missed"), [(3, [1, 2, 3], 0), (9.5, [1, 2, 3], 0), (15, [1, 3, 4], 1), (31, [1, 5, 6], 3)])
    def test_missed(self, took, numbers, missed):
        class Clock:
            time = 7.0

            def now(self):
                return self.time

            async def sleep(self, seconds):
                self.time += seconds
                await asyncio.sleep(0)

        async def main():
            clock, seen, enough = Clock(), [], asyncio.Event()

            async def act(number):
                seen.append((number, clock.time))
                if len(seen) == 3:
                    enough.set()
                if number == 1:
                    clock.time += took

            ticker = Ticker(10, act, clock)
            ticker.start()
            await enough.wait()
            await ticker.stop()
            return seen[:3], ticker.missed

        seen, count = run(main)
        assert seen[0] == (1, 17.0)
        assert [number for number, _ in seen] == numbers
        assert [time for _, time in seen] == [7 + 10 * number for number in numbers]
        assert count == missed

    def test_again_after_a_stop(self):
        async def main():
            calls = []

            async def act(number):
                calls.append(number)

            ticker = Ticker(0.001, act)
            for _ in range(2):
                ticker.start()
                while not calls:
                    await asyncio.sleep(0.001)
                await ticker.stop()
                calls.clear()

        run(main)

    def test_all_are_gone_after_an_error(self):
        async def main():
            begun, log = [], []

            async def slow():
                begun.append("slow")
                try:
                    await asyncio.Event().wait()
                finally:
                    await turns()
                    log.append("slow")

            async def broken():
                await turns(3)
                raise LookupError

            with pytest.raises(LookupError):
                await gather_limited(3, [slow, slow, broken, slow])
            return log == begun

        assert run(main) is True

    def test_all_are_gone_when_cancelled(self):
        async def main():
            log = []

            async def slow():
                try:
                    await asyncio.Event().wait()
                finally:
                    await turns()
                    log.append("slow")

            task = asyncio.ensure_future(gather_limited(2, [slow, slow, slow]))
            await turns()
            task.cancel()
            await asyncio.wait({task})
            return log

        assert run(main) == ["slow", "slow"]
