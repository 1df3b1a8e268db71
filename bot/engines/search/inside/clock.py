"""A limit on processor time inside a child: a signal raises an exception that ordinary handlers do not catch."""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import Optional

PATIENCE = 12
"""So many signals in one candidate, then its process ends: something swallows our exception."""


class OutOfTime(BaseException):
    """The candidate used up its processor time."""


class Clock:
    """Arms and disarms the limit. One per child, made in the child."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._fired = 0
        signal.signal(signal.SIGPROF, self._fire)

    def _fire(self, _number: int, _frame: Optional[FrameType]) -> None:
        if os.getpid() != self._owner:
            os._exit(1)
        self._fired += 1
        if self._fired > PATIENCE:
            os._exit(3)
        raise OutOfTime

    def arm(self, limit_s: float) -> None:
        self._fired = 0
        # It fires again and again: a candidate may swallow the first one.
        signal.setitimer(signal.ITIMER_PROF, limit_s, max(0.02, limit_s / 2))

    def disarm(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
