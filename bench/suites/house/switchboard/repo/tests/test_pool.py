import asyncio

import pytest

from switchboard import Closed, Pool


class Maker:
    """Makes numbered connections, and fails when a test says so."""

    def __init__(self):
        self.made, self.dropped, self.errors = 0, [], []

    async def __call__(self):
        await asyncio.sleep(0)
        if self.errors:
            raise self.errors.pop()
        self.made += 1
        return self.made


@pytest.fixture
def maker():
    return Maker()


def test_kept_for_the_next(maker):
    async def main():
        pool = Pool(maker)
        for _ in range(3):
            async with pool.connection() as connection:
                assert connection == 1

    asyncio.run(main())
    assert maker.made == 1


def test_no_more_than_its_size(maker, settle):
    async def main():
        pool, inside, most = Pool(maker, 2), 0, 0

        async def use():
            nonlocal inside, most
            async with pool.connection():
                inside += 1
                most = max(most, inside)
                await settle(3)
                inside -= 1

        await asyncio.gather(*(use() for _ in range(7)))
        return most, pool.free

    assert asyncio.run(main()) == (2, 2)


def test_broken_connection_is_thrown_away(maker):
    async def main():
        pool = Pool(maker, 1, maker.dropped.append)
        with pytest.raises(ValueError):
            async with pool.connection():
                raise ValueError
        async with pool.connection() as connection:
            return connection

    assert asyncio.run(main()) == 2
    assert maker.dropped == [1]


def test_place_is_free_again_when_none_could_be_made(maker):
    async def main():
        pool = Pool(maker, 1)
        maker.errors.append(OSError("refused"))
        with pytest.raises(OSError, match="refused"):
            async with pool.connection():
                pass
        return pool.free

    assert asyncio.run(main()) == 1


def test_in_the_order_of_asking(maker, settle):
    async def main():
        pool, order = Pool(maker, 1), []

        async def use(name):
            async with pool.connection():
                order.append(name)
                await settle(2)

        tasks = []
        for name in "abcd":
            tasks.append(asyncio.ensure_future(use(name)))
            await settle(1)
        await asyncio.gather(*tasks)
        return order

    assert asyncio.run(main()) == ["a", "b", "c", "d"]


def test_cancelled_while_waiting(maker, settle):
    async def main():
        pool = Pool(maker, 1)
        async with pool.connection():
            waiting = asyncio.ensure_future(pool.connection().__aenter__())
            await settle()
            waiting.cancel()
            await settle()

        async def use():
            async with pool.connection() as connection:
                return connection

        return await asyncio.wait_for(use(), 2), pool.free

    assert asyncio.run(main()) == (1, 1)


def test_cancelled_in_the_moment_when_it_got_its_place(maker, settle):
    async def main():
        pool = Pool(maker, 1)
        first = pool.connection()
        await first.__aenter__()
        waiting = asyncio.ensure_future(pool.connection().__aenter__())
        await settle()
        await first.__aexit__(None, None, None)
        waiting.cancel()
        await settle()
        return waiting.cancelled(), pool.free

    assert asyncio.run(main()) == (True, 1)


def test_closed(maker, settle):
    async def main():
        pool = Pool(maker, 1, maker.dropped.append)
        async with pool.connection():
            waiting = asyncio.ensure_future(pool.connection().__aenter__())
            await settle()
            pool.close()
            with pytest.raises(Closed):
                await waiting
        with pytest.raises(Closed):
            await pool.connection().__aenter__()

    asyncio.run(main())
    assert maker.dropped == [1]
