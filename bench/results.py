"""docs/results.md, made of committed runs: bench/results/<run>/ holds what `regreen bench --out` wrote."""

from __future__ import annotations

import dataclasses
import re
import shlex
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench import cheats, gauntlet, suites
from bench.page import load
from bench.run import About, read_about, write_about
from bench.score import Score
from bench.scorebook import Scorebook
from bench.tally import Rate, flat, kinds, steady, tally
from bot.errors import Refused

FOLDER = Path(__file__).with_suffix("")

RUNS = {
    "offline": "The offline engine",
    "twice": "The same, twice",
    "known": "The known fixes",
    "bad": "Engines that are known to be bad",
    "cheats": "The gate alone",
}
"""Committed runs in the order of the document, with their headings."""

_ABOUT = {
    "offline": "What `regreen` repairs without a model and without a key.",
    "twice": "Two rounds of the offline engine on the same tasks: does it come to the same verdicts?",
    "known": "The known fix of each task, as if an engine had found it: is the task sound, does the gate accept it?",
    "bad": "Engines that cheat in one way each, asked in turn: nothing may be resolved, and nothing accepted.",
    "cheats": "Patches that only look like fixes, and honest ones that look like cheats. Every layer is asked.",
}

_HEAD = """# Results

Made by `make results` from the scores in `bench/results/`, never by hand; each section names the command behind it. A
task is *resolved* when hidden tests pass with the first patch that the gate accepts. A *false success* is an accepted
patch that the hidden tests refuse. Intervals are Wilson's, of 95 %.

`regreen bench` also writes a page that stands runs side by side, each task with its patch:

![Figures, charts and classes of fault of two runs, side by side](bench.png)
"""

_ELSEWHERE = {"--out", "--against"}
"""Options of a command that name places of the machine it ran on."""


def scores(run: str, suite: str) -> dict[str, Score]:
    """The committed scores of a suite in one run, by task: those of the last round."""
    return {score.task: score for found in load(FOLDER / run).suites.get(suite, []) for score in found}


def gate_runs(run: str) -> list[gauntlet.Run]:
    """What the gate said of each cheat and look-alike in a committed run: none where it has no such suite."""
    return list(Scorebook(FOLDER / run / f"{cheats.NAME}.jsonl", gauntlet.Run).scores().values())


def names() -> tuple[str, ...]:
    """The runs that are committed."""
    return tuple(name for name in RUNS if (FOLDER / name / "run.json").exists())


def adopt(folder: Path, name: str) -> None:
    """Make a run the committed one of that name. Refused for another name, or for a folder without a run."""
    if name not in RUNS:
        raise Refused(f"There is no table {name!r} in docs/results.md.", f"Known are: {', '.join(RUNS)}.")
    about, target = read_about(folder), FOLDER / name
    shutil.rmtree(target, ignore_errors=True)
    write_about(target, dataclasses.replace(about, command=portable(about.command)))
    for path in folder.glob("*.jsonl"):
        shutil.copy(path, target / path.name)


def portable(command: str) -> str:
    """A command without the places on the machine that it was given on."""
    words = iter(shlex.split(command))
    kept: list[str] = []
    for word in words:
        if word in _ELSEWHERE:
            next(words, None)
        elif word.partition("=")[0] not in _ELSEWHERE:
            kept.append(word)
    return shlex.join(kept)


def render() -> str:
    """The text of docs/results.md."""
    return _HEAD + "".join(_run(name) for name in names())


def _run(name: str) -> str:
    shown = load(FOLDER / name)
    tasks = _tasks(shown.suites) if shown.suites else ""
    asked = held(shown.suites) if name == "known" else ""
    how = _how(shown.about, searched=bool(shown.suites))
    return f"\n## {RUNS[name]}\n\n{_ABOUT[name]}\n\n{how}\n{tasks}{asked}{_gauntlet(name)}"


def _how(about: About, *, searched: bool) -> str:
    """The command, and where it ran. The limit of a search belongs to it only where an engine was asked."""
    limit = f"REGREEN_SEARCH_S={about.search_s:g} " if searched and "search" in about.engines else ""
    return (
        f"```\n{limit}{about.command}\n```\n\n"
        f"Sandbox {about.sandbox}, {about.machine}, version {about.version}, begun {about.started}.\n"
    )


def _tasks(found: dict[str, list[list[Score]]]) -> str:
    heads = (
        "suite", "tasks", "resolved", "false successes", "of what was accepted", "abstained",
        "left for the right reason", "refused by the gate", "median search", "nine in ten under",
        "same verdict in all rounds",
    )  # fmt: skip
    rows = [_row(name, rounds) for name, rounds in found.items()]
    return _table(heads, rows) + "".join(
        _astray(name, rounds) + _classes(name, rounds) for name, rounds in found.items()
    )


def _row(name: str, rounds: list[list[Score]]) -> tuple[object, ...]:
    one, total = tally(flat(rounds)), len(suites.load(name).tasks)
    part = f"{one.different}" if one.different == total else f"{one.different} of {total}"
    return (
        name, part, one.solved if one.solved.of else "none asked", one.rate(one.false_successes),
        Rate(one.false_successes, one.accepted) if one.accepted else "nothing was", one.rate(one.abstained),
        one.reasons, one.rejected, f"{one.median_s:.1f} s", f"{one.p90_s:.1f} s",
        steady(rounds) if len(rounds) > 1 else "one round",
    )  # fmt: skip


def _astray(name: str, rounds: list[list[Score]]) -> str:
    """Names what matters most: claims that are wrong."""
    wrong = sorted({score.task for score in flat(rounds) if score.false_success})
    return f"\nFalse successes in `{name}`: {', '.join(wrong)}.\n" if wrong else ""


def held(found: dict[str, list[list[Score]]]) -> str:
    """Names the right fixes that the gate does not accept."""
    scored = [(name, score) for name, rounds in found.items() for score in flat(rounds)]
    wrong = [(name, score.task, _why(score)) for name, score in scored if not score.right]
    return f"\nNot accepted, though right:\n\n{_table(('suite', 'task', 'why'), sorted(wrong))}" if wrong else ""


def _why(score: Score) -> str:
    """The codes of the gate's reasons, or what was said first."""
    first = score.said.partition("\n")[0]
    codes = re.search(r"not the gate \(([a-z, -]+)\)", first)
    return codes[1] if codes else first


def _classes(name: str, rounds: list[list[Score]]) -> str:
    heads = ("class of fault", "tasks", "right", "false", "abstained", "median s")
    rows = [
        (kind, row.tasks, row.right, row.false_successes, row.abstained, f"{row.median_s:.1f}")
        for kind, row in kinds(flat(rounds))
    ]
    title = suites.load(name).title
    return f"\n<details><summary>{name}: {title}, by class of fault</summary>\n\n{_table(heads, rows)}\n</details>\n"


def _gauntlet(name: str) -> str:
    """What the gate said of cheats and look-alikes, where the run has that suite."""
    runs = gate_runs(name)
    if not runs:
        return ""
    heads = ("layer", "cheats caught", "only by it", "honest refused", "honest asked about")
    rows = [(layer, *dataclasses.astuple(catch)) for layer, catch in gauntlet.catches(runs).items()]
    of = [(f"the {word}", _verdicts([run for run in runs if run.honest is honest])) for word, honest in _SORTS]
    wrong = [(run.task, run.verdict, run.kind) for run in sorted(runs, key=lambda run: run.task) if not run.right]
    strayed = f"\nNot as wanted:\n\n{_table(('case', 'verdict', 'kind'), wrong)}" if wrong else ""
    return f"{_table(('', *_VERDICTS, 'of'), [(word, *row) for word, row in of])}\n" + (
        f"{_table(heads, rows)}{strayed}"
    )


_SORTS = (("cheats", False), ("honest ones", True))
_VERDICTS = ("accepted", "needs-review", "rejected")


def _verdicts(runs: Sequence[gauntlet.Run]) -> tuple[int, ...]:
    return (*(sum(run.verdict == verdict for run in runs) for verdict in _VERDICTS), len(runs))


def _table(heads: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)
