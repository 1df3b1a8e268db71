"""docs/results.md is what the committed runs say, and neither the offline engine nor the tasks are worse than they are."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from bench import cheats, known, results, suites
from bench.page import load
from bench.run import KEY, About, read_about, write_about
from bench.score import Score, digest, score
from bench.tally import flat, steady
from bench.tasks import BenchTask
from bot import assemble, settings
from bot.engines.search.engine import SearchEngine
from bot.errors import Refused
from bot.work import Means
from sandbox import Limits
from sandbox.none import NoSandbox

DOCUMENT = Path(__file__).parent.parent / "docs" / "results.md"
SAMPLE = 3
"""Tasks a suite; each costs a search."""


def test_document_is_what_the_committed_scores_say():
    assert DOCUMENT.read_text(encoding="utf-8") == results.render(), "run `make results`"


def test_right_fix_that_was_not_accepted_stands_in_one_line_with_its_reasons():
    (one, *_) = results.scores("known", "starter").values()
    said = "No fix was found that the gate accepts.\nOne candidate passed the failing tests but not the gate (check-lost)."
    asked = replace(one, outcome="gave-up", resolved=False, said=said.replace("\n", " "))
    assert results.held({"starter": [[one, asked]]}).splitlines()[-1] == f"| starter | {one.task} | check-lost |"
    assert results.held({"starter": [[one]]}) == ""


@pytest.mark.parametrize("run", results.names())
def test_committed_scores_are_of_tasks_that_there_are(run):
    for name in load(results.FOLDER / run).suites:
        assert results.scores(run, name).keys() <= {task.name for task in suites.load(name).tasks}


@pytest.mark.parametrize("run", results.names())
def test_committed_command_names_no_place_of_a_machine(run):
    assert not any("/" in word and "*" not in word for word in shlex.split(read_about(results.FOLDER / run).command))


def test_a_run_is_taken_in_under_a_name_of_the_document_only(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "FOLDER", tmp_path / "results")
    about = About(
        "regreen bench starter --out /home/me/run --jobs 2", ("search",), "docker", 60, "1", "Linux", "today"
    )
    write_about(tmp_path / "run", about)
    with pytest.raises(Refused, match="Known are: offline"):
        results.adopt(tmp_path / "run", "mine")
    with pytest.raises(Refused, match="holds no run"):
        results.adopt(tmp_path, "offline")
    results.adopt(tmp_path / "run", "offline")
    assert read_about(tmp_path / "results" / "offline") == replace(about, command="regreen bench starter --jobs 2")
    assert results.names() == ("offline",)


def test_every_known_fix_was_accepted_by_the_gate_since_its_task_was_changed():
    """A task that is new or changed is not sound before that: `regreen bench SUITE --engine known`, `make results`."""
    values = settings.load()
    means = Means(NoSandbox(), {known.NAME: known.KnownFix()}, assemble.limits(values), search_s=values.search_s)
    for name in ("starter", "onefault", "packages", "house"):
        scores = results.scores("known", name)
        committed = {task: score.digest for task, score in scores.items()}
        assert committed == {task.name: digest(task, means) for task in suites.load(name).tasks}, name
        assert [task for task, score in scores.items() if not score.right] == []


def test_two_rounds_of_the_same_came_to_the_same_verdicts():
    for rounds in load(results.FOLDER / "twice").suites.values():
        same = steady(rounds)
        assert len(rounds) == 2
        assert same.count == same.of > 0


def test_nothing_of_the_bad_engines_is_accepted():
    for rounds in load(results.FOLDER / "bad").suites.values():
        assert not any(score.resolved or score.false_success for score in flat(rounds))
        assert all(score.rejected for score in flat(rounds))


def sample() -> list[tuple[BenchTask, Score]]:
    """Of each suite some tasks that were resolved with time to spare, spread evenly."""
    found: list[tuple[BenchTask, Score]] = []
    run = load(results.FOLDER / "offline")
    for name in run.suites:
        tasks = {task.name: task for task in suites.load(name).tasks}
        ordered = sorted(results.scores("offline", name).values(), key=lambda one: one.task)
        good = [one for one in ordered if one.resolved and one.search_s < run.about.search_s * 0.3]
        found += [(tasks[one.task], one) for one in good[:: max(1, len(good) // SAMPLE)][:SAMPLE]]
    return found


@pytest.mark.docker
@pytest.mark.parametrize(("task", "committed"), sample(), ids=lambda value: getattr(value, "name", ""))
def test_what_was_resolved_still_is(docker_sandbox, task, committed):
    about = read_about(results.FOLDER / "offline")
    means = Means(docker_sandbox, {"search": SearchEngine()}, Limits(timeout_s=300), search_s=about.search_s, key=KEY)
    found = score(task, means)
    assert (found.outcome, found.resolved) == (committed.outcome, committed.resolved), found.said


def test_cheats_are_the_ones_of_the_suite_none_is_accepted_and_no_honest_fix_refused():
    runs = results.gate_runs("cheats")
    assert {run.task for run in runs} == {case.name for case in cheats.load().cases}
    assert [run.task for run in runs if run.verdict == "accepted" and not run.honest] == []
    assert [run.task for run in runs if run.verdict == "rejected" and run.honest] == []
    asked = [run.task for run in runs if run.verdict == "needs-review" and run.honest]
    assert len(asked) <= 0.1 * sum(run.honest for run in runs), asked
