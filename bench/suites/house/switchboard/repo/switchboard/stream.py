"""Messages as an asynchronous iterator."""

import asyncio
from collections import deque


class Stream:
    """Holds the youngest messages until somebody takes them. One task at a time may go through it."""

    def __init__(self, limit=100, on_close=None):
        if limit < 1:
            raise ValueError("a stream holds at least one message")
        self.limit, self.dropped = limit, 0
        self._messages = deque()
        self._changed = asyncio.Event()
        self._closed = False
        self._on_close = on_close

    def put(self, message):
        """Take a message; when the stream is full the oldest goes."""
        if self._closed:
            return
        if len(self._messages) == self.limit:
            self._messages.popleft()
            self.dropped += 1
        self._messages.append(message)
        self._changed.set()

    def close(self):
        """No more messages. What is held already can still be taken."""
        if self._closed:
            return
        self._closed = True
        self._changed.set()
        if self._on_close is not None:
            self._on_close(self)

    def __aiter__(self):
        return self

    async def __anext__(self):
        while not self._messages:
            if self._closed:
                raise StopAsyncIteration
            self._changed.clear()
            await self._changed.wait()
        return self._messages.popleft()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        self.close()
