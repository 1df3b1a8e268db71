"""Boxes that a session makes before they are asked for: each has run nothing, and each is used once."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from sandbox import Image, Limits, SandboxError
from sandbox.boxes import Box, Opener

_IDLE_S = 60.0
"""No longer than this does a box wait for its command: its labels give it a deadline from its start on."""


@dataclass(frozen=True)
class _Spare:
    """A box, made or in the making, and for what."""

    image: Image
    limits: Limits
    box: Future[Box]
    asked_at: float

    def serves(self, image: Image, limits: Limits) -> bool:
        """True for a command that would get just such a box. With less time than the box was made for is as well."""
        same = dataclasses.replace(limits, timeout_s=self.limits.timeout_s)
        young = time.monotonic() < self.asked_at + _IDLE_S
        return young and image == self.image and same == self.limits and limits.timeout_s <= self.limits.timeout_s


class Ahead:
    """Opens boxes for one session that means to make `runs` runs. One box at a time is made ahead, and only as
    long as another run is to be expected; `close` removes what was not used."""

    def __init__(self, opened: Opener, runs: int) -> None:
        self._opened, self._left = opened, runs
        self._spare: _Spare | None = None
        # One thread, which lives as long as the session: bubblewrap's boxes die with the thread that made them.
        self._maker = ThreadPoolExecutor(1, "regreen-ahead")

    def begin(self, image: Image, limits: Limits) -> None:
        """Start to make the next box, unless it is one too many."""
        if self._left > 0 and self._spare is None:
            made = self._maker.submit(self._opened, image, limits)
            self._spare = _Spare(image, limits, made, time.monotonic())

    def take(self, image: Image, limits: Limits) -> Box:
        """A box that is the caller's from now on."""
        spare, self._spare = self._spare, None
        box = self._usable(spare, image, limits) if spare else None
        box = box or self._opened(image, limits)
        self._left -= 1
        self.begin(image, limits)
        return box

    def _usable(self, spare: _Spare, image: Image, limits: Limits) -> Box | None:
        """The spare box; None when it serves something else, or has died: then it is gone."""
        with contextlib.suppress(SandboxError):  # it broke in the making: the next one says why
            box = spare.box.result()
            if spare.serves(image, limits) and box.waits():
                return box
            box.close()
        return None

    def close(self) -> None:
        spare, self._spare = self._spare, None
        self._left = 0
        if spare:
            with contextlib.suppress(SandboxError):
                spare.box.result().close()
        self._maker.shutdown()
