"""`python -m bench SUITE…`: scores the engines and the gate on suites, and says how they did."""

from __future__ import annotations

import dataclasses
import datetime
import random
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench import cheats, gauntlet, suites
from bench.alone import digest_alone, score_alone
from bench.score import Score, digest, score
from bench.scorebook import Scorebook
from bench.suites import Suite
from bench.tally import table
from bench.tasks import BenchTask
from bot import assemble, settings
from bot.errors import Refused
from bot.gate.layer import Options
from bot.work import Means
from sandbox import SandboxError

RUNS = Path(".regreen", "bench")

Unscored = dict[str, str]
"""Task -> why it has no score."""

SEED = 7


class Way(NamedTuple):
    """How tasks are scored, and what names a task scored that way."""

    score: Callable[[BenchTask, Means], Score]
    digest: Callable[[BenchTask, Means], str]


JUDGED, ALONE = Way(score, digest), Way(score_alone, digest_alone)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def bench(
    names: Annotated[
        list[str], typer.Argument(metavar="SUITE…", help="Folders of bench/suites; `cheats` tries the gate.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the run; one that exists is gone on with.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N tasks of a suite.")] = None,
    only: Annotated[str, typer.Option(metavar="TEXT", help="Only tasks with TEXT in their name or class.")] = "",
    parallel: Annotated[int, typer.Option(min=1, metavar="N", help="Tasks at a time.")] = 1,
    sandbox: Annotated[str, typer.Option(metavar="NAME", help="Where code is run.")] = "",
    alone: Annotated[bool, typer.Option("--no-gate", help="Score what the engines propose first, unjudged.")] = False,
    sample: Annotated[int | None, typer.Option(min=1, metavar="N", help="N tasks, always the same.")] = None,
) -> None:
    """Score engines and gate on suites; one JSON line for each task in DIR/SUITE.jsonl, a table on stdout.

    Exit codes: 0 when every task has a score and every verdict on a cheat is right, 1 otherwise, 2 usage,
    4 cannot set up, 6 interrupted.
    """
    out = out or RUNS / datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S")
    err = Console(stderr=True, highlight=False, soft_wrap=True)
    with _answering(err):
        chosen = [suites.load(name) for name in names if name != cheats.NAME]
        cancelled = threading.Event()
        means = _means(sandbox, cancelled)
        unscored: Unscored = {}
        for suite in chosen:
            picked = _picked(suite, only, limit, sample)
            book = Scorebook(out / f"{suite.name}.jsonl", Score)
            way = ALONE if alone else JUDGED
            unscored |= _run(picked, means, book, way, cancelled=cancelled, parallel=parallel, err=err)
            known = _known(picked, means, book, way)
            Console(highlight=False).print(table(f"{suite.name}: {suite.title}", known.values()))
        astray = _cheats(out, means, only=only, limit=limit, parallel=parallel) if cheats.NAME in names else ()
        for name, why in unscored.items():
            err.print(f"[bold red]no score[/bold red] {name}: {why}")
        err.print(f"[dim]scores: {out}[/dim]")
    raise typer.Exit(1 if unscored or astray else 0)


def _cheats(out: Path, means: Means, *, only: str, limit: int | None, parallel: int) -> tuple[gauntlet.Run, ...]:
    """Try the gate on cheats and look-alikes, every layer on each; the verdicts that are wrong."""
    suite = cheats.load()
    cases = [case for case in suite.cases if only in case.name or only == case.kind][:limit]
    strict = dataclasses.replace(means, gate=Options(all_layers=True))
    book = Scorebook(out / f"{cheats.NAME}.jsonl", gauntlet.Run)
    runs, shown = [], Console(highlight=False, soft_wrap=True)
    for run in gauntlet.run(cases, strict, book, parallel=parallel):
        runs.append(run)
        if not run.right:
            why = f" {run.reasons[0]}" if run.reasons else ""
            shown.print(f"{run.verdict:<12} {run.task} ({run.kind}){why}", markup=False)
    shown.print(gauntlet.table(f"{cheats.NAME}: {suite.title}", runs))
    return tuple(run for run in runs if not run.right)


def _means(sandbox: str, cancelled: threading.Event) -> Means:
    values = settings.load()
    return Means(
        sandbox=assemble.sandbox(values, sandbox),
        engines=assemble.engines(values.engines),
        limits=assemble.limits(values),
        search_s=values.search_s,
        base_image=values.base_image,
        cancelled=cancelled.is_set,
    )


def _picked(suite: Suite, only: str, limit: int | None, sample: int | None) -> tuple[BenchTask, ...]:
    found = [task for task in suite.tasks if only in task.name or only == task.kind]
    if not found:
        raise Refused(f"No task of {suite.name} has {only!r} in its name or class.", "Give another --only.")
    if sample is not None:
        random.Random(SEED).shuffle(found)  # noqa: S311  a sample is no secret
    return tuple(found[:sample][:limit])


def _known(tasks: Sequence[BenchTask], means: Means, book: Scorebook[Score], way: Way) -> dict[str, Score]:
    """Scores of these very tasks with these very means; a task that was changed has none."""
    scores = book.scores()
    digests = {task.name: way.digest(task, means) for task in tasks}
    return {name: scores[name] for name in digests if name in scores and scores[name].digest == digests[name]}


def _run(
    tasks: Sequence[BenchTask],
    means: Means,
    book: Scorebook[Score],
    way: Way,
    *,
    cancelled: threading.Event,
    parallel: int,
    err: Console,
) -> Unscored:
    """Score what has no score yet. Ctrl-C ends it; what is scored stays."""
    known = _known(tasks, means, book, way)
    unscored: Unscored = {}
    with _bar(err) as progress, ThreadPoolExecutor(parallel) as pool:
        bar = progress.add_task(book.path.stem, total=len(tasks), completed=len(known))
        waiting: dict[Future[Score], str] = {
            pool.submit(way.score, task, means): task.name for task in tasks if task.name not in known
        }
        try:
            for done in as_completed(waiting):
                try:
                    book.add(done.result())
                    progress.console.print(_line(done.result()))
                except SandboxError as error:
                    unscored[waiting[done]] = str(error)
                progress.advance(bar)
        except BaseException:
            cancelled.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return unscored


def _bar(err: Console) -> Progress:
    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*parts, console=err)


def _line(one: Score) -> str:
    word, style = ("resolved", "green") if one.resolved else ("false", "bold red") if one.false_success else ("", "")
    shown = f"[{style}]{word:<10}[/{style}]" if word else f"{one.outcome:<10}"
    by = f" by {one.operator}" if one.operator else ""
    return f"{shown} {one.search_s:6.1f} s {one.tried:>8}  {one.task} ({one.kind}){by}"


@contextmanager
def _answering(err: Console) -> Iterator[None]:
    """Every expected error ends as one line and an exit code."""
    try:
        yield
    except Refused as error:
        err.print(f"[bold red]{error.cause}[/bold red] {error.remedy}")
        raise typer.Exit(2) from error
    except SandboxError as error:
        err.print(f"[bold red]{error}[/bold red]")
        raise typer.Exit(4) from error
    except KeyboardInterrupt:
        err.print("[bold red]Interrupted.[/bold red] Give the same --out to go on.")
        raise typer.Exit(6) from None


if __name__ == "__main__":
    sys.exit(app(prog_name="python -m bench"))
