"""The same commands for people: parses arguments, calls the bot, turns outcomes into exit codes."""

from __future__ import annotations

import signal
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Annotated

import typer

from bot import assemble, pipeline, settings
from bot.checkout import Checkout
from bot.errors import Refused
from bot.pipeline import Repair
from bot.record import keep, to_json
from bot.workspace import parse_diff
from handlers import images, local
from handlers.answer import EXIT, answering
from handlers.show import Screen

app = typer.Typer(
    help="Turns red CI green and proves it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(images.app, name="images")

PathArgument = Annotated[Path, typer.Argument(help="A git checkout.", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout; progress goes to stderr.")]
CheckOption = Annotated[
    str | None, typer.Option("--check", metavar="CMD", help="The failing command, e.g. 'pytest tests/unit'.")
]
SandboxOption = Annotated[
    str,
    typer.Option("--sandbox", metavar="NAME", help=f"Where code is run: {', '.join(assemble.SANDBOXES)}."),
]
KnowOption = Annotated[
    bool, typer.Option("--i-know", help="With --sandbox none: run the code as you, isolated from nothing.")
]


@app.command()
def fix(
    path: PathArgument = Path(),
    check: CheckOption = None,
    engine: Annotated[str | None, typer.Option(help="Engines in order, separated by commas: search, agent.")] = None,
    sandbox: SandboxOption = "",
    i_know: KnowOption = False,
    branch: Annotated[bool, typer.Option("--branch", help="Commit the fix on a new branch regreen/…")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Write the fix into the working tree.")] = False,
    json: JsonOption = False,
    budget_usd: Annotated[
        float | None,
        typer.Option("--budget-usd", metavar="N", help="Most that language models may cost, in dollars."),
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(min=1, metavar="S", help="Longest time for all of it, in seconds.")
    ] = None,
) -> None:
    """Repair a local checkout: print the diff, the root cause and the evidence.

    Works on the commit HEAD. Exit codes: 0 fixed and verified, 1 not fixed, 2 usage or configuration,
    3 nothing to fix, 4 cannot set up, 5 flaky, 6 interrupted.
    """
    screen = Screen(json=json)
    with answering(screen), tempfile.TemporaryDirectory() as scratch:
        checkout = Checkout(path)
        changed = checkout.uncommitted()
        if apply:
            checkout.refuse_changes()
        elif changed:
            screen.progress("note", f"{len(changed)} uncommitted changes are left out: HEAD is repaired")
        task = local.task(checkout, Path(scratch) / "git", check, name=f"cli:{checkout.sha[:12]}")
        means = local.means(
            checkout,
            screen.progress,
            settings.take(),
            engine=engine,
            sandbox=sandbox,
            i_know=i_know,
            timeout_s=timeout,
            budget_usd=budget_usd,
        )
        repair = pipeline.repair(task, means)
        _keep(screen, repair)
        if "agent" in means.engines:
            screen.progress("note", f"what the model did: regreen show {task.id} --transcript")
        if repair.patch is not None and apply:
            checkout.apply(repair.patch)
            screen.progress("apply", f"wrote {', '.join(repair.patch.files)}")
        _show(screen, repair, json=json)
        if repair.patch is not None and branch:
            _branch(screen, checkout, repair)
    raise typer.Exit(EXIT[repair.outcome])


@app.command()
def verify(
    path: PathArgument,
    patch: Annotated[Path, typer.Option("--patch", metavar="FILE", help="A unified diff; - reads standard input.")],
    check: CheckOption = None,
    sandbox: SandboxOption = "",
    i_know: KnowOption = False,
    json: JsonOption = False,
    timeout: Annotated[
        float | None, typer.Option(min=1, metavar="S", help="Longest time for all of it, in seconds.")
    ] = None,
) -> None:
    """The gate alone: is this patch, whoever wrote it, a genuine fix of HEAD's red tests?

    Exit codes: 0 accepted, 1 rejected or in need of review, 2 usage, 4 cannot set up, 5 flaky.
    """
    screen = Screen(json=json)
    with answering(screen), tempfile.TemporaryDirectory() as scratch:
        checkout = Checkout(path)
        task = local.task(checkout, Path(scratch) / "git", check, name=f"verify:{checkout.sha[:12]}")
        change = parse_diff(task.commit, _read(patch))
        means = local.means(
            checkout, screen.progress, settings.take(), sandbox=sandbox, i_know=i_know, timeout_s=timeout
        )
        verdict, repair = pipeline.verify(task, change, means)
        _keep(screen, repair)
        _show(screen, repair, json=json)
    if verdict is None:
        raise typer.Exit(EXIT[repair.outcome])
    raise typer.Exit(5 if verdict.flaky else 0 if verdict.verdict == "accepted" else 1)


@app.command()
def demo(
    trigger: Annotated[
        str, typer.Option(help="What starts the repair: check-run, issue-label or pr-comment.")
    ] = "check-run",
    json: JsonOption = False,
    keep: Annotated[Path | None, typer.Option(help="Folder for the server's data and log, kept afterwards.")] = None,
) -> None:
    """The whole way on this machine: a local GitHub, a red check, a repair, a verified pull request."""
    from handlers import demo as room  # the local GitHub is loaded only where it is used

    screen = Screen(json=json)
    with answering(screen):
        code = room.run(trigger, screen, as_json=json, keep=keep)
    raise typer.Exit(code)


@app.command()
def serve() -> None:
    """Webhook server with an embedded worker; configured by REGREEN_… variables (README, 'Configure')."""
    from handlers import serve as room  # the web stack is loaded only where it is used

    screen = Screen(json=False)
    with answering(screen):
        room.run(settings.take(), screen)


@app.command()
def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Streamable HTTP in place of standard input and output.")
    ] = False,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="With --http: where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --http; 0 takes a free one.")] = 8808,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host", metavar="NAME", help="With --http: a further name that clients call this server by."
        ),
    ] = None,
    root: Annotated[
        list[Path] | None,
        typer.Option("--root", metavar="DIR", help="Only checkouts below it, whatever the client's roots say."),
    ] = None,
    sandbox: SandboxOption = "",
) -> None:
    """The same commands as tools for other agents, over the Model Context Protocol.

    Speaks on standard input and output, or with --http at http://ADDRESS:PORT/mcp. docs/mcp.md shows how clients
    are told of it. Exit codes: 0 when the client has gone, 2 usage.
    """
    from handlers.mcp import transport as room  # loads the protocol's library

    screen = Screen(json=True)
    with answering(screen):
        values = settings.take()
        asked = room.Asked(tuple(root or ()), sandbox, host, port, tuple(allow_host or ()))
        room.over_http(values, asked, screen) if http else room.over_stdio(values, asked)


@app.command()
def bench(
    suite: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SUITE]...",
            help="starter, onefault, packages, house, traps, cheats; with --from quixbugs, humaneval, bugsinpy, "
            "swebench. `mine PATH` makes tasks of a history. None: the page.",
            show_default=False,
        ),
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option("--from", metavar="PATH", help="Your checkout of a corpus, or its JSON Lines file.")
    ] = None,
    mirrors: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of git mirrors for a corpus of commits.")
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(help="Engines in order, separated by commas; `known` and `bad:…` try the bench itself."),
    ] = None,
    sandbox: SandboxOption = "",
    i_know: KnowOption = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the run; one that exists is gone on with.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Tasks at a time.")] = 1,
    only: Annotated[str, typer.Option(metavar="GLOB", help="Only tasks whose name or class fits.")] = "",
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N tasks of a suite.")] = None,
    repeat: Annotated[int, typer.Option(min=1, metavar="N", help="Score each task so often.")] = 1,
    against: Annotated[
        list[Path] | None, typer.Option(metavar="DIR", help="An earlier run to compare with, on the page.")
    ] = None,
    at_least: Annotated[
        float, typer.Option(min=0, max=100, metavar="P", help="End with 1 when less than P percent are resolved.")
    ] = 0.0,
    sample: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="N tasks of a suite, always the same.")
    ] = None,
    no_gate: Annotated[
        bool, typer.Option("--no-gate", help="Score what the engines propose first, unjudged.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Score engines and gate on suites of tasks, judged by tests that neither of them sees.

    Writes DIR/SUITE.jsonl, a line for each task, and DIR/index.html; prints a table. Exit codes: 0 when every task
    has a score and every verdict on a cheat is right, 1 otherwise, 2 usage, 4 cannot set up, 6 interrupted: the
    same --out goes on.
    """
    from handlers import bench as room  # the suites are loaded only where they are used

    screen = Screen(json=json)
    asked = room.Asked(
        tuple(suite or ()), corpus, mirrors, engine, sandbox, i_know, out, jobs, only, limit, repeat,
        tuple(against or ()), at_least, sample, not no_gate,
    )  # fmt: skip
    with answering(screen, interrupted="Give the same --out to go on."):
        code = room.run(asked, screen, as_json=json)
    raise typer.Exit(code)


@app.command()
def doctor(
    contract: Annotated[
        bool, typer.Option("--contract", help="Also try on this machine all that a sandbox must do: some minutes.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Explain this installation: what is well, what is not, and what to do about it.

    Changes nothing. Exit codes: 0 when nothing is a problem, 1 otherwise.
    """
    from handlers import doctor as room  # asks about everything, and so loads everything

    screen = Screen(json=json)
    with answering(screen):
        code = room.run(screen, as_json=json, contract=contract)
    raise typer.Exit(code)


@app.command()
def show(
    job: Annotated[str, typer.Argument(help="Id of a job, as the evidence record and the log name it.")],
    transcript: Annotated[
        bool, typer.Option("--transcript", help="What the language model said and did, step by step.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show what came of a repair, or how a language model went about it.

    Exit codes: 0 shown, 2 there is nothing under this id.
    """
    from handlers import history as room

    screen = Screen(json=json)
    with answering(screen):
        room.run(settings.load(), job, screen, transcript=transcript, as_json=json)


def _read(patch: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(patch) == "-" else patch.read_bytes()
    except OSError as error:
        raise Refused(
            f"Cannot read the patch {patch}: {error.strerror}.", "Give the path of a unified diff."
        ) from error


def _keep(screen: Screen, repair: Repair) -> None:
    """Store the record for `regreen show`; without a place for it, it is printed all the same."""
    try:
        keep(repair.evidence, settings.take().home)
    except OSError as error:
        screen.progress("note", f"the record cannot be kept for `regreen show`: {error.strerror}")


def _branch(screen: Screen, checkout: Checkout, repair: Repair) -> None:
    """Bring the fix onto a branch. The result stands on stdout by now: what is refused here is told beside it."""
    try:
        name, new = local.branch(checkout, repair)
    except Refused as error:
        screen.failure(error.cause, error.remedy)
        raise typer.Exit(2) from error
    made = f"made {name}" if new else f"{name} holds this fix already"
    screen.progress("branch", f"{made}; look at it with: {local.git_at(checkout)} diff HEAD..{name}")


def _show(screen: Screen, repair: Repair, *, json: bool) -> None:
    if repair.log:
        screen.log(repair.log)
    if json:
        screen.result(to_json(repair.evidence))
    else:
        screen.evidence(repair.evidence)


def main() -> None:
    """Entry point of the console script."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        app()
    except Exception as error:
        # One of the three places that catch everything: one line for the person, the traceback in a file.
        with tempfile.NamedTemporaryFile("w", prefix="regreen-", suffix=".log", delete=False) as file:
            file.write(traceback.format_exc())
        Screen(json=False).failure(
            f"A bug in regreen: {type(error).__name__}.", f"Please report it with {file.name}."
        )
        sys.exit(70)


if __name__ == "__main__":
    main()
