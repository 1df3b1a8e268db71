"""Fetches many things at once: a queue of jobs with workers, retries and time limits."""

import asyncio


class GaveUp(Exception):
    """All tries failed; `__cause__` is the last failure."""


class Courier:
    """Runs jobs (coroutine functions without arguments) with at most `workers` at a time."""

    def __init__(self, workers=2, tries=3, pause_s=0.0):
        self.workers = workers
        self.tries = tries
        self.pause_s = pause_s
        self.results = {}
        self.failed = {}
        self._queue = None

    async def __aenter__(self):
        self._queue = asyncio.Queue()
        return self

    async def __aexit__(self, kind, error, trace):
        if kind is None:
            await self.drain()
        self._queue = None

    def submit(self, name, job):
        """Put a job into the queue. RuntimeError outside of `async with`."""
        if self._queue is None:
            raise RuntimeError("the courier is not at work")
        self._queue.put_nowait((name, job))

    async def attempt(self, job):
        """Run one job as often as is allowed. GaveUp when it never worked."""
        for number in range(1, self.tries + 1):
            try:
                return await job()
            except OSError as error:
                if number == self.tries:
                    raise GaveUp(f"failed {number} times") from error
                await asyncio.sleep(self.pause_s * number)

    async def drain(self):
        """Work until the queue is empty."""
        workers = [asyncio.create_task(self._work()) for _ in range(self.workers)]
        await asyncio.gather(*workers)

    async def _work(self):
        while not self._queue.empty():
            name, job = self._queue.get_nowait()
            try:
                self.results[name] = await self.attempt(job)
            except GaveUp as error:
                self.failed[name] = str(error.__cause__)


async def first_done(*jobs):
    """Result of the job that is done first; the others are cancelled."""
    tasks = [asyncio.ensure_future(job()) for job in jobs]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    return done.pop().result()


async def pages(fetch):
    """All entries of all pages: `fetch(number)` gives a list, an empty one after the last page."""
    number = 1
    while True:
        entries = await fetch(number)
        if not entries:
            return
        for entry in entries:
            yield entry
        number += 1


async def within(seconds, job, default=None):
    """Result of the job, or the default when it takes too long."""
    try:
        return await asyncio.wait_for(job(), seconds)
    except asyncio.TimeoutError:
        return default
