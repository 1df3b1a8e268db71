import asyncio

import pytest

from switchboard import Bus, Closed, HandlersFailed, NoAnswer
from switchboard.topics import check, matches


@pytest.mark.parametrize(
    ("pattern", "topic", "expected"),
    [
        ("a.b", "a.b", True), ("a.b", "a", False), ("a", "a.b", False), ("a.*", "a.b", True), ("a.*", "a", False), ("a.*", "a.b.c", False),
        ("*.c", "b.c", True), ("a.#", "a.b.c", True), ("a.#", "a", True), ("a.#", "ab.c", False), ("#", "x.y", True), ("*.#", "x", True), ("a.*.#", "a", False),
    ],
)
def test_patterns(pattern, topic, expected):
    assert matches(pattern, topic) is expected


@pytest.mark.parametrize("pattern", ["", "a..b", "a.", "#.a", "a.#.b"])
def test_no_patterns(pattern):
    with pytest.raises(ValueError):
        check(pattern)


def collector(into):
    async def handler(topic, message):
        into.append((topic, message))

    return handler


def test_everybody_hears():
    async def main():
        bus, heard = Bus(), []
        bus.subscribe("a.*", collector(heard))
        bus.subscribe("a.#", collector(heard))
        bus.subscribe("b", collector(heard))
        return await bus.publish("a.x", 1), heard

    assert asyncio.run(main()) == (2, [("a.x", 1), ("a.x", 1)])


def test_nobody_hears():
    async def main():
        return await Bus().publish("a")

    assert asyncio.run(main()) == 0


def test_unsubscribed():
    async def main():
        bus, heard = Bus(), []
        end = bus.subscribe("a", collector(heard))
        end()
        end()
        return await bus.publish("a")

    assert asyncio.run(main()) == 0


def test_same_handler_twice_is_two_subscriptions():
    async def main():
        bus, heard = Bus(), []
        handler = collector(heard)
        end = bus.subscribe("a", handler)
        bus.subscribe("a", handler)
        end()
        await bus.publish("a", 1)
        return heard

    assert asyncio.run(main()) == [("a", 1)]


def test_failing_handler_does_not_keep_others_from_hearing(settle):
    async def main():
        bus, heard = Bus(), []

        async def broken(topic, message):
            raise KeyError(message)

        async def slow(topic, message):
            await settle()
            heard.append(message)

        bus.subscribe("a", broken)
        bus.subscribe("a", slow)
        with pytest.raises(HandlersFailed, match="1 of the handlers of 'a' failed: KeyError") as caught:
            await bus.publish("a", 5)
        return heard, caught.value.errors

    heard, errors = asyncio.run(main())
    assert heard == [5]
    assert [type(error) for error in errors] == [KeyError]


def test_middleware_first_one_outermost():
    async def main():
        order = []

        def layer(name):
            async def around(call, topic, message):
                order.append(f"{name} in")
                result = await call(topic, message + name)
                order.append(f"{name} out")
                return result

            return around

        bus = Bus([layer("1"), layer("2")])

        async def handler(topic, message):
            order.append(message)

        bus.subscribe("a", handler)
        await bus.publish("a", "m")
        return order

    assert asyncio.run(main()) == ["1 in", "2 in", "m12", "2 out", "1 out"]


class TestAnswers:
    def test_first_one_answers_until_it_goes(self):
        async def main():
            bus = Bus()

            async def one(topic, message):
                return message + 1

            async def two(topic, message):
                return message + 2

            end = bus.answer("q", one)
            bus.answer("q", two)
            first = await bus.ask("q", 10)
            end()
            return first, await bus.ask("q", 10)

        assert asyncio.run(main()) == (11, 12)

    def test_nobody(self):
        with pytest.raises(NoAnswer, match="nobody answers 'q'"):
            asyncio.run(Bus().ask("q"))

    def test_too_long(self, settle):
        async def main():
            bus, ended = Bus(), []

            async def never(topic, message):
                try:
                    await asyncio.Event().wait()
                finally:
                    await settle()
                    ended.append("cancelled")

            bus.answer("q", never)
            with pytest.raises(NoAnswer, match=r"longer than 0\.01 s"):
                await bus.ask("q", timeout=0.01)
            return ended

        assert asyncio.run(main()) == ["cancelled"]

    def test_error_of_the_handler(self):
        async def main():
            bus = Bus()

            async def broken(topic, message):
                raise LookupError(message)

            bus.answer("q", broken)
            with pytest.raises(LookupError, match="why"):
                await bus.ask("q", "why")

        asyncio.run(main())

    def test_error_that_looks_like_a_timeout(self):
        async def main():
            bus = Bus()

            async def broken(topic, message):
                raise TimeoutError("of the database")

            bus.answer("q", broken)
            with pytest.raises(TimeoutError, match="of the database"):
                await bus.ask("q")

        asyncio.run(main())


class TestStreams:
    def test_messages_in_order(self):
        async def main():
            bus = Bus()
            stream = bus.stream("a.*")
            for number in range(3):
                await bus.publish(f"a.{number}", number)
            bus.close()
            return [message async for message in stream]

        assert asyncio.run(main()) == [("a.0", 0), ("a.1", 1), ("a.2", 2)]

    def test_waits_for_messages(self, settle):
        async def main():
            bus, taken = Bus(), []
            stream = bus.stream("a")

            async def take():
                async for _, message in stream:
                    taken.append(message)

            task = asyncio.ensure_future(take())
            for number in range(3):
                await settle()
                await bus.publish("a", number)
            bus.close()
            await asyncio.wait_for(task, 2)
            return taken

        assert asyncio.run(main()) == [0, 1, 2]

    def test_oldest_goes_when_it_is_full(self):
        async def main():
            bus = Bus()
            stream = bus.stream("a", limit=2)
            for number in range(5):
                await bus.publish("a", number)
            stream.close()
            return [message async for _, message in stream], stream.dropped

        assert asyncio.run(main()) == ([3, 4], 3)

    def test_closed_stream_takes_nothing_more(self):
        async def main():
            bus = Bus()
            async with bus.stream("a") as stream:
                await bus.publish("a", 1)
            await bus.publish("a", 2)
            return [message async for _, message in stream]

        assert asyncio.run(main()) == [1]

    def test_closed_bus(self):
        async def main():
            bus = Bus()
            bus.close()
            with pytest.raises(Closed):
                await bus.publish("a")
            with pytest.raises(Closed):
                bus.subscribe("a", None)

        asyncio.run(main())
