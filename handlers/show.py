"""What a person sees in a terminal: progress on stderr, results on stdout, plain lines where there is no terminal."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table

from bot import wording
from bot.escape import plain
from bot.nouns import Behaviour, Evidence, LayerRecord, Outcome, Reason
from bot.record import to_json

_STYLES = {Outcome.FIXED: "bold green", Outcome.ALREADY_GREEN: "green"}
_RESULTS = {"passed": "green", "failed": "red", "error": "red"}
_MAX_ROWS = 25
_SEARCH_LINE_S = 10.0


class Screen:
    """Writes for people. With `json` nothing but one JSON object goes to stdout; all else goes to stderr."""

    def __init__(self, *, json: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._json = json
        self._clock = clock
        self._searched = -math.inf
        self.out = Console(stderr=json, soft_wrap=not sys.stdout.isatty(), highlight=False)
        self.err = Console(stderr=True, soft_wrap=not sys.stderr.isatty(), highlight=False)
        self._started = clock()

    def progress(self, stage: str, detail: str) -> None:
        """One line about what is going on. A log is spared most of those that a search writes each second."""
        now = self._clock()
        if detail.startswith("search: ") and not self.err.is_terminal:
            if now - self._searched < _SEARCH_LINE_S:
                return
            self._searched = now
        elapsed = now - self._started
        self.err.print(f"[dim]{elapsed:6.1f} s[/dim]  [cyan]{stage:<10}[/cyan] {escape(plain(detail))}")

    def say(self, text: str) -> None:
        """A line for a person."""
        self.out.print(escape(text))

    def result(self, text: str) -> None:
        """The one JSON object."""
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def failure(self, cause: str, remedy: str, log: str = "") -> None:
        """One message that names cause and remedy, after the log it speaks of."""
        if log:
            self.log(log)
        self.err.print(f"[bold red]{escape(plain(cause))}[/bold red] {escape(plain(remedy))}")

    def log(self, text: str) -> None:
        """What a program said that failed."""
        self.err.print(f"[dim]{escape(plain(text.strip()))}[/dim]")

    def no_evidence(self, outcome: Outcome, message: str) -> None:
        """With `json`: the record of a run that never got as far as a commit."""
        if self._json:
            empty = Evidence(job="", outcome=str(outcome), repo="", base_sha="", head_sha="", message=message)
            self.result(to_json(empty))

    def evidence(self, evidence: Evidence) -> None:
        """Outcome, root cause, diff and the evidence table."""
        style = _STYLES.get(Outcome(evidence.outcome), "bold yellow")
        judged_only = evidence.verdict and not evidence.engine
        heading = evidence.verdict if judged_only else evidence.outcome
        self.out.print(f"\n[{style}]{heading}[/{style}]  {escape(plain(evidence.message))}")
        if evidence.root_cause:
            self.out.print(f"\n[bold]Root cause[/bold]  {escape(plain(evidence.root_cause))}")
        if evidence.patch:
            self.out.print()
            self.diff(evidence.patch)
        if evidence.reasons:
            self.out.print()
            self.reasons(evidence.reasons)
        self.red(evidence)
        if any(change.after for change in evidence.tests):
            self.out.print()
            self.out.print(_tests(evidence))
        self.behaviour(wording.changed(evidence))
        self.out.print()
        self.out.print(_facts(evidence))
        for note in evidence.notes:
            self.out.print(f"[dim]Note: {escape(plain(note))}[/dim]")

    def red(self, evidence: Evidence) -> None:
        """What is still red, and why, where no fix came of it."""
        shown, rest = wording.red_rows(evidence)
        if shown:
            self.out.print()
        for change in shown:
            self.out.print(f"[red]{change.before}[/red] {escape(plain(change.id))}: {escape(plain(change.error))}")
        if rest:
            self.out.print(f"… and {rest} more")

    def reasons(self, reasons: tuple[Reason, ...]) -> None:
        """Why the gate said no."""
        for reason in reasons[:_MAX_ROWS]:
            colour = "red" if reason.hard else "yellow"
            where = f" {plain(reason.path)}:" if reason.path else ""
            self.out.print(
                f"[{colour}]{reason.layer}/{reason.code}[/{colour}]{escape(where)} {escape(plain(reason.detail))}"
            )

    def behaviour(self, changed: tuple[Behaviour, ...]) -> None:
        """Inputs that no test uses and that give another result with the patch; counter-examples stand out."""
        if not changed:
            return
        table = _columns("behaviour that changed", "before", "after")
        for one in changed:
            after = escape(plain(one.after))
            table.add_row(
                escape(plain(one.call)), escape(plain(one.before)), f"[red]{after}[/red]" if one.worse else after
            )
        self.out.print()
        self.out.print(table)

    def diff(self, text: str) -> None:
        """A unified diff, in colour where there is a terminal."""
        if self.out.is_terminal:
            self.out.print(Syntax(plain(text), "diff", background_color="default", word_wrap=True))
        else:
            self.out.print(escape(plain(text)))


def _columns(*names: str) -> Table:
    """A table whose long words go on in the next line; none is cut."""
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name, overflow="fold")
    return table


def _tests(evidence: Evidence) -> Table:
    table = _columns("test", "before", "after")
    for change in evidence.tests[:_MAX_ROWS]:
        table.add_row(escape(plain(change.id)), _colour(change.before), _colour(change.after))
    rest = len(evidence.tests) - _MAX_ROWS
    if rest > 0:
        table.add_row(f"… and {rest} more", "", "")
    same = evidence.tests_total - len(evidence.tests)
    if same > 0:
        table.add_row(f"[dim]{same} other tests[/dim]", "[dim]unchanged[/dim]", "[dim]unchanged[/dim]")
    return table


def _colour(result: str) -> str:
    style = _RESULTS.get(result)
    return f"[{style}]{result}[/{style}]" if style else result


def _mark(layer: LayerRecord) -> str:
    return "n/a" if layer.unapplied else "ok" if layer.passed else "no"


def _facts(evidence: Evidence) -> Table:
    table = _columns("", "")
    table.show_header = False
    rows: list[tuple[str, str]] = [
        ("commit", evidence.base_sha[:12]),
        ("patch", evidence.patch_sha256[:16]),
        ("sandbox", evidence.sandbox),
        ("image", evidence.image.removeprefix("sha256:")[:12]),
        ("command", " ".join(evidence.commands)),
        ("gate", ", ".join(f"{layer.layer} {_mark(layer)}" for layer in evidence.layers)),
        *((f"{layer.layer} n/a", layer.unapplied) for layer in evidence.layers if layer.unapplied),
        ("engine", f"{evidence.engine}, operator {evidence.operator}" if evidence.engine else ""),
        ("tried", f"{evidence.candidates_tried:,} candidates" if evidence.candidates_tried else ""),
        ("cost", f"{evidence.tokens:,} tokens, ${evidence.cost_usd:.2f}" if evidence.tokens else ""),
        ("time", ", ".join(f"{name} {seconds:.1f} s" for name, seconds in evidence.durations_s.items() if seconds)),
        ("record", f"regreen show {evidence.job}" if evidence.job else ""),
    ]
    for name, value in rows:
        if value:
            table.add_row(f"[dim]{name}[/dim]", escape(plain(value)))
    return table
