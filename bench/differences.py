"""What differs between two runs: which tasks only one of them gets right, and whether that may be chance."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from bench.score import Score


@dataclass(frozen=True)
class Differences:
    """Tasks that both runs have tried, and that end right more often in one of them."""

    better: tuple[str, ...]
    worse: tuple[str, ...]
    common: int

    @property
    def chance(self) -> float:
        """How often chance alone would split so many tasks as unevenly, two-sided (the exact sign test)."""
        count = len(self.better) + len(self.worse)
        few = min(len(self.better), len(self.worse))
        tail = sum(math.comb(count, number) for number in range(few + 1))
        return float(min(1.0, 2 * tail / 2**count))

    def __str__(self) -> str:
        split = f"{len(self.better)} better, {len(self.worse)} worse of {self.common} tasks that both have tried"
        chance = f"{100 * self.chance:.0f} %" if self.chance >= 0.01 else "less than 1 %"
        return (
            f"{split}; by chance alone as uneven in {chance} of comparisons" if self.better or self.worse else split
        )


def between(new: Iterable[Score], old: Iterable[Score]) -> Differences:
    """How the new run differs from the old one. Of several rounds, the share that is right counts."""
    after, before = _shares(new), _shares(old)
    common = sorted(after.keys() & before.keys())
    return Differences(
        tuple(task for task in common if after[task] > before[task]),
        tuple(task for task in common if after[task] < before[task]),
        len(common),
    )


def _shares(scores: Iterable[Score]) -> dict[str, float]:
    found: dict[str, list[bool]] = defaultdict(list)
    for score in scores:
        found[score.task].append(score.right)
    return {task: sum(right) / len(right) for task, right in found.items()}
