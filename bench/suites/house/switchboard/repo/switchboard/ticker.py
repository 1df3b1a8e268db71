"""Does something at every interval."""

import asyncio
import math


class LoopClock:
    """The clock of the running loop."""

    def now(self):
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds):
        await asyncio.sleep(seconds)


class Ticker:
    """Calls `await act(number)`; numbers count intervals since the start, missed ones too."""

    def __init__(self, interval, act, clock=None, on_error=None):
        if interval <= 0:
            raise ValueError("time goes forward")
        self.interval, self.act = interval, act
        self.clock = clock or LoopClock()
        self.on_error = on_error or (lambda error: None)
        self.missed = 0
        self._task = None

    def start(self):
        """Begin, in the running loop. A ticker that runs already goes on as it is."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self):
        """Come back when nothing runs any more. An act that is under way is cancelled."""
        task, self._task = self._task, None
        if task is None:
            return
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            if not task.cancelled():
                raise

    async def _run(self):
        begun, number = self.clock.now(), 0
        while True:
            number += 1
            await self.clock.sleep(max(0.0, begun + number * self.interval - self.clock.now()))
            try:
                await self.act(number)
            except Exception as error:
                self.on_error(error)
            passed = math.floor((self.clock.now() - begun) / self.interval)
            if passed > number:
                self.missed += passed - number
                number = passed
