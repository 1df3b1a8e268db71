"""The bus."""

import asyncio
from itertools import count

from . import topics
from .errors import Closed, HandlersFailed, NoAnswer
from .stream import Stream


class Bus:
    """Connects those who have something to say with those who want to hear it."""

    def __init__(self, middleware=()):
        self._middleware = list(middleware)
        self._handlers = {}
        self._answers = {}
        self._streams = {}
        self._keys = count()
        self._closed = False

    def subscribe(self, pattern, handler):
        """Call handler(topic, message) for each message. Returns a function that ends it, as often as one likes."""
        topics.check(pattern)
        self._open()
        key = next(self._keys)
        self._handlers[key] = pattern, self._wrapped(handler)
        return lambda: self._handlers.pop(key, None)

    def answer(self, topic, handler):
        """Let a handler answer questions; the first one that was set answers until it goes. Returns what ends it."""
        self._open()
        key = next(self._keys)
        waiting = self._answers.setdefault(topic, {})
        waiting[key] = self._wrapped(handler)
        return lambda: waiting.pop(key, None)

    def stream(self, pattern, limit=100):
        """Return a Stream of (topic, message)."""
        topics.check(pattern)
        self._open()
        stream = Stream(limit, on_close=lambda one: self._streams.pop(one, None))
        self._streams[stream] = pattern
        return stream

    async def publish(self, topic, message=None):
        """Tell everybody. Returns how many heard it. Raises HandlersFailed when all are through."""
        self._open()
        for stream, pattern in list(self._streams.items()):
            if topics.matches(pattern, topic):
                stream.put((topic, message))
        calls = [handler(topic, message) for pattern, handler in list(self._handlers.values()) if topics.matches(pattern, topic)]
        results = await asyncio.gather(*calls, return_exceptions=True)
        errors = [result for result in results if isinstance(result, Exception)]
        if errors:
            raise HandlersFailed(topic, errors)
        return len(calls)

    async def ask(self, topic, message=None, timeout=1.0):
        """Return the answer of whoever answers. Raises NoAnswer, or what the handler raised."""
        self._open()
        waiting = self._answers.get(topic)
        if not waiting:
            raise NoAnswer(f"nobody answers {topic!r}")
        handler = next(iter(waiting.values()))
        call = asyncio.ensure_future(handler(topic, message))
        done, _ = await asyncio.wait({call}, timeout=timeout)
        if not done:
            call.cancel()
            await asyncio.wait({call})
            raise NoAnswer(f"{topic!r} took longer than {timeout:g} s")
        return call.result()

    def close(self):
        """End all streams; nothing can be said any more."""
        self._closed = True
        for stream in list(self._streams):
            stream.close()

    def _open(self):
        if self._closed:
            raise Closed("the bus is closed")

    def _wrapped(self, handler):
        """Return the handler with all middleware around it, the first one outermost."""
        call = handler
        for middleware in reversed(self._middleware):
            call = _around(middleware, call)
        return call


def _around(middleware, inner):
    async def call(topic, message):
        return await middleware(inner, topic, message)

    return call
