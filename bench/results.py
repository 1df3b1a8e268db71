"""docs/results.md, made of committed scores: bench/results/<suite>.jsonl and how they came about, run.json."""

from __future__ import annotations

from pathlib import Path

from bench import suites
from bench.page import Shown, load
from bench.score import Score
from bench.tally import Rate, kinds, tally

FOLDER = Path(__file__).with_suffix("")

_HEAD = """# Results

Made by `make results` from the scores in `bench/results/`, never by hand. A task is *resolved* when hidden tests
pass with the first patch that the gate accepts. A *false success* is an accepted patch that the hidden tests refuse.
Intervals are Wilson's, of 95 %.

`regreen bench` also writes a page that stands runs side by side, each task with its patch:

![Figures, charts and classes of fault of two runs, side by side](bench.png)
"""


def scores(name: str) -> dict[str, Score]:
    """The committed scores of a suite by task."""
    return {score.task: score for found in load(FOLDER).suites.get(name, []) for score in found}


def render() -> str:
    """The text of docs/results.md."""
    shown = load(FOLDER)
    return _HEAD + "".join(_suite(shown, name) for name in shown.suites)


def _suite(shown: Shown, name: str) -> str:
    found = [score for scores_ in shown.suites[name] for score in scores_]
    one, about = tally(found), shown.about
    total = len(suites.load(name).tasks)
    part = "" if len(found) >= total else f" The run covers {len(found)} of the {total} tasks."
    rows = [
        ("tasks", str(one.tasks)),
        ("resolved", str(one.solved)),
        ("false successes, of all tasks", str(one.rate(one.false_successes))),
        ("false successes, of accepted patches", str(Rate(one.false_successes, one.accepted))),
        ("abstained", str(one.rate(one.abstained))),
        *([("left for the right reason", one.reasons)] if one.to_be_left else []),
        ("candidates that the gate refused", str(one.rejected)),
        ("median search", f"{one.median_s:.1f} s"),
        ("nine in ten under", f"{one.p90_s:.1f} s"),
    ]
    classes = [
        (kind, row.tasks, row.resolved, row.false_successes, row.abstained, f"{row.median_s:.1f}")
        for kind, row in kinds(found)
    ]
    return (
        f"\n## {name}: {suites.load(name).title}\n\n"
        f"`REGREEN_SEARCH_S={about.search_s:g} regreen bench {name} --engine {','.join(about.engines)}`: "
        "search at most "
        f"{about.search_s:g} s a task, sandbox {about.sandbox}, {about.machine}, begun {about.started}.{part}\n\n"
        f"{_table(('', 'figure'), rows)}\n"
        f"{_table(('class of fault', 'tasks', 'resolved', 'false', 'abstained', 'median s'), classes)}"
    )


def _table(heads: tuple[str, ...], rows: list[tuple[str, str]] | list[tuple[str, int, int, int, int, str]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)
