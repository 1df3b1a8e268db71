"""Figures over many scores, and the table that shows them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.table import Table

from bench.score import Score
from bot.nouns import Outcome


@dataclass(frozen=True)
class Tally:
    """Shares in percent of all tasks; seconds of search over all tasks, whatever became of them."""

    tasks: int
    resolved: int
    false_successes: int
    abstained: int
    """There is no patch: nothing is claimed."""
    median_s: float
    p90_s: float

    def percent(self, count: int) -> float:
        return 100 * count / self.tasks if self.tasks else 0.0


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
    )


def _percentile(ordered: Sequence[float], percent: float) -> float:
    """The nearest rank: a value that was really measured."""
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)] if ordered else 0.0


def table(title: str, scores: Iterable[Score]) -> Table:
    """One row for each class of fault, the weakest first, and one for all."""
    known = tuple(scores)
    kinds = {kind: tally(one for one in known if one.kind == kind) for kind in {score.kind for score in known}}
    shown = Table(title=title, title_justify="left")
    shown.add_column("class of fault")
    for name in ("tasks", "resolved", "false", "abstained", "median s", "p90 s"):
        shown.add_column(name, justify="right")
    for kind, row in sorted(kinds.items(), key=lambda item: (item[1].percent(item[1].resolved), item[0])):
        shown.add_row(*_row(kind, row))
    shown.add_section()
    shown.add_row(*_row("all", tally(known)), style="bold")
    return shown


def _row(name: str, row: Tally) -> tuple[str, ...]:
    shares = (_share(row, count) for count in (row.resolved, row.false_successes, row.abstained))
    return (name, str(row.tasks), *shares, f"{row.median_s:.1f}", f"{row.p90_s:.1f}")


def _share(row: Tally, count: int) -> str:
    return f"{count} ({row.percent(count):.1f} %)"
