"""A pool of connections."""

import asyncio
from collections import deque
from contextlib import asynccontextmanager

from .errors import Closed


class Pool:
    """`make` is a coroutine function that makes a connection; `drop` a function that throws one away."""

    def __init__(self, make, size=4, drop=lambda connection: None):
        if size < 1:
            raise ValueError("a pool has at least one connection")
        self.make, self.size, self.drop = make, size, drop
        self._idle = []
        self._used = 0
        self._waiting = deque()
        self._closed = False

    @property
    def free(self):
        """How many could be had without waiting."""
        return self.size - self._used

    @asynccontextmanager
    async def connection(self):
        """A connection for a block; thrown away when the block fails."""
        connection = await self._take()
        try:
            yield connection
        except BaseException:
            self._give(connection, broken=True)
            raise
        self._give(connection)

    def close(self):
        """Throw idle connections away, and turn away all who wait."""
        self._closed = True
        while self._idle:
            self.drop(self._idle.pop())
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_exception(Closed("the pool is closed"))

    async def _take(self):
        await self._place()
        if self._idle:
            return self._idle.pop()
        try:
            return await self.make()
        except BaseException:
            self._leave()
            raise

    async def _place(self):
        """Wait for one of the places, in the order of asking."""
        if self._closed:
            raise Closed("the pool is closed")
        if self._used < self.size and not self._waiting:
            self._used += 1
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                self._leave()  # the place was ours already: the next one gets it
            elif waiter in self._waiting:
                self._waiting.remove(waiter)
            raise

    def _give(self, connection, broken=False):
        if broken or self._closed:
            self.drop(connection)
        else:
            self._idle.append(connection)
        self._leave()

    def _leave(self):
        """Hand the place on to the first who waits."""
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
        self._used -= 1
