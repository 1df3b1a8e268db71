"""Survivors grouped by what they do, and how sure the best group is."""

from __future__ import annotations

import math
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .chance import BLIND
from .exam import Answers
from .frontier import Candidate
from .source import paired
from .trace import Lines

NOTHING_RIGHT = 4.6
"""Cost of the guess that none of the survivors is right: a dear survivor alone is no better than that."""
EVIDENCE = 1.0
MOST_EVIDENCE = 8
"""Several red tests are harder to satisfy by chance: measured, one in ten is wrong then, not one in four."""
BROKEN_WEIGHT = 1.0
MOVED_WEIGHT = 2.0
"""For other answers to calls that green tests make: those are right as far as anyone knows, asserted or not."""
ONE_MORE = 1
"""Calls and tests that are taken to be answered as before, beside those there are: one alone says little."""
BESIDE_THE_CRASH = 1.5
"""For answers that change where only a crash was to be cured."""
ANOTHER_CRASH = 0.75
"""For answers that are none any more, there."""
SAME_WAY = 0.34
"""What a red test says beside one that runs the same lines: cases of one test often fall to the same wrong change."""
UNSEEN = 1.0
"""For an edit that fits nearly everywhere and that none of so many fresh inputs shows: it fits the red test alone."""
AT_ONE_POINT = ("comparison-boundary", "comparison-boundaries")
"""Of those, what shows only where two values are equal: few inputs are."""
MANY_INPUTS = 20
CLEARLY = 0.05
"""The share of inputs from which on they count in full."""
MENDED_WEIGHT = 0.8
"""For curing the crash on all inputs that crash."""
SURE = 0.5
"""A group that is less likely than this is not proposed: measured, most of those were wrong."""
UNEXAMINED = 0.75
"""The most that is believed of a survivor that could be asked nothing: a closure, a line at module level."""
SEEN_OUTSIDE = 4
"""On so many inputs a change must show from outside before what only the inside of the project sees is left out."""
MOST_TOLD = 3


class Signs(NamedTuple):
    """How a survivor differs from the code as it is, in shares of the fresh inputs."""

    broken: float
    """Inputs that had an answer and now raise, or never end."""
    changed: float
    """Inputs that have another answer now."""
    mended: float
    """Inputs that raised and now have an answer, as a share of those that raised."""
    moved: float
    """Calls that green tests make, or tests in which such calls are made inside, and that have another answer now."""
    inputs: int
    greens: int


class Cluster:
    """Survivors that nothing tells apart, the best first."""

    def __init__(self) -> None:
        self.members: List[Tuple[float, Candidate]] = []
        self.number = 0
        """One of them, by its number in the exam."""
        self.signs: Optional[Signs] = None
        self.share = 0.0
        """How likely it is the right one, of all there are and none of them."""

    @property
    def weight(self) -> float:
        """Between that of the best one and that of all: there are many ways to break one thing, and all agree."""
        each = [math.exp(-cost) for cost, _candidate in self.members]
        return math.sqrt(max(each) * sum(each))


class Examined:
    """Reads what the exam reported. A survivor without a report is a cluster of its own."""

    def __init__(self, messages: Sequence[Dict[str, Any]]) -> None:
        self.fresh: List[bool] = []
        self.green: List[bool] = []
        self.outer: List[bool] = []
        self.said: List[str] = []
        """Each input as a call."""
        self.answers: Dict[int, Answers] = {}
        self.inner: Dict[int, List[int]] = {}
        """What the changed functions return in each of some green tests."""
        for message in messages:
            if "fresh" in message:
                self.fresh, self.said = message["fresh"], message.get("said", [])
                self.green, self.outer = message.get("green", []), message.get("outer", [])
            elif "inner" in message:
                self.inner[message["n"]] = message["inner"]
            else:
                self.answers[message["n"]] = Answers(message["kinds"], tuple(message["marks"]))
        before, again = self.answers.get(-2), self.answers.get(-1)
        self.steady: List[int] = []
        """Inputs that the same code answers the same way twice."""
        if before is not None and again is not None:
            self.steady = [n for n, mark in enumerate(before.marks) if mark == again.marks[n]]

    def vector(self, number: int, *, crash: bool = True) -> Optional[Tuple[int, ...]]:
        """What a survivor answers; unless a crash is to be cured, only to what the code as it is can answer.

        Where the change shows from outside, inner functions are left out: two that differ only there are as good.
        """
        answers, before = self.answers.get(number), self.answers.get(-1)
        if answers is None or before is None or not self.steady:
            return None
        sane = [n for n in self.steady if crash or before.kinds[n] == "o"] or self.steady
        outer = {n for n in sane if n >= len(self.outer) or self.outer[n]}
        shown = sum(answers.marks[n] != before.marks[n] for n in outer)
        return tuple(answers.marks[n] if shown < SEEN_OUTSIDE or n in outer else 0 for n in sane)

    def difference(self, one: int, other: int) -> str:
        """A call that two survivors answer differently, the shortest; empty when there is none."""
        first, second = self.answers.get(one), self.answers.get(other)
        if first is None or second is None:
            return ""
        calls = [self.said[n] for n in self.steady if n < len(self.said) and first.marks[n] != second.marks[n]]
        return min((call for call in calls if call), key=len, default="")

    def signs(self, number: int) -> Optional[Signs]:
        """None for a survivor of which nothing is known."""
        before, after, inside = self.answers.get(-1), self.answers.get(number), self._moved_inside(number)
        asked = [n for n in self.steady if self.fresh[n]] or self.steady
        if before is None or after is None or not asked:
            return Signs(0.0, 0.0, 0.0, inside, 0, 0) if inside else None
        green = [n for n in self.steady if n < len(self.green) and self.green[n]]
        moved = sum(after.marks[n] != before.marks[n] for n in green)
        ok = [n for n in asked if before.kinds[n] == "o"]
        broken = sum(after.kinds[n] != "o" for n in ok)
        changed = sum(after.kinds[n] == "o" and after.marks[n] != before.marks[n] for n in ok)
        raised = [n for n in asked if before.kinds[n] != "o"]
        mended = sum(after.kinds[n] == "o" for n in raised)
        return Signs(
            broken=broken / len(asked),
            changed=changed / len(asked),
            mended=mended / max(1, len(raised)),
            moved=max(inside, moved / (len(green) + ONE_MORE)),
            inputs=len(asked),
            greens=len(green),
        )

    def _moved_inside(self, number: int) -> float:
        """The share of green tests in which the changed functions return something else."""
        before, again, after = (self.inner.get(one, []) for one in (-2, -1, number))
        steady = [n for n, (one, other) in enumerate(paired(before, again)) if one == other and n < len(after)]
        return sum(after[n] != before[n] for n in steady) / (len(steady) + ONE_MORE)


def _strangeness(candidate: Candidate, signs: Optional[Signs], crash: bool) -> float:
    """What a change of behaviour costs that nobody asked for, or that nobody sees."""
    if signs is None:
        return 0.0
    cost = MOVED_WEIGHT * signs.moved
    if candidate.operator in BLIND and candidate.operator not in AT_ONE_POINT and _stays_unseen(signs):
        cost += UNSEEN
    if crash:
        cost += BESIDE_THE_CRASH * min(1.0, signs.changed / CLEARLY)
        cost += ANOTHER_CRASH * min(1.0, signs.broken / CLEARLY)
        return cost - MENDED_WEIGHT * signs.mended
    return cost + BROKEN_WEIGHT * signs.broken


def _stays_unseen(signs: Signs) -> bool:
    return signs.inputs >= MANY_INPUTS and not (signs.changed or signs.mended or signs.broken or signs.moved)


def telling_reds(runs: Sequence[Lines]) -> float:
    """How many red tests speak for what cures them all; further ones that run the very same lines count in part."""
    ways = {repr(sorted(lines.items())) for lines in runs}
    return len(ways) + SAME_WAY * (len(runs) - len(ways))


def clustered(
    survivors: Sequence[Tuple[float, Candidate]], examined: Examined, *, crash: bool = False, reds: float = 1
) -> List[Cluster]:
    """The most likely first. A survivor's number in the exam is its place in `survivors`."""
    found: Dict[Any, Cluster] = {}
    for number, (cost, candidate) in enumerate(survivors):
        signs = examined.signs(number)
        vector = examined.vector(number, crash=crash)
        # Those that no input could be tried on agree with nobody: nothing is known of them. What only a new import
        # can try (a wrong import, a table) has no inputs at all: there the order by cost is all there is.
        alone = ("unexamined", number if candidate.exact else -1)
        cluster = found.setdefault(vector if vector is not None else alone, Cluster())
        cluster.signs, cluster.number = signs, number
        cluster.members.append((cost + _strangeness(candidate, signs, crash), candidate))
    clusters = sorted(found.values(), key=lambda cluster: -cluster.weight)
    nothing = NOTHING_RIGHT + EVIDENCE * math.log(max(1.0, min(reds, MOST_EVIDENCE)))
    total = sum(cluster.weight for cluster in clusters) + math.exp(-nothing)
    for cluster in clusters:
        cluster.members.sort(key=lambda pair: pair[0])
        cluster.share = cluster.weight / total
        if cluster.signs is None or not cluster.signs.inputs:
            cluster.share = min(cluster.share, UNEXAMINED)
    return clusters


def sure(clusters: Sequence[Cluster]) -> List[Cluster]:
    """Those that may be proposed."""
    return [cluster for cluster in clusters if cluster.share >= SURE]


def doubt(clusters: Sequence[Cluster], examined: Examined) -> str:
    """Why none is proposed, for the person who has to decide; empty when one is, or when nothing survived."""
    if not clusters or sure(clusters):
        return ""
    told = "; or ".join(_told(cluster.members[0][1]) for cluster in clusters[:MOST_TOLD])
    if len(clusters) == 1:
        return "one change passes all tests, but it is not likely to be what is meant: %s" % told
    text = "%d different changes pass all tests, and nothing tells which is meant: %s" % (len(clusters), told)
    call = examined.difference(clusters[0].number, clusters[1].number)
    return text + ("; a test of `%s` would tell the first two apart" % call if call else "")


def _told(candidate: Candidate) -> str:
    return "%s (%s:%d) %s" % (candidate.what, candidate.path, candidate.site.first, candidate.fault)
