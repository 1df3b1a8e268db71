"""One answer, however often a provider has to be asked: retries within limits, and never a call beyond the budget."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.engines.agent.models.protocol import Ask, Busy, Model, ModelFault, Turn, Usage

CANCELLED = "cancelled"
_OPEN_AFTER = 3
_OPEN_S = 60.0


@dataclass(frozen=True)
class Patience:
    """How long a busy provider is waited for."""

    tries: int = 8
    first_s: float = 2.0
    most_s: float = 60.0
    deadline_s: float = 600.0
    """All tries of one answer together, pauses included."""


@dataclass(frozen=True)
class Reply:
    """What came of asking: an answer, or the last fault. Plain data, so that a step can remember it."""

    turn: Turn | None = None
    fault: str = ""
    """busy, silent, cut, key, spend-limit, request, too-long … ; empty where there is an answer."""
    detail: str = ""
    retryable: bool = False
    after_s: float = 0.0
    """What the provider asked to wait, where that was longer than could be waited."""
    tries: int = 1
    wasted: tuple[Usage, ...] = ()
    """What failed tries have cost."""
    unknown: int = 0
    """Failed tries that may have cost something which nobody knows."""
    lost: int = 0
    """Reservations of an earlier life, whose answer may have been paid for and was never stored."""
    seconds: float = 0.0


@dataclass
class Breaker:
    """Keeps many jobs from asking a provider that is down: after three failed answers, none for a minute."""

    clock: Callable[[], float] = time.monotonic
    _failed: int = 0
    _until: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait_s(self) -> float:
        """Seconds until asking makes sense again; 0 now."""
        with self._lock:
            return max(0.0, self._until - self.clock())

    def note(self, *, answered: bool) -> None:
        with self._lock:
            self._failed = 0 if answered else self._failed + 1
            if self._failed >= _OPEN_AFTER:
                self._until = self.clock() + _OPEN_S


class Patient:
    """A model that is asked with patience. Shared by all jobs of this process."""

    def __init__(self, model: Model, patience: Patience, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.model = model
        self._patience = patience
        self._sleep = sleep
        self._breaker = Breaker()

    @property
    def name(self) -> str:
        return self.model.name

    def ask(self, ask: Ask, *, tries: int, cancelled: Callable[[], bool] = lambda: False) -> Reply:
        """An answer or a fault. `tries`: how often the budget allows a request that costs as much as this one."""
        started = time.monotonic()
        wasted: list[Usage] = []
        unknown = 0
        most = max(1, min(tries, self._patience.tries))
        wait = self._breaker.wait_s()
        if wait > self._patience.deadline_s:
            return Reply(None, "busy", "the provider did not answer before", True, wait, tries=0)
        if wait:
            self._sleep(wait)
        for number in range(1, most + 1):
            if cancelled():
                seconds = time.monotonic() - started
                return Reply(
                    None, CANCELLED, tries=number - 1, wasted=tuple(wasted), unknown=unknown, seconds=seconds
                )
            try:
                turn = self.model.answer(ask)
            except ModelFault as error:
                wasted += [error.usage] if error.usage.total else []
                unknown += error.kind in ("silent", "cut", "garbled", "runaway") and not error.usage.total
                pause = self._pause(error, number, time.monotonic() - started)
                if number == most or pause is None:
                    self._breaker.note(answered=not error.retryable)
                    return Reply(
                        None, error.kind, str(error), error.retryable, error.after_s or 0.0, number, tuple(wasted),
                        unknown, 0, time.monotonic() - started,
                    )  # fmt: skip
                self._sleep(pause)
                continue
            self._breaker.note(answered=True)
            return Reply(
                turn, tries=number, wasted=tuple(wasted), unknown=unknown, seconds=time.monotonic() - started
            )
        raise AssertionError("unreachable")

    def _pause(self, error: ModelFault, number: int, spent_s: float) -> float | None:
        """Seconds to wait before the next try; None where there is no next one."""
        if not isinstance(error, Busy) or self._breaker.wait_s() > 0:
            return None
        limit = min(self._patience.most_s, self._patience.first_s * 2 ** (number - 1))
        pause = error.after_s if error.after_s is not None else random.uniform(0, limit)  # noqa: S311 - no secret
        return pause if spent_s + pause < self._patience.deadline_s else None
