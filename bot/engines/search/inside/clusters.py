"""Survivors grouped by what they do, and how sure the best group is."""

from __future__ import annotations

import math
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .exam import Answers
from .frontier import Candidate

NOTHING_RIGHT = 5.5
"""Cost of the guess that none of the survivors is right: a dear survivor alone is no better than that."""
BROKEN_WEIGHT = 2.0
CHANGED_WEIGHT = 0.0
SURE = 0.0


class Signs(NamedTuple):
    """How a survivor differs from the code as it is, in shares of the fresh inputs."""

    broken: float
    """Inputs that had an answer and now raise, or never end."""
    changed: float
    """Inputs that have another answer now."""
    mended: float
    """Inputs that raised and now have an answer."""
    inputs: int


class Cluster:
    """Survivors that nothing tells apart, the best first."""

    def __init__(self) -> None:
        self.members: List[Tuple[float, Candidate]] = []
        self.signs: Optional[Signs] = None
        self.share = 0.0
        """How likely it is the right one, of all there are and none of them."""

    @property
    def weight(self) -> float:
        return sum(math.exp(-cost) for cost, _candidate in self.members)


class Examined:
    """Reads what the exam reported. Without a report each survivor is a cluster of its own."""

    def __init__(self, messages: Sequence[Dict[str, Any]]) -> None:
        self.fresh: List[bool] = []
        self.answers: Dict[int, Answers] = {}
        for message in messages:
            if "fresh" in message:
                self.fresh = message["fresh"]
            else:
                self.answers[message["n"]] = Answers(message["kinds"], tuple(message["marks"]))
        before, again = self.answers.get(-2), self.answers.get(-1)
        self.steady: List[int] = []
        """Inputs that the same code answers the same way twice."""
        if before is not None and again is not None:
            self.steady = [n for n, mark in enumerate(before.marks) if mark == again.marks[n]]

    def vector(self, number: int) -> Optional[Tuple[int, ...]]:
        answers = self.answers.get(number)
        return tuple(answers.marks[n] for n in self.steady) if answers is not None and self.steady else None

    def signs(self, number: int) -> Optional[Signs]:
        before, after = self.answers.get(-1), self.answers.get(number)
        asked = [n for n in self.steady if self.fresh[n]]
        if before is None or after is None or not asked:
            return None
        ok = [n for n in asked if before.kinds[n] == "o"]
        broken = sum(after.kinds[n] != "o" for n in ok)
        changed = sum(after.kinds[n] == "o" and after.marks[n] != before.marks[n] for n in ok)
        mended = sum(before.kinds[n] != "o" and after.kinds[n] == "o" for n in asked)
        return Signs(broken / len(asked), changed / len(asked), mended / len(asked), len(asked))


def _strangeness(signs: Optional[Signs]) -> float:
    """What a change of behaviour costs that nobody asked for."""
    return 0.0 if signs is None else BROKEN_WEIGHT * signs.broken + CHANGED_WEIGHT * signs.changed


def clustered(survivors: Sequence[Tuple[float, Candidate]], examined: Examined) -> List[Cluster]:
    """The most likely first. A survivor's number in the exam is its place in `survivors`."""
    found: Dict[Any, Cluster] = {}
    for number, (cost, candidate) in enumerate(survivors):
        signs = examined.signs(number)
        vector = examined.vector(number)
        cluster = found.setdefault(candidate.key if vector is None else vector, Cluster())
        cluster.signs = signs
        cluster.members.append((cost + _strangeness(signs), candidate))
    clusters = sorted(found.values(), key=lambda cluster: -cluster.weight)
    total = sum(cluster.weight for cluster in clusters) + math.exp(-NOTHING_RIGHT)
    for cluster in clusters:
        cluster.members.sort(key=lambda pair: pair[0])
        cluster.share = cluster.weight / total
    return clusters
