"""The HTTP line to a provider: no redirects, a watch for silence, and a cut that ends a stuck read at once.

The only file that knows the HTTP client which the providers' libraries share.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import httpx2

from bot.engines.agent.models.protocol import Broken, Busy, ModelFault

T = TypeVar("T")

CONNECT_S = 15.0
_local = threading.local()


class Line:
    """A client for a provider's library. `read` yields the events of one request."""

    def __init__(self, idle_s: float) -> None:
        self.idle_s = idle_s
        # A stream that only pings has bytes all the time: this timeout does not see it, `read` does.
        timeout = httpx2.Timeout(idle_s, connect=CONNECT_S)
        self.client = httpx2.Client(timeout=timeout, follow_redirects=False, event_hooks={"response": [_remember]})

    def read(self, start: Callable[[], Iterable[T]], translate: Callable[[Exception], ModelFault]) -> Iterator[T]:
        """The events of a stream, read in a thread. Raises what `translate` makes of the library's errors.

        Raises Busy when no event comes for `idle_s`, Broken when the answer is a web page.
        """
        events: queue.Queue[tuple[str, Any]] = queue.Queue(maxsize=1000)
        seen: dict[str, Any] = {}
        thread = threading.Thread(target=_pump, args=(start, events, seen), daemon=True)
        thread.start()
        try:
            while True:
                try:
                    kind, value = events.get(timeout=self.idle_s)
                except queue.Empty:
                    raise Busy("silent", f"no event for {self.idle_s:.0f} s") from None
                if kind == "error":
                    raise _page(seen) or translate(value) from value
                if kind == "end":
                    page = _page(seen)
                    if page:
                        raise page
                    return
                yield value
        finally:
            _cut(seen)


def is_transport(error: Exception) -> bool:
    """True for an error of the line itself, whatever library it came through."""
    return isinstance(error, httpx2.HTTPError | httpx2.StreamError | OSError)


def _pump(start: Callable[[], Iterable[Any]], events: queue.Queue[tuple[str, Any]], seen: dict[str, Any]) -> None:
    _local.seen = seen
    try:
        for event in start():
            if seen.get("cut"):
                return
            events.put(("event", event), timeout=60)
        events.put(("end", None))
    except Exception as error:  # handed over to the reader, who translates it
        with contextlib.suppress(queue.Full):
            events.put(("error", error), timeout=1)


def _remember(response: httpx2.Response) -> None:
    seen = getattr(_local, "seen", None)
    if seen is not None:
        seen["response"] = response
        seen["type"] = response.headers.get("content-type", "")
        seen["status"] = response.status_code


def _page(seen: dict[str, Any]) -> ModelFault | None:
    """A web page in place of an answer: the address is not that of a model."""
    if seen.get("status") == 200 and "text/html" in seen.get("type", ""):
        return Broken("not-a-model", "a web page came back instead of an answer: see the base address")
    if seen.get("status") in (301, 302, 303, 307, 308):
        return Broken("not-a-model", "the address redirects, which is not followed")
    return None


def _cut(seen: dict[str, Any]) -> None:
    """End the request, even when its thread is stuck in a read."""
    seen["cut"] = True
    response = seen.get("response")
    if response is None:
        return
    stream = response.extensions.get("network_stream")
    sock = stream.get_extra_info("socket") if stream is not None else None
    if isinstance(sock, socket.socket) and not response.is_closed:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
