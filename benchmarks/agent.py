"""What a conversation of 40 steps costs under three ways to keep its context, and what the harness itself takes.

The repair is scripted: the same calls on the same files (Regreen's own) for each way. Tokens are characters divided
by four. A provider's cache is simulated as Anthropic describes it: what a request has in common with an earlier one,
up to a mark, is read; what lies between that and the last mark is written; the rest is plain input.

.venv/bin/python benchmarks/agent.py
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from agentbox import Box, observed  # noqa: E402
from agenttable import Desk  # noqa: E402

from bot.engines.agent import prices, prompt  # noqa: E402
from bot.engines.agent.asker import Choice  # noqa: E402
from bot.engines.agent.engine import AgentEngine, Options  # noqa: E402
from bot.engines.agent.models.patience import Patience, Patient  # noqa: E402
from bot.engines.agent.models.protocol import Answered, Ask, Call, Turn, Usage  # noqa: E402
from bot.engines.agent.toolbox import Toolbox  # noqa: E402
from bot.engines.agent.untrusted import Fence  # noqa: E402
from bot.nouns import Failure, TestCase  # noqa: E402

STEPS = 40
OUTPUT_TOKENS = 150
FAILING = 25
PRICED = "claude-sonnet-5-5"
KEPT = 5
Piece = tuple[str, int]
"""A part of a request: its text, and 1 where a mark for the cache stands behind it."""


def contents() -> dict[str, str]:
    """Regreen's own sources, as the repository that is repaired."""
    return {str(path.relative_to(ROOT)): path.read_text() for path in sorted((ROOT / "bot").rglob("*.py"))}


def cases(number: int) -> list[TestCase]:
    """A suite whose failures have long messages, as real ones have."""
    message = "\n".join(
        f"    line {n} of the difference: expected {n * 7} and got {n * 7 + number}" for n in range(30)
    )
    return [
        TestCase(f"tests/test_a.py::test_{n}", "failed", message=f"AssertionError\n{message}") for n in range(FAILING)
    ]


def calls(paths: list[str]) -> Iterator[Call]:
    """Forty steps as a model takes them: mostly reading, some tests, a few edits."""
    big = sorted(paths, key=lambda path: -(ROOT / path).stat().st_size)[:30]
    for number in range(STEPS):
        path = big[number % len(big)]
        first = (ROOT / path).read_text().split("\n", 1)[0]
        arguments: dict[str, Any]
        match number % 5:
            case 0:
                name, arguments = "read_file", {"path": path}
            case 1:
                name, arguments = "search_code", {"pattern": r"def \w+\(self"}
            case 2:
                name, arguments = "read_file", {"path": path, "start": 20, "end": 120}
            case 3:
                name, arguments = (
                    "edit_file",
                    {"path": path, "old": first, "new": f"{first[:-3]} {number}.{first[-3:]}"},
                )
            case _:
                name, arguments = "run_tests", {}
        yield Call(f"call-{number}", name, arguments)


@dataclass(frozen=True)
class Step:
    """One call, what we answer, and what a tool without limits would."""

    call: str
    shown: str
    raw: str


def steps() -> list[Step]:
    files = contents()
    box = Box(files, Failure(tuple(cases(0)), ()))
    toolbox = Toolbox(box.tools.values(), Fence("0123456789abcdef"), box.outputs)
    found = []
    for number, call in enumerate(calls(list(files))):
        box.answers = [observed(*cases(number))]
        said = toolbox.run(call)
        shown = toolbox.answer(call, said).text
        found.append(Step(str(call.arguments), shown, raw(call, said.note + said.data, box, number)))
    return found


def raw(call: Call, said: str, box: Box, number: int) -> str:
    """The same without limits: whole files, all lines that match, all failures with their messages."""
    arguments = call.arguments or {}
    if call.name == "read_file":
        return box.tree.peek(arguments["path"])
    if call.name == "run_tests":
        return "\n".join(f"{case.id}\n{case.message}" for case in cases(number))
    if call.name == "search_code":
        return "\n".join(
            f"{path}:{line}"
            for path in box.tree.paths()
            for line in box.tree.peek(path).split("\n")
            if "(self" in line
        )
    return said


def ours(done: list[Step]) -> list[Piece]:
    pieces: list[Piece] = [(prompt.SYSTEM + "x" * 6000, 1), ("task " * 800, 1)]
    for number, step in enumerate(done):
        pieces += [(step.call, 0), (step.shown, int(number >= len(done) - 2))]
    return pieces


def everything(done: list[Step]) -> list[Piece]:
    return [(step_text, mark) for step_text, mark in ours([replace(step, shown=step.raw) for step in done])]


def last_five(done: list[Step]) -> list[Piece]:
    cut = len(done) - KEPT
    return ours([replace(step, shown="Old output: left out.") if n < cut else step for n, step in enumerate(done)])


class Cache:
    """What a provider has kept of earlier requests: texts up to their marks."""

    def __init__(self) -> None:
        self._kept: set[str] = set()

    def usage(self, pieces: list[Piece]) -> Usage:
        prefix, marks = "", []
        for text, mark in pieces:
            prefix += text
            marks += [len(prefix)] if mark else []
        # A provider looks for what it kept at each place up to which an earlier request was marked.
        read = max((len(kept) for kept in self._kept if prefix.startswith(kept)), default=0)
        written = max(0, marks[-1] - read)
        self._kept |= {prefix[:mark] for mark in marks}
        return Usage((len(prefix) - read - written) // 4, written // 4, read // 4, OUTPUT_TOKENS)


def measure(name: str, build: Callable[[list[Step]], list[Piece]], done: list[Step], *, cached: bool = True) -> None:
    row, cache = prices.price(PRICED), Cache()
    used = [cache.usage(build(done[:number])) for number in range(len(done) + 1)]
    if not cached:
        used = [Usage(usage.all_input, 0, 0, usage.output) for usage in used]
    total = sum(usage.all_input for usage in used)
    read = sum(usage.cache_read for usage in used) / total
    print(
        f"| {name} | {total / 1e6:.2f} M | {max(usage.all_input for usage in used):,} | {read:.0%} | ${sum(map(row.usd, used)):.2f} |"
    )


class Scripted:
    """A model in this process that answers at once."""

    name, provider = "scripted", "none"

    def __init__(self, script: list[Call]) -> None:
        self.script = script
        self._since: tuple[float, float] | None = None
        self.spent: list[tuple[float, float]] = []
        """Of each step: seconds on the clock, and seconds that this process was at work."""

    def answer(self, ask: Ask) -> Turn:
        if self._since is not None:
            self.spent.append((time.perf_counter() - self._since[0], time.process_time() - self._since[1]))
        answered = sum(isinstance(block, Answered) for message in ask.messages for block in message.blocks)
        done = Call("end", "finish", {"conclusion": "gave-up", "root_cause": "-"})
        call = self.script[answered] if answered < len(self.script) else done
        self._since = (time.perf_counter(), time.process_time())
        return Turn((call,), "tools", Usage(1000, 0, 0, OUTPUT_TOKENS))

    def count(self, ask: Ask) -> int | None:
        return None

    def close(self) -> None:
        pass


def harness() -> list[tuple[float, float]]:
    """Seconds of each step without the model and without the box: on the clock, and of this process alone."""
    files = contents()
    model = Scripted(list(calls(list(files))))
    failure = Failure(tuple(cases(0)), ())
    desk = Desk(contents=files, failure=failure, passes=lambda tree: False)
    choice = Choice(Patient(model, Patience()), prices.price(PRICED), window=2_000_000)
    AgentEngine(Options((choice,), attempts=1)).converse(failure, desk.table())
    return model.spent


def main() -> None:
    done = steps()
    print(f"{STEPS} steps, prices of {PRICED}\n")
    print(
        "| context policy | input tokens | largest request | read from cache | cost |\n| --- | --- | --- | --- | --- |"
    )
    measure("ours: shortened when it comes in, then only appended", ours, done)
    measure("everything appended, nothing shortened", everything, done)
    measure("the last five results, older ones left out", last_five, done)
    measure("ours, at a server without a cache", ours, done, cached=False)
    spent = harness()
    for name, seconds in (("on the clock", [wall for wall, _ in spent]), ("of its own", [own for _, own in spent])):
        ordered = sorted(seconds)
        middle, nine = statistics.median(ordered), ordered[int(len(ordered) * 0.9)]
        print(
            f"\nThe harness, milliseconds {name}: median {middle * 1000:.0f} a step, nine in ten under {nine * 1000:.0f}."
        )


if __name__ == "__main__":
    main()
