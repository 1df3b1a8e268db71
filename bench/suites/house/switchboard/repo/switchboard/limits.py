"""Many at a time, but not too many."""

import asyncio


async def gather_limited(limit, acts):
    """Run functions that give awaitables, so many at a time. Returns results in order; the first error ends all."""
    if limit < 1:
        raise ValueError("at least one at a time")
    gate = asyncio.Semaphore(limit)

    async def run(act):
        async with gate:
            return await act()

    tasks = [asyncio.ensure_future(run(act)) for act in acts]
    if not tasks:
        return []
    try:
        # Not gather: it cancels again what is being cleaned up already.
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        errors = [task.exception() for task in tasks if task.done() and not task.cancelled()]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for error in filter(None, errors):
        raise error
    return [task.result() for task in tasks]
