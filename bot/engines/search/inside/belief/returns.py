"""What changed functions give back while green tests run: those pass either way, and yet it may be something else."""

from __future__ import annotations

import sys
from types import FrameType
from typing import FrozenSet, List, Sequence, Set, Tuple

from ..clock import Clock
from ..kinds import Raw
from ..trace import Paths
from ..trial import Ground
from .behaviour import Teller

MOST_TOLD = 200
"""So many values of one test are looked at."""
EVENTS = 300_000
"""What the tests together may call and return: counted, not timed, so that the same ones are looked at each time."""

INSIDE_S = 10.0


class Returns:
    """Notes the values that functions of these names return or yield, closures among them."""

    def __init__(self, paths: Paths, names: Set[Tuple[str, str]]) -> None:
        self._paths = paths
        self.names = names
        self._left = 0
        self._found: Set[int] = set()
        self.events = 0

    def __enter__(self) -> Returns:
        self._left, self._found = MOST_TOLD, set()
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)

    def seen(self) -> int:
        """The same for the same values, however often and in whichever order they came."""
        found: FrozenSet[int] = frozenset(self._found)
        return hash(found)

    def _note(self, frame: FrameType, event: str, value: Raw) -> None:
        self.events += 1
        code = frame.f_code
        # Functions made by a candidate's code have the plain path for a file name.
        if (
            event != "return"
            or (self._paths.of(code.co_filename) or code.co_filename, code.co_name) not in self.names
        ):
            return
        self._left -= 1
        if self._left >= 0 and value is not None:
            try:
                self._found.add(hash((code.co_name, Teller().told(value))))
            except Exception:
                self._left -= 1


class Inside:
    """Watches what the changed functions return in green tests."""

    def __init__(self, ground: Ground, paths: Paths, names: Set[Tuple[str, str]]) -> None:
        self._ground = ground
        self._returns = Returns(paths, names)
        self._tests: List[str] = []

    def choose(self, greens: Sequence[str]) -> None:
        """As many of the tests as run through so many calls."""
        for name in greens if self._returns.names else ():
            if self._returns.events < EVENTS:
                self._tests.append(name)
                self._mark(name, Clock())

    def marks(self) -> List[int]:
        clock = Clock()
        return [self._mark(name, clock) for name in self._tests]

    def _mark(self, name: str, clock: Clock) -> int:
        self._ground.forget()
        clock.arm(INSIDE_S)
        try:
            with self._returns:
                self._ground.run(self._ground.items[name])
        finally:
            clock.disarm()
        return self._returns.seen()
