"""Candidates tried by swapping code, many in one fork: what fails is believed once the fork has proved sound."""

from __future__ import annotations

import json
import os
import time
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from ....engines.search.inside.clock import Clock, OutOfTime
from ....engines.search.inside.live import Live, NotExact, restore
from ..report import Reporter
from . import quick
from .child import Say
from .quick import Quick
from .swap import Swap, Units, moved
from .watch import Watch

FAILED, LATE, ALONE, SLOW = "failed", "late", "alone", "slow"
"""It fails; it takes too long; it must be run alone by the whole protocol; only the slow path can tell."""

Case = Dict[str, Any]


class Candidate(NamedTuple):
    """A change of one file that lies within one function, as far as could be seen from outside."""

    number: int
    path: str
    edit: Any
    wall_s: float


class Stage(NamedTuple):
    """What trials stand on: made once in the collected process."""

    root: str
    live: Live
    units: Units
    called: Any
    """Functions that ran while the suite was collected: changing them now is too late."""
    rewritten: Any
    """Files whose asserts pytest rewrites: code of ours would lack that."""
    reporter: Reporter
    quick: Quick
    config: Any


class Reference(NamedTuple):
    """How the wanted tests run without a change."""

    items: List[Any]
    stop: bool
    cases: List[Case]
    way: str
    """The quickest way that comes to the same as the protocol; empty when none does."""
    limits: Dict[str, float]
    """Processor seconds that each test may take."""


def exchanged(stage: Stage, candidate: Candidate) -> "tuple[Swap, Any]":
    """Put the candidate's code in place; what undoes it. Raises NotExact."""
    swap = stage.units.swap(candidate.path, candidate.edit)
    if (
        candidate.path,
        swap.unit.first_line,
        swap.unit.node.name,
    ) in stage.called or candidate.path in stage.rewritten:
        raise NotExact
    return swap, stage.live.swapped(swap.unit, swap.code)


def is_red(case: Case) -> bool:
    return case["result"] in ("failed", "error")


def fresh_scratch(config: Any) -> None:
    """pytest makes its temporary folder anew: the one that it knew may be wiped, or another child's."""
    factory = getattr(config, "_tmp_path_factory", None)
    if factory is not None:
        factory._basetemp = None


class Batch:
    """Many candidates in one child. One line for each, then one that says whether the child is sound still."""

    def __init__(self, stage: Stage, reference: Reference, say: Say) -> None:
        self._stage, self._reference, self._say = stage, reference, say
        self._clock = Clock()
        self._watch = Watch(stage.quick)
        fresh_scratch(stage.config)

    def run(self, candidates: Sequence[Candidate]) -> None:
        for candidate in candidates:
            started = time.perf_counter()
            kind, cases = self._try(candidate)
            self._tell({"n": candidate.number, "kind": kind, "cases": cases, "s": time.perf_counter() - started})
        _, cases = self._judge(None)
        self._tell({"sound": quick.same(cases, self._reference.cases)})

    def _tell(self, message: Dict[str, Any]) -> None:
        self._say(json.dumps(message).encode("ascii"))

    def _try(self, candidate: Candidate) -> "tuple[str, List[Case]]":
        try:
            swap, undo = exchanged(self._stage, candidate)
        except NotExact:
            return SLOW, []
        self._watch.start(os.path.join(self._stage.root, candidate.path))
        try:
            kind, cases = self._judge(swap)
        finally:
            restore(undo)
        return (SLOW, []) if self._watch.stop() else (kind, cases)

    def _judge(self, swap: Optional[Swap]) -> "tuple[str, List[Case]]":
        """Run the tests, up to the first failure where one is enough."""
        self._stage.live.forget()
        os.chdir(self._stage.root)
        cases: List[Case] = []
        items = self._reference.items
        for item, following in zip(items, [*items[1:], None]):  # noqa: B905 - Python 3.8 knows no `strict`
            case = self._timed(item, None if self._reference.stop else following)
            if case["result"] in (quick.LATE, quick.ODD):
                return (LATE if case["result"] == quick.LATE else ALONE), []
            if swap is not None and case["frames"]:
                case["frames"] = moved(case["frames"], swap)
            cases.append(case)
            if self._reference.stop and is_red(case):
                break
        return (FAILED if any(map(is_red, cases)) else ALONE), cases

    def _timed(self, item: Any, following: Any) -> Case:
        try:
            self._clock.arm(self._reference.limits[item.nodeid])
            return quick.run(self._stage.quick, self._reference.way, item, following)
        except OutOfTime:
            return {"result": quick.LATE}
        finally:
            self._clock.disarm()


def alone(stage: Stage, reference: Reference, candidate: Optional[Candidate], say: Say) -> None:
    """One candidate, or none, in a child of its own, with all of pytest's reports."""
    watch = Watch(stage.quick)
    fresh_scratch(stage.config)
    swap = None
    try:
        if candidate is not None:
            swap, _undo = exchanged(stage, candidate)
            watch.start(os.path.join(stage.root, candidate.path))
    except NotExact:
        say(json.dumps({"kind": SLOW}).encode())
        return
    stage.live.forget()
    os.chdir(stage.root)
    cases = protocol(stage, reference.items, stop=reference.stop, swap=swap)
    kind = SLOW if watch.stop() else FAILED
    say(json.dumps({"kind": kind, "cases": cases}).encode("ascii"))


def protocol(stage: Stage, items: Sequence[Any], *, stop: bool, swap: Optional[Swap]) -> List[Case]:
    cases = []
    for item, following in zip(items, [*items[1:], None]):  # noqa: B905 - Python 3.8 knows no `strict`
        case = quick.whole(stage.reporter, item, following)
        if swap is not None:
            case["frames"] = moved(case["frames"], swap)
        cases.append(case)
        if stop and is_red(case):
            break
    return cases


def measured(stage: Stage, items: Sequence[Any], say: Say) -> None:
    """In a child: the tests as they are, by the protocol, and the quickest way that comes to the same, twice."""
    fresh_scratch(stage.config)
    os.chdir(stage.root)
    cases = protocol(stage, items, stop=False, swap=None)
    say(json.dumps({"cases": cases}).encode("ascii"))
    for way in quick.WAYS:
        if all(quick.same(_run_all(stage, way, items), cases) for _ in range(2)):
            say(json.dumps({"way": way}).encode())
            return


def _run_all(stage: Stage, way: str, items: Sequence[Any]) -> List[Case]:
    stage.live.forget()
    return [quick.run(stage.quick, way, item, after) for item, after in zip(items, [*items[1:], None])]  # noqa: B905
