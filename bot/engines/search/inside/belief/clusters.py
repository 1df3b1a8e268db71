"""Survivors grouped by what they do, and how sure the best group is."""

from __future__ import annotations

import ast
import math
import re
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from ..frontier import Candidate
from ..trace import Lines
from .chance import BLIND
from .examined import Examined, Signs
from .rank import texts_of

NOTHING_RIGHT = 4.6
"""Cost of the guess that none of the survivors is right: a dear survivor alone is no better than that."""
EVIDENCE = 1.0
MOST_EVIDENCE = 8
"""Several red tests are harder to satisfy by chance: measured, one in ten is wrong then, not one in four."""
BROKEN_WEIGHT = 1.0
BREAKS_MOST, MOST_OF_THEM = 1.0, 0.5
"""More where most of the fresh inputs that had an answer have none any more."""
CHANGED_WEIGHT = 0.5
"""For other answers to fresh inputs: of two that cure the same, the right one changes less, more often than not."""
MOVED_WEIGHT = 2.0
"""For other answers to calls that green tests make: those are right as far as anyone knows, asserted or not."""
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
WITHSTOOD, MOST_WITHSTOOD = 0.3, 1.1
"""For staying green: a wrong edit that changes what this code answers is soon found out where many tests ask it."""
CLEARLY = 0.05
"""The share of inputs from which on they count in full."""
MENDED_WEIGHT = 0.8
"""For curing the crash on all inputs that crash."""
SURE = 0.5
"""A group that is less likely than this is not proposed: measured, most of those were wrong."""
UNEXAMINED = 0.75
"""The most that is believed of a survivor that could be asked nothing: a closure, a line at module level."""
FURTHER = 0.7
"""For the same insertion where it changes more than elsewhere: `.lower()` for the key, not for the whole line."""
SAME_STATEMENT = 0.5
SPELLINGS = {
    "copy-missing": "copied",
    "copy-deep": "copied deeply",
    "kept-for-others": "kept",
    "exception-kind": "caught",
    "exception-widened": "caught",
    "comparison-boundary": "bound",
    "constant-off-by-one": "bound",
    "expression-off-by-one": "bound",
}
"""Operators whose edits of one statement all mean the same: `list(x)` and `x[:]`; `> 2` and `>= 3`."""
TURNED = re.compile(r"(list\()?reversed\([\w.]*\)+$|[\w.]*\[::-1\]$")
"""What is written in place of something so that its end comes first."""
MOST_TOLD = 3


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
        """Between that of the best one and that of all: there are many ways to break one thing, and all agree.

        Of several at one statement each further one counts half: they may all do no more than turn one condition off.
        """
        each: Dict[Any, List[float]] = {}
        for cost, candidate in self.members:
            each.setdefault(id(candidate.site.stmt) if candidate.parts else 0, []).append(math.exp(-cost))
        counted = [
            share * SAME_STATEMENT**place
            for shares in each.values()
            for place, share in enumerate(sorted(shares, reverse=True))
        ]
        return math.sqrt(max(counted) * sum(counted))


def _strangeness(candidate: Candidate, signs: Optional[Signs], crash: bool) -> float:
    """What a change of behaviour costs that nobody asked for, or that nobody sees."""
    if signs is None:
        return 0.0
    cost = MOVED_WEIGHT * signs.moved + (BREAKS_MOST if signs.broken > MOST_OF_THEM else 0.0)
    if candidate.operator in BLIND and candidate.operator not in AT_ONE_POINT and _stays_unseen(signs):
        cost += UNSEEN
    if crash:
        cost += BESIDE_THE_CRASH * min(1.0, signs.changed / CLEARLY)
        cost += ANOTHER_CRASH * min(1.0, signs.broken / CLEARLY)
        return cost - MENDED_WEIGHT * signs.mended
    return cost + BROKEN_WEIGHT * signs.broken + CHANGED_WEIGHT * signs.changed


def _withstood(candidate: Candidate, signs: Signs, crash: bool) -> float:
    """What it speaks for an edit that it shows, and that many calls of green tests are answered as before.

    One that cures a crash shows by that, and should show nowhere else.
    """
    beside = signs.changed or signs.broken if crash else not signs.changed
    if signs.moved or beside or candidate.operator in BLIND:
        return 0.0
    return min(MOST_WITHSTOOD, WITHSTOOD * math.log(max(1, signs.greens)))


def _stays_unseen(signs: Signs) -> bool:
    return signs.inputs >= MANY_INPUTS and not (signs.changed or signs.mended or signs.broken or signs.moved)


def _by_itself(number: int, candidate: Candidate) -> Any:
    """A survivor of which nothing is known, told from others; ways to write one and the same thing are one."""
    meant = SPELLINGS.get(candidate.operator, "")
    if meant and (meant != "caught" or isinstance(candidate.site.stmt, ast.Try)):
        return meant, id(candidate.site.stmt)
    new = texts_of(candidate)[1]
    if TURNED.match(new.replace(" ", "")):
        return "turned", id(candidate.site.stmt)
    if candidate.operator == "statement-copied":
        return "copied", new.strip()
    return number if candidate.exact else -1


def _going_further(survivors: Sequence[Tuple[float, Candidate]], examined: Examined) -> Set[int]:
    """Those that put the same text in elsewhere than another survivor, and change what it changes and more."""
    same: Dict[str, List[int]] = {}
    for number, (_cost, candidate) in enumerate(survivors):
        text = inserted(*texts_of(candidate))
        if text and len(candidate.parts) == 1:
            same.setdefault(text, []).append(number)
    found: Set[int] = set()
    for group in (group for group in same.values() if len(group) > 1):
        touched = {number: examined.touched(number) for number in group}
        found.update(one for one in group for other in group if touched[other] and touched[other] < touched[one])
    return found


def inserted(old: str, new: str) -> str:
    """What a text has more than another one, in one piece; empty where it lacks something too."""
    start = next((at for at in range(len(old)) if old[at] != new[at : at + 1]), len(old))
    return new[start : len(new) - (len(old) - start)].strip() if new.endswith(old[start:]) else ""


def telling_reds(runs: Sequence[Lines]) -> float:
    """How many red tests speak for what cures them all; further ones that run the very same lines count in part."""
    ways = {repr(sorted(lines.items())) for lines in runs}
    return len(ways) + SAME_WAY * (len(runs) - len(ways))


def clustered(
    survivors: Sequence[Tuple[float, Candidate]], examined: Examined, *, crash: bool = False, reds: float = 1
) -> List[Cluster]:
    """The most likely first. A survivor's number in the exam is its place in `survivors`."""
    found: Dict[Any, Cluster] = {}
    further = _going_further(survivors, examined)
    for number, (cost, candidate) in enumerate(survivors):
        signs = examined.signs(number)
        vector = examined.vector(number, crash=crash)
        # Those that no input could be tried on, or shows, agree with nobody: nothing is known of them. What only a
        # new import can try (a wrong import, a table) has no inputs at all: there the order by cost is all there is.
        alone = ("unexamined", _by_itself(number, candidate))
        unseen = examined.unseen(number)
        cluster = found.setdefault(alone if vector is None or unseen else vector, Cluster())
        cluster.signs, cluster.number = signs, number
        strange = _strangeness(candidate, signs, crash) + FURTHER * (number in further)
        if signs is not None and not unseen:
            strange -= _withstood(candidate, signs, crash)
        cluster.members.append((cost + strange, candidate))
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
