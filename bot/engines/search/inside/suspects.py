"""How suspicious a line is: Ochiai's formula over red and green tests, and the frames of the failure."""

from __future__ import annotations

import math
from typing import Dict, Iterable, List, Tuple

from .hints import Hints
from .trace import Lines

Place = Tuple[str, int]


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
        self.greens = greens

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
