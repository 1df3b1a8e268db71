"""`regreen bench`: scores engines and gate on suites, shows progress, tables and one page."""

from __future__ import annotations

import dataclasses
import datetime
import json as json_lib
import os
import platform
import shlex
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from bench import bad, cheats, gauntlet, known, page, suites
from bench import run as runs
from bench.corpora import READERS
from bench.readers.place import Place
from bench.scorebook import Scorebook
from bench.suites import Suite
from bench.tally import flat, table, tally
from bot import assemble, settings
from bot.engines.contract import Dialogue, Engine
from bot.errors import Refused
from bot.gate.layer import Options
from bot.work import Means
from handlers import mine as mining
from handlers.show import Screen

RUNS = Path(".regreen", "bench")

MINE = "mine"
"""No suite: `bench mine PATH` makes one out of a repository's history."""

_PLAIN_COLUMNS = 118
"""Width of a table that goes into a file or a pipe."""


@dataclass(frozen=True)
class Asked:
    """What a user typed."""

    names: tuple[str, ...]
    corpus: Path | None = None
    mirrors: Path | None = None
    engine: str | None = None
    sandbox: str = ""
    i_know: bool = False
    out: Path | None = None
    jobs: int = 1
    only: str = ""
    limit: int | None = None
    repeat: int = 1
    against: tuple[Path, ...] = ()
    at_least: float = 0.0
    sample: int | None = None
    gate: bool = True
    """False: score what the engines propose first."""


def run(asked: Asked, screen: Screen, *, as_json: bool) -> int:
    """Score, show, and return the exit code: 1 for a missing score, too few resolved, or a cheat got through."""
    out = asked.out or RUNS / datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S")
    unscored: list[str] = []
    astray = 0
    if asked.names[:1] == (MINE,):
        return _mine(asked, screen, as_json=as_json)
    if asked.names:
        cancelled = threading.Event()
        chosen = [_suite(name, asked) for name in asked.names if name != cheats.NAME]
        means = _means(asked, cancelled)
        unscored = _score(asked, chosen, out, means, screen, cancelled)
        astray = _cheats(asked, out, means, screen) if cheats.NAME in asked.names else 0
    elif asked.out is None:
        raise Refused("No suite is named.", f"Known are: {', '.join(_known_names())}.")
    shown = [page.load(folder) for folder in dict.fromkeys((out, *asked.against))]
    (out / "index.html").write_text(page.render(shown), encoding="utf-8")
    _show(shown[0], screen, as_json=as_json)
    for line in unscored:
        screen.failure("no score", line)
    screen.err.print(f"[dim]scores: {escape(str(out))}, page: {escape(str(out / 'index.html'))}[/dim]")
    below = _below(shown[0], asked.at_least)
    for line in below:
        screen.failure("Too few are resolved.", line)
    return 1 if unscored or below or astray else 0


def _mine(asked: Asked, screen: Screen, *, as_json: bool) -> int:
    if len(asked.names) != 2:
        raise Refused(f"`bench {MINE}` takes one path.", f"Give a git checkout: regreen bench {MINE} PATH.")
    means = _means(asked, threading.Event())
    return mining.run(Path(asked.names[1]), asked.out, means, screen, limit=asked.limit, as_json=as_json)


def _below(shown: page.Shown, percent: float) -> list[str]:
    """A line for each suite of which a smaller share is resolved, or left alone for the right reason."""
    found = {name: tally(flat(rounds)) for name, rounds in shown.suites.items()}
    return [
        f"{name}: {one.rate(one.right)}, and at least {percent:g} % should be."
        for name, one in found.items()
        if one.percent(one.right) < percent
    ]


def _cheats(asked: Asked, out: Path, means: Means, screen: Screen) -> int:
    """Try the gate on cheats and look-alikes, every layer on each. Returns how many verdicts are wrong."""
    suite = cheats.load()
    cases = [case for case in suite.cases if runs.fits(asked.only, case.name, case.kind)][: asked.limit]
    strict = dataclasses.replace(means, gate=Options(all_layers=True))
    book = Scorebook(out / f"{cheats.NAME}.jsonl", gauntlet.Run)
    found = []
    for run_ in gauntlet.run(cases, strict, book, parallel=asked.jobs):
        found.append(run_)
        if not run_.right:
            why = f" {run_.reasons[0]}" if run_.reasons else ""
            screen.say(f"{run_.verdict:<12} {run_.task} ({run_.kind}){why}")
    screen.out.print(gauntlet.table(f"{cheats.NAME}: {suite.title}", found))
    return sum(not run_.right for run_ in found)


def _known_names() -> tuple[str, ...]:
    return (*suites.names(), cheats.NAME, *READERS)


def _score(
    asked: Asked, chosen: Sequence[Suite], out: Path, means: Means, screen: Screen, cancelled: threading.Event
) -> list[str]:
    """Run all suites. Returns a line for each task without a score."""
    picked = {suite.name: runs.picked(suite, asked.only, asked.limit, asked.sample) for suite in chosen}
    runs.write_about(out, _about(means))
    unscored: list[str] = []
    way = runs.JUDGED if asked.gate else runs.ALONE
    for suite in chosen:
        for note in suite.notes:
            screen.err.print(f"[dim]note: {escape(note)}[/dim]")
        trials = runs.trials(suite.name, picked[suite.name], out, asked.repeat)
        scored = {id(trial) for trial, _ in runs.known(trials, means, way)}
        left = [trial for trial in trials if id(trial) not in scored]
        with _bar(screen.err) as progress:
            bar = progress.add_task(suite.name, total=len(trials), completed=len(scored))
            for done in runs.run(left, means, jobs=asked.jobs, cancelled=cancelled, way=way):
                progress.console.print(_line(done))
                progress.advance(bar)
                if done.score is None:
                    unscored.append(f"{done.trial.task.name}: {done.why}")
    return unscored


def _suite(name: str, asked: Asked) -> Suite:
    """A suite of ours, or a corpus that the user brings. Refused for an unknown name."""
    if name in READERS:
        if asked.corpus is None:
            raise Refused(f"{name} does not come with Regreen.", "Name your checkout of it with --from PATH.")
        return READERS[name](Place(asked.corpus, asked.mirrors, lambda task: runs.fits(asked.only, task)))
    if name not in suites.names():
        raise Refused(f"There is no suite {name!r}.", f"Known are: {', '.join(_known_names())}.")
    if asked.corpus is not None and not READERS.keys() & set(asked.names):
        raise Refused(f"The suite {name} comes with Regreen, and --from has nothing to say.", "Leave it out.")
    return suites.load(name)


def _means(asked: Asked, cancelled: threading.Event) -> Means:
    values = settings.take()
    return Means(
        sandbox=assemble.sandbox(values, asked.sandbox, without_isolation=asked.i_know),
        engines=_engines(asked.engine or values.engines, values),
        limits=assemble.limits(values),
        search_s=values.search_s,
        base_image=values.base_image,
        cancelled=cancelled.is_set,
        key=runs.KEY,
    )


def _engines(names: str, values: settings.Settings) -> dict[str, Engine | Dialogue]:
    """Engines in order; those that are known to be bad have names of their own. Refused for an unknown one."""
    found: dict[str, Engine | Dialogue] = {}
    for name in filter(None, (part.strip() for part in names.split(","))):
        if name == known.NAME:
            found[name] = known.KnownFix()
        elif name in bad.NAMES:
            found[name] = bad.engine(name)
        elif name.startswith("bad:"):
            raise Refused(f"There is no bad engine {name!r}.", f"Known are: {', '.join(bad.NAMES)}.")
        else:
            found |= assemble.engines(name, values)
    return found or assemble.engines(names, values)


def _about(means: Means) -> runs.About:
    load = f"{len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.0f} at the start"
    return runs.About(
        command=shlex.join(["regreen", *sys.argv[1:]]),
        engines=tuple(means.engines),
        sandbox=means.sandbox.name,
        search_s=means.search_s,
        version=version("regreen"),
        machine=f"{platform.system()} {platform.machine()}, {load}",
        started=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    )


def _show(shown: page.Shown, screen: Screen, *, as_json: bool) -> None:
    if as_json:
        sums = {name: asdict(tally(flat(rounds))) for name, rounds in shown.suites.items()}
        screen.result(json_lib.dumps({"out": str(shown.folder), "suites": sums}, indent=2))
        return
    for name, rounds in shown.suites.items():
        title = suites.load(name).title if name in suites.names() else name
        figures = table(f"{name}: {title}", rounds)
        figures.width = None if screen.out.is_terminal else _PLAIN_COLUMNS
        screen.out.print(figures)


def _bar(err: Console) -> Progress:
    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*parts, TimeRemainingColumn(), console=err)


def _line(done: runs.Done) -> str:
    one = done.score
    if one is None:
        return f"[bold red]{'no score':<10}[/bold red] {escape(done.trial.task.name)}"
    word, style = ("resolved", "green") if one.resolved else ("false", "bold red") if one.false_success else ("", "")
    if one.rightly_left:
        word, style = one.outcome, "green"
    shown = f"[{style}]{word:<10}[/{style}]" if word else f"{one.outcome:<10}"
    by = f" by {one.operator}" if one.operator else ""
    again = f" round {done.trial.round}" if done.trial.round > 1 else ""
    return f"{shown} {one.search_s:6.1f} s {one.tried:>8}  {escape(f'{one.task} ({one.kind}){by}{again}')}"
