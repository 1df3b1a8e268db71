"""Tries again what may fail for a while."""

import asyncio


async def again(act, tries, pause_s=0.0):
    """The result of `act`, tried up to `tries` times. Raises what the last try raised."""
    for left in range(tries - 1, 0, -1):
        try:
            return await act()
        except OSError:
            if not left:
                raise
            await asyncio.sleep(pause_s)


async def together(acts, at_once):
    """Results in the order of `acts`, never more than `at_once` running."""
    gate = asyncio.Semaphore(at_once)

    async def one(act):
        async with gate:
            return await act()

    return await asyncio.gather(*(one(act) for act in acts))
