"""Tries candidates in a forked child of the collected process: compile, swap, run the red tests, swap back."""

from __future__ import annotations

import os
import time
from types import CodeType
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from .baseline import plain
from .clock import Clock, OutOfTime
from .frontier import Candidate
from .kinds import Item
from .live import Live, NotExact, Undo, restore, signature
from .runner import Fault, Run, Scratch
from .state import State
from .table import Swappable, Table
from .wire import Wire

FAILED, PASSED, TIMED_OUT, INVALID, KNOWN, INEXACT = range(6)

BATCH_S, BATCH_CPU_S = 2.0, 0.4
"""A child gives back what is left of its batch after so long, the latter of processor time."""
RECHECK_S = 0.5
WORTH_WATCHING = 8
"""In a smaller batch the drift check would cost more than it tells."""


class Ground(NamedTuple):
    """What a trial stands on: made once in the collected process, inherited by every child."""

    root: str
    live: Live
    state: State
    items: Dict[str, Any]
    targets: List[str]
    """Red tests, the quickest first."""
    run: Run
    """The cheap way to run one."""
    protocol: Run
    config: Any
    steady_words: bool
    """Whether an unchanged red test fails with the same message each time."""

    def swapped(self, codes: Sequence[Tuple[Swappable, CodeType]]) -> Undo:
        """Put code into the live functions, and values into their names; returns the way back. Raises NotExact."""
        undo: Undo = []
        try:
            for unit, code in codes:
                undo += self.state.rebound(unit, code) if isinstance(unit, Table) else self.live.swapped(unit, code)
        except NotExact:
            restore(undo)
            raise
        return undo

    def forget(self) -> None:
        """Put back what an earlier candidate left in caches, globals and the environment."""
        self.live.forget()
        self.state.restore()


def compiled(candidate: Candidate) -> List[Tuple[Swappable, CodeType]]:
    """The functions and tables that a candidate changes, with their new code. Raises SyntaxError or ValueError."""
    return [(unit, unit.compiled(edits)) for unit, edits in candidate.swaps()]


def effect_of(codes: Sequence[Tuple[Swappable, CodeType]]) -> int:
    """The same for candidates that come to the same code."""
    return hash(tuple((unit.source.path, unit.first_line, signature(code)) for unit, code in codes))


class Trial:
    """Lives in one child and reports one message for each candidate.

    `thorough` goes on behind a test that fails, and tells how far each one came.
    """

    def __init__(self, ground: Ground, limit_s: float, known: Set[int], thorough: bool = False) -> None:
        self._ground = ground
        self._limit_s = limit_s
        self._known = known
        self._thorough = thorough
        self._clock = Clock()
        self._scratch = Scratch(ground.config)

    def batch(self, wire: Wire, candidates: Sequence[Candidate]) -> None:
        watched = len(candidates) >= WORTH_WATCHING
        before = self._untouched() if watched else None
        end_s, end_cpu_s = time.monotonic() + BATCH_S, time.process_time() + BATCH_CPU_S
        for number, candidate in enumerate(candidates):
            wire.send({"n": number, **self._attempt(candidate)})
            self._tidy()
            if time.monotonic() > end_s or time.process_time() > end_cpu_s:
                wire.send({"enough": True})
                break
        if watched and self._has_drifted(before):
            wire.send({"drift": True})
        self._scratch.remove()

    def _has_drifted(self, before: Optional[Fault]) -> bool:
        """Whether unchanged code no longer fails as it did. Running out of time tells of the machine only."""
        faults = [before, self._untouched()]
        late = any(fault is not None and fault.kind == "OutOfTime" for fault in faults)
        return not late and faults[0] != faults[1]

    def _untouched(self) -> Optional[Fault]:
        """How the quickest red test fails with no change made: the same before and after, or state has leaked."""
        self._ground.forget()
        fault = self._timed(self._ground.items[self._ground.targets[0]])
        self._tidy()
        if fault is None:
            return None
        return fault._replace(message=plain(fault.message) if self._ground.steady_words else "")

    def _tidy(self) -> None:
        self._scratch.empty()
        try:
            os.chdir(self._ground.root)
        except OSError:
            os._exit(4)

    def _attempt(self, candidate: Candidate) -> Dict[str, Any]:
        try:
            self._clock.arm(max(1.0, self._limit_s))
            codes = compiled(candidate)
            effect = effect_of(codes)
            if effect in self._known or all(signature(code) == signature(unit.pristine) for unit, code in codes):
                return _told(KNOWN, effect)
            self._known.add(effect)
            undo = self._ground.swapped(codes)
        except NotExact:
            return _told(INEXACT)
        except (SyntaxError, ValueError, RecursionError, OverflowError, OutOfTime, MemoryError):
            return _told(INVALID)
        finally:
            self._clock.disarm()
        try:
            self._ground.forget()
            return self._all_judged(effect) if self._thorough else self._judged(effect)
        finally:
            restore(undo)

    def _judged(self, effect: int) -> Dict[str, Any]:
        """Run the red tests until one fails; how many passed before."""
        cured = 0
        for name in self._ground.targets:
            fault = self._timed(self._ground.items[name])
            if fault is not None:
                return _told(TIMED_OUT if fault.kind == "OutOfTime" else FAILED, effect, cured=cured)
            cured += 1
        return _told(PASSED, effect, cured=cured)

    def _all_judged(self, effect: int) -> Dict[str, Any]:
        faults = []
        for name in self._ground.targets:
            fault = self._timed(self._ground.items[name])
            faults.append(None if fault is None else [fault.kind, fault.line, fault.message])
            if fault is not None and fault.kind == "OutOfTime":
                return _told(TIMED_OUT, effect)
        code = FAILED if any(faults) else PASSED
        return _told(code, effect, cured=faults.count(None), faults=faults)

    def _timed(self, item: Item) -> Optional[Fault]:
        try:
            self._clock.arm(self._limit_s)
            return self._ground.run(item)
        except OutOfTime:
            return Fault("OutOfTime", "")
        finally:
            self._clock.disarm()


def _told(code: int, effect: int = 0, **more: Any) -> Dict[str, Any]:
    return {"code": code, "effect": effect, "cured": 0, **more}


def recheck(ground: Ground, candidate: Candidate, greens: Sequence[str], suite_s: float, wire: Wire) -> None:
    """Alone in its child, with pytest's own protocol: all red tests, then all green ones, until one is lost.

    Those that loop in a green test are many where loops are mended: no test takes longer than the whole suite did.
    """
    os.chdir(ground.root)
    clock = Clock()
    end_s = time.process_time() + max(5.0, 4 * suite_s)
    ground.forget()
    ground.swapped(compiled(candidate))
    scratch = Scratch(ground.config)
    for name in list(ground.targets) + list(greens):
        clock.arm(max(RECHECK_S, 4 * suite_s))
        fault = ground.protocol(ground.items[name])
        if fault is not None or time.process_time() > end_s:
            wire.send({"ok": False, "lost": name})
            break
    else:
        wire.send({"ok": True})
    clock.disarm()
    scratch.remove()
