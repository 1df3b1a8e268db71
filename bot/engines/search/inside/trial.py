"""Tries candidates in a forked child of the collected process: compile, swap, run the red tests, swap back."""

from __future__ import annotations

import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set

from .clock import Clock, OutOfTime
from .frontier import Candidate
from .kinds import Item
from .live import Live, NotExact, restore, signature
from .runner import Fault, Run, Scratch
from .wire import Wire

FAILED, PASSED, TIMED_OUT, INVALID, KNOWN, INEXACT = range(6)


class Ground(NamedTuple):
    """What a trial stands on: made once in the collected process, inherited by every child."""

    root: str
    live: Live
    items: Dict[str, Any]
    targets: List[str]
    """Red tests, the quickest first."""
    run: Run
    """The cheap way to run one."""
    protocol: Run
    config: Any


class Trial:
    """Lives in one child and reports one message for each candidate."""

    def __init__(self, ground: Ground, limit_s: float, known: Set[int]) -> None:
        self._ground = ground
        self._limit_s = limit_s
        self._known = known
        self._clock = Clock()
        self._scratch = Scratch(ground.config)

    def batch(self, wire: Wire, candidates: Sequence[Candidate], first: int) -> None:
        for number, candidate in enumerate(candidates, first):
            code, cured, effect = self._attempt(candidate)
            wire.send({"n": number, "code": code, "cured": cured, "effect": effect})
            self._tidy()
        self._scratch.remove()

    def _tidy(self) -> None:
        self._scratch.empty()
        try:
            os.chdir(self._ground.root)
        except OSError:
            os._exit(4)

    def _attempt(self, candidate: Candidate) -> "tuple[int, int, int]":
        try:
            self._clock.arm(max(1.0, self._limit_s))
            unit = candidate.unit
            assert unit is not None
            new = unit.compiled(candidate.edits)
            effect = hash((unit.source.path, unit.first_line, signature(new)))
            if effect in self._known or signature(new) == signature(unit.pristine):
                return KNOWN, 0, effect
            self._known.add(effect)
            undo = self._ground.live.swapped(unit, new)
        except NotExact:
            return INEXACT, 0, 0
        except (SyntaxError, ValueError, RecursionError, OverflowError, OutOfTime, MemoryError):
            return INVALID, 0, 0
        finally:
            self._clock.disarm()
        try:
            code, cured = self._judge()
        finally:
            restore(undo)
        return code, cured, effect

    def _judge(self) -> "tuple[int, int]":
        """Run the red tests until one fails; how many passed before."""
        self._ground.live.forget()
        cured = 0
        for name in self._ground.targets:
            fault = self._timed(self._ground.run, self._ground.items[name])
            if fault is not None:
                return (TIMED_OUT if fault.kind == "OutOfTime" else FAILED), cured
            cured += 1
        return PASSED, cured

    def _timed(self, run: Run, item: Item) -> Optional[Fault]:
        try:
            self._clock.arm(self._limit_s)
            return run(item)
        except OutOfTime:
            return Fault("OutOfTime", "")
        finally:
            self._clock.disarm()


def recheck(ground: Ground, candidate: Candidate, greens: Sequence[str], limit_s: float, wire: Wire) -> None:
    """Alone in its child, with pytest's own protocol: all red tests, then all green ones, until one is lost."""
    os.chdir(ground.root)
    clock = Clock()
    clock.arm(limit_s)
    unit = candidate.unit
    assert unit is not None
    ground.live.forget()
    ground.live.swapped(unit, unit.compiled(candidate.edits))
    scratch = Scratch(ground.config)
    for name in list(ground.targets) + list(greens):
        fault = ground.protocol(ground.items[name])
        if fault is not None:
            wire.send({"ok": False, "lost": name})
            break
    else:
        wire.send({"ok": True})
    clock.disarm()
    scratch.remove()
