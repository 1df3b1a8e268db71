"""How suspicious a line is: Ochiai's formula over red and green tests, and the frames of the failure."""

from __future__ import annotations

import math
from typing import Dict, Iterable, List, Mapping, Set, Tuple

from .hints import Hints
from .trace import Lines

Place = Tuple[str, int]

OLD = 0.5
"""Weight of a line that was there before the push, where the red tests run others that came with it."""
STILL_DOUBTED = 0.5
"""How much of a new line's distance from certainty is left."""


class Suspicion:
    """A score for each line that a red test ran: above 0, at most 1."""

    def __init__(self, red: List[Lines], green: List[Lines], hints: Hints) -> None:
        reds, greens = _counts(red), _counts(green)
        total = max(1, len(red))
        self._scores: Dict[Place, float] = {}
        for place, hits in reds.items():
            self._scores[place] = hits / math.sqrt(total * (hits + greens.get(place, 0)))
        for path, line, weight in hints.frames():
            if (path, line) in self._scores:
                # Where an error rises is near its cause more often than not, but only near.
                self._scores[(path, line)] = min(1.0, self._scores[(path, line)] + 0.25 * weight)
        self._lean_on(hints.changed)
        self.greens = greens

    def guess(self, scores: Mapping[str, Mapping[int, float]]) -> None:
        """Take these for it, where no run has told anything."""
        for path, lines in scores.items():
            self._scores.update({(path, line): score for line, score in lines.items()})

    def _lean_on(self, changed: Mapping[str, Set[int]]) -> None:
        """Where red tests run lines that the push brought, these are suspected before all others."""
        near = {(path, line + more) for path, lines in changed.items() for line in lines for more in (-1, 0, 1)}
        if not near & self._scores.keys():
            return
        for place, score in self._scores.items():
            self._scores[place] = 1.0 - (1.0 - score) * STILL_DOUBTED if place in near else score * OLD

    def paths(self) -> List[str]:
        best: Dict[str, float] = {}
        for (path, _line), score in self._scores.items():
            best[path] = max(best.get(path, 0.0), score)
        return sorted(best, key=lambda path: -best[path])

    def lines(self, path: str) -> Dict[int, float]:
        return {line: score for (where, line), score in self._scores.items() if where == path}


def _counts(runs: Iterable[Lines]) -> Dict[Place, int]:
    counts: Dict[Place, int] = {}
    for lines in runs:
        for path, numbers in lines.items():
            for number in numbers:
                counts[(path, number)] = counts.get((path, number), 0) + 1
    return counts
