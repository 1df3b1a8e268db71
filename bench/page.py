"""One page that stands for itself: figures, charts and patches of runs, side by side. It fetches and runs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bench import charts
from bench.differences import between
from bench.run import About, read_about, rounds
from bench.score import Score
from bench.tally import Rate, flat, kinds, steady, tally

_STYLE = Path(__file__).with_name("page.css")
_TONES = ("one", "two", "three", "four")


@dataclass(frozen=True)
class Shown:
    """A run as it lies in its folder."""

    folder: Path
    about: About
    suites: dict[str, list[list[Score]]]

    @property
    def label(self) -> str:
        return self.folder.resolve().name


def load(folder: Path) -> Shown:
    """Refused for a folder that holds no run."""
    return Shown(folder, read_about(folder), rounds(folder))


def render(runs: Sequence[Shown]) -> str:
    """The page. The first run is the one that matters; the others stand beside it."""
    suites = list(dict.fromkeys(name for run in runs for name in run.suites))
    parts = "".join(_suite(name, [run for run in runs if name in run.suites]) for name in suites)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Regreen bench: {escape(', '.join(suites) or 'nothing scored')}</title>"
        f"<style>{_STYLE.read_text(encoding='utf-8')}</style></head><body><h1>Regreen bench</h1>"
        "<p>A task is resolved when hidden tests pass with the first patch that the gate accepts. A false success is "
        "an accepted patch that the hidden tests refuse, or one where the right answer is to leave the code alone; "
        "such a task is right when it ends with one of the reasons that it names. Intervals are Wilson's, of 95 %; "
        "further rounds of a task do not make them narrower.</p>"
        f"{_abouts(runs)}{parts or '<p>Nothing has a score yet.</p>'}</body></html>\n"
    )


def _abouts(runs: Sequence[Shown]) -> str:
    rows = (
        (
            run.label, ", ".join(run.about.engines), run.about.sandbox, f"{run.about.search_s:g} s",
            run.about.version, run.about.machine, run.about.started, run.about.command,
        )
        for run in runs
    )  # fmt: skip
    heads = ("run", "engines", "sandbox", "search at most", "version", "machine", "began", "command")
    return f"<h2>Runs</h2>{_table(heads, rows, 'words')}"


def _suite(name: str, runs: Sequence[Shown]) -> str:
    figures = [(run, run.suites[name]) for run in runs]
    return (
        f"<h2>{escape(name)}</h2>{_figures(figures)}{_differences(figures)}"
        f"<h3>What became of the tasks</h3>{charts.bars(_bars(figures))}"
        f"{_within(figures)}<h3>Classes of fault by what ended right, the weakest first</h3>{_classes(figures)}"
        f"<h3>Tasks</h3>{_tasks(figures)}"
    )


Figures = Sequence[tuple[Shown, list[list[Score]]]]


def _figures(figures: Figures) -> str:
    heads = (
        "run", "trials", "resolved", "false successes", "of what was accepted", "abstained",
        "left for the right reason", "refused by the gate",
        "touch protected files", "beside the known fix", "median s", "p90 s", "tokens", "USD",
        "same verdict in all rounds",
    )  # fmt: skip
    rows = []
    for run, found in figures:
        one = tally(flat(found))
        rows.append(
            (
                run.label, one.tasks, one.solved if one.solved.of else "none asked", one.rate(one.false_successes),
                Rate(one.false_successes, one.accepted), one.rate(one.abstained), one.reasons,
                one.rejected, one.protected,
                one.outside, f"{one.median_s:.1f}", f"{one.p90_s:.1f}", f"{one.tokens:,}", f"{one.cost_usd:.2f}",
                steady(found) if len(found) > 1 else "one round",
            )
        )  # fmt: skip
    return _table(heads, rows)


def _differences(figures: Figures) -> str:
    """What the first run does better and worse than each of the others, task by task."""
    (first, new), *others = figures
    if not others:
        return ""
    rows = []
    for run, old in others:
        found = between(flat(new), flat(old))
        rows.append((run.label, str(found), ", ".join(found.better) or "none", ", ".join(found.worse) or "none"))
    heads = ("against", "difference", "only or more often right now", "only or more often right then")
    return f"<h3>What {escape(first.label)} does otherwise</h3>{_table(heads, rows, 'words')}"


def _bars(figures: Figures) -> list[charts.Bar]:
    found = []
    for run, rounds_ in figures:
        one = tally(flat(rounds_))
        named = f"{run.label}: " if len(figures) > 1 else ""
        if one.solved.of:
            found.append(charts.Bar(f"{named}resolved", one.solved, "good"))
        found += [
            charts.Bar(f"{named}false", one.rate(one.false_successes), "bad"),
            charts.Bar(f"{named}abstained", one.rate(one.abstained), "calm"),
        ]
        if one.to_be_left:
            found.append(charts.Bar(f"{named}right reason", Rate(one.rightly_left, one.to_be_left), "good"))
    return found


def _within(figures: Figures) -> str:
    """Nothing for a suite in which there is nothing to mend."""
    rows = _curves(figures)
    drawn = f"<h3>Resolved within a time</h3>{charts.curves(rows, _longest(figures))}"
    return drawn if any(row.of for row in rows) else ""


def _curves(figures: Figures) -> list[charts.Curve]:
    return [
        charts.Curve(
            run.label,
            [score.search_s for score in flat(found) if score.resolved],
            sum(not score.to_be_left for score in flat(found)),
            _TONES[number % len(_TONES)],
        )
        for number, (run, found) in enumerate(figures)
    ]


def _longest(figures: Figures) -> float:
    return max((score.search_s for _, found in figures for score in flat(found)), default=1.0)


def _classes(figures: Figures) -> str:
    by_run = [dict(kinds(flat(found))) for _, found in figures]
    order = list(dict.fromkeys(kind for found in by_run for kind in found))
    rows = [
        (kind, *(str(found[kind].rate(found[kind].right)) if kind in found else "" for found in by_run))
        for kind in order
    ]
    return _table(("class", *(run.label for run, _ in figures)), rows)


def _tasks(figures: Figures) -> str:
    """One row for each task, one column for each run and round; those that did not end right come first."""
    columns = [
        (f"{run.label}{f', round {number}' if len(found) > 1 else ''}", {score.task: score for score in scores})
        for run, found in figures
        for number, scores in enumerate(found, start=1)
    ]
    names = sorted(
        {name for _, scores in columns for name in scores},
        key=lambda name: (sum(scores[name].right for _, scores in columns if name in scores), name),
    )
    head = "".join(f"<th>{escape(label)}</th>" for label, _ in columns)
    body = "".join(
        f"<tr><td>{escape(name)}</td>{''.join(_cell(scores.get(name)) for _, scores in columns)}</tr>"
        for name in names
    )
    return (
        f'<div class="scroll"><table><thead><tr><th>task</th>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _cell(score: Score | None) -> str:
    if score is None:
        return '<td class="verdict none">not scored</td>'
    word, tone = _verdict(score)
    facts = f"{word}, {score.search_s:.1f} s, {score.tried:,} tried"
    beside = f"Changed beside the known fix: {', '.join(score.outside)}" if score.outside else ""
    inner = "\n\n".join(part for part in (score.said, beside, score.patch) if part)
    more = f"<pre>{escape(inner)}</pre>" if inner else ""
    return f'<td class="verdict"><details><summary class="{tone}">{escape(facts)}</summary>{more}</details></td>'


def _verdict(score: Score) -> tuple[str, str]:
    if score.resolved:
        return "resolved", "resolved"
    if score.false_success:
        return "false success", "false"
    if score.rightly_left:
        return f"{score.outcome}, as it should", "resolved"
    wanted = f", not {' or '.join(score.expected)}" if score.to_be_left else ""
    return f"{score.outcome}{wanted}", "none"


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]], looks: str = "figures") -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    inner = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="scroll"><table class="{looks}">{inner}</table></div>'
