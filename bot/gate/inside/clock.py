"""A clock that is put forward in place of waiting: what sleeps for an hour is over at once, and an hour later."""

from __future__ import annotations

import selectors
import threading
import time
from typing import Any

_SELECTORS = ("SelectSelector", "PollSelector", "EpollSelector", "KqueueSelector", "DevpollSelector")


class Clock:
    """How far the clock has been put forward, in seconds."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self.stopped = False
        """Whether it stands still until it is put forward."""

    def install(self) -> None:
        """Called before anything of the project is imported."""
        here: Any = time
        for name in ("time", "monotonic", "perf_counter"):
            setattr(here, name, self._later(getattr(time, name)))
        here.sleep = self.sleep
        for name in _SELECTORS:
            kind: Any = getattr(selectors, name, None)
            if kind is not None:
                kind.select = self._selecting(kind.select)
        event: Any = threading.Event
        event.wait = self._waiting(event.wait)

    def sleep(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self.ahead += seconds

    def _later(self, real: Any) -> Any:
        at = real()
        return lambda: (at if self.stopped else real()) + self.ahead

    def _waiting(self, real: Any) -> Any:
        """For an event that nobody is there to set."""

        def wait(event: Any, timeout: float | None = None) -> Any:
            if timeout is None or event.is_set() or threading.active_count() > 1:
                return real(event, timeout)
            self.ahead += max(timeout, 0.0)
            return event.is_set()

        return wait

    def _selecting(self, real: Any) -> Any:
        """What waits for the next timer of an event loop."""

        def select(selector: Any, timeout: float | None = None) -> Any:
            if timeout is None or timeout <= 0:
                return real(selector, timeout)
            ready = real(selector, 0)
            if not ready:
                self.ahead += timeout
            return ready

        return select
