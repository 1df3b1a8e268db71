"""docs/results.md is what the committed scores say, and the offline engine is not worse than they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import results, suites
from bench.page import load
from bench.score import Score, score
from bench.tasks import BenchTask
from bot.engines.search.engine import SearchEngine
from bot.work import Means
from sandbox import Limits

DOCUMENT = Path(__file__).parent.parent / "docs" / "results.md"
SAMPLE = 3
"""Tasks a suite; each costs a search."""


def test_document_is_what_the_committed_scores_say():
    assert DOCUMENT.read_text(encoding="utf-8") == results.render(), "run `make results`"


def test_committed_scores_are_of_tasks_that_there_are():
    for name in load(results.FOLDER).suites:
        assert results.scores(name).keys() <= {task.name for task in suites.load(name).tasks}


def sample() -> list[tuple[BenchTask, Score]]:
    """Of each suite some tasks that were resolved with time to spare, spread evenly."""
    found: list[tuple[BenchTask, Score]] = []
    for name in load(results.FOLDER).suites:
        tasks = {task.name: task for task in suites.load(name).tasks}
        limit = load(results.FOLDER).about.search_s * 0.6
        known = sorted(results.scores(name).values(), key=lambda one: one.task)
        good = [one for one in known if one.resolved and one.search_s < limit]
        found += [(tasks[one.task], one) for one in good[:: max(1, len(good) // SAMPLE)][:SAMPLE]]
    return found


@pytest.mark.docker
@pytest.mark.parametrize(("task", "committed"), sample(), ids=lambda value: getattr(value, "name", ""))
def test_what_was_resolved_still_is(docker_sandbox, task, committed):
    about = load(results.FOLDER).about
    means = Means(docker_sandbox, {"search": SearchEngine()}, Limits(timeout_s=300), search_s=about.search_s)
    found = score(task, means)
    assert (found.outcome, found.resolved) == (committed.outcome, committed.resolved), found.said
