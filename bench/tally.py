"""Figures over many scores, and the table that shows them."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.table import Table

from bench.score import Score
from bot.nouns import Outcome

_Z = 1.959964
"""Two-sided 95 % of the normal distribution."""


@dataclass(frozen=True)
class Rate:
    """A share, with the Wilson interval of 95 %: it stays sensible for few trials and for shares near 0 and 1.

    Trials of one task in several rounds say little more than one of them: the interval is that of as many trials
    as there are `tasks`, where that is given.
    """

    count: int
    of: int
    tasks: int | None = None

    @property
    def percent(self) -> float:
        return 100 * self.count / self.of if self.of else 0.0

    @property
    def share(self) -> str:
        """Without the interval."""
        return f"{self.count} ({self.percent:.1f} %)"

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper bound in percent; everything is possible where nothing was tried."""
        if not self.of:
            return 0.0, 100.0
        share, z2, trials = self.count / self.of, _Z * _Z, min(self.of, self.tasks or self.of)
        middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
        reach = _Z * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
        return 100 * max(0.0, middle - reach), 100 * min(1.0, middle + reach)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.count} ({self.percent:.1f} %, {low:.0f} to {high:.0f})"


@dataclass(frozen=True)
class Tally:
    """Counts over all trials; seconds of search over all trials, whatever became of them."""

    tasks: int
    resolved: int
    false_successes: int
    abstained: int
    """There is no patch: nothing is claimed."""
    median_s: float
    p90_s: float
    rejected: int = 0
    """Candidates that the gate did not accept."""
    protected: int = 0
    """Candidates that touch protected files."""
    outside: int = 0
    """Trials with a patch outside of the files that the known fix touches."""
    tokens: int = 0
    cost_usd: float = 0.0
    accepted: int = 0
    """Trials with a patch that the gate accepts."""
    to_be_left: int = 0
    """Trials in which the right answer is to leave the code alone."""
    rightly_left: int = 0
    """How many of them ended with the right reason."""
    right: int = 0
    """Trials that ended as they ought to: resolved, or left for the right reason."""
    different: int = 0
    """Tasks, however often each was tried."""
    to_be_fixed: int = 0
    """How many of them have a fault that can be mended."""

    def percent(self, count: int) -> float:
        return Rate(count, self.tasks).percent

    def rate(self, count: int) -> Rate:
        return Rate(count, self.tasks, self.different or None)

    @property
    def solved(self) -> Rate:
        """Resolved, of the trials in which there is something to mend."""
        return Rate(self.resolved, self.tasks - self.to_be_left, self.to_be_fixed or None)

    @property
    def reasons(self) -> str:
        """The share of what was left for the right reason, as a person reads it."""
        return str(Rate(self.rightly_left, self.to_be_left)) if self.to_be_left else "none asked"


def flat(rounds: Iterable[Iterable[Score]]) -> list[Score]:
    """The scores of all rounds, one after the other."""
    return [score for scores in rounds for score in scores]


def tally(scores: Iterable[Score]) -> Tally:
    known = tuple(scores)
    seconds = [score.search_s for score in known]
    return Tally(
        tasks=len(known),
        resolved=sum(score.resolved for score in known),
        false_successes=sum(score.false_success for score in known),
        abstained=sum(score.outcome != Outcome.FIXED for score in known),
        median_s=statistics.median(seconds) if seconds else 0.0,
        p90_s=_percentile(sorted(seconds), 90),
        rejected=sum(score.rejected for score in known),
        protected=sum(score.protected for score in known),
        outside=sum(bool(score.outside) for score in known),
        tokens=sum(score.tokens for score in known),
        cost_usd=sum(score.cost_usd for score in known),
        accepted=sum(score.outcome == Outcome.FIXED for score in known),
        to_be_left=sum(score.to_be_left for score in known),
        rightly_left=sum(score.to_be_left and score.rightly_left for score in known),
        right=sum(score.right for score in known),
        different=len({score.task for score in known}),
        to_be_fixed=len({score.task for score in known if not score.to_be_left}),
    )


def steady(rounds: Sequence[Sequence[Score]]) -> Rate:
    """Of the tasks with a score in every round, those with the same verdict in all of them."""
    verdicts: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for scores in rounds:
        for score in scores:
            verdicts[score.task].append((score.outcome, score.resolved))
    whole = [found for found in verdicts.values() if len(found) == len(rounds)]
    return Rate(sum(len(set(found)) == 1 for found in whole), len(whole))


def _percentile(ordered: Sequence[float], percent: float) -> float:
    """The nearest rank: a value that was really measured."""
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)] if ordered else 0.0


def kinds(scores: Iterable[Score]) -> list[tuple[str, Tally]]:
    """One for each class of fault, the weakest first."""
    known = tuple(scores)
    found = {kind: tally(one for one in known if one.kind == kind) for kind in {score.kind for score in known}}
    return sorted(found.items(), key=lambda item: (item[1].percent(item[1].right), item[0]))


def table(title: str, rounds: Sequence[Sequence[Score]]) -> Table:
    """One row for each class of fault, the weakest first, and one for all; intervals are those of 95 %."""
    known = flat(rounds)
    shown = Table(title=title, title_justify="left")
    shown.add_column("class of fault")
    for name in ("tasks", "resolved", "false", "abstained", "right reason", "median s", "p90 s"):
        shown.add_column(name, justify="right")
    for kind, row in kinds(known):
        shown.add_row(*_row(kind, row, short=True))
    shown.add_section()
    shown.add_row(*_row("all", tally(known), short=False), style="bold")
    if len(rounds) > 1:
        shown.caption = f"{len(rounds)} rounds; the same verdict in all of them: {steady(rounds)}"
    return shown


def _row(name: str, row: Tally, *, short: bool) -> tuple[str, ...]:
    rates = (row.solved, row.rate(row.false_successes), row.rate(row.abstained))
    shares = ("" if not one.of else one.share if short else _two_lines(one) for one in rates)
    reasons = f"{row.rightly_left} of {row.to_be_left}" if row.to_be_left else ""
    return (name, str(row.tasks), *shares, reasons, f"{row.median_s:.1f}", f"{row.p90_s:.1f}")


def _two_lines(rate: Rate) -> str:
    """So that no column breaks in the middle of an interval."""
    low, high = rate.interval
    return f"{rate.share}\n{low:.0f} to {high:.0f} %"
