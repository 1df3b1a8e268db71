"""A table for the model-driven engine: a model behind real HTTP, and tests that are run by a plain interpreter here.

The projects in these tests are our own and small; what runs the code of others is tested with real boxes elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from agentbox import FAILURE, protected
from factories import SHOP, TARGET, files
from modelserver import ModelServer

from bot.engines.agent.asker import Choice
from bot.engines.agent.budget import Caps
from bot.engines.agent.engine import AgentEngine, Options
from bot.engines.agent.models.anthropic import AnthropicModel
from bot.engines.agent.models.gemini import GeminiModel
from bot.engines.agent.models.openai import OpenAIModel
from bot.engines.agent.models.patience import Patience, Patient
from bot.engines.agent.models.protocol import Access
from bot.engines.agent.prices import Price, Row
from bot.engines.contract import Observed, Proposals, Table
from bot.jobs import decode, encode
from bot.nouns import Candidate, Failure, Reason, TestCase, TestRun, Verdict
from bot.pipeline import run_directly

T = TypeVar("T")
MODELS = {"anthropic": AnthropicModel, "openai": OpenAIModel, "gemini": GeminiModel}
PRICE = Price(Row(input=3.0, output=15.0, cache_read=0.3, cache_write=3.75), "2026-10-31")
HASTE = Patience(tries=4, first_s=0.0, most_s=0.01, deadline_s=20.0)
OTHERS = ("tests/test_pricing.py::test_no_discount", "tests/test_pricing.py::test_total")


class Memory:
    """A StepRunner that remembers as the server does: as JSON. `forget_after` is where a kill strikes."""

    def __init__(self) -> None:
        self.stored: dict[str, Any] = {}
        self.names: list[str] = []
        self.die_before: str = ""

    def __call__(self, name: str, kind: type[T], act: Callable[[], T]) -> T:
        self.names.append(name)
        if name not in self.stored:
            value = encode(kind, act())
            if self.die_before == name:
                raise Killed(name)
            self.stored[name] = value
        return decode(kind, self.stored[name])


class Killed(BaseException):
    """Stands for kill -9: no handler of ours catches it."""


@dataclass
class Desk:
    """What the table does, and what happened at it."""

    contents: Mapping[str, str | bytes] = field(default_factory=lambda: SHOP)
    passes: Callable[[Mapping[str, bytes]], bool] = lambda tree: b"/ 100, 2)" in tree["shop/pricing.py"]
    """Whether the failing test passes on a tree."""
    verdicts: list[Verdict] = field(default_factory=list)
    """What the gate says, in order; accepted when the list is empty."""
    failure: Failure = FAILURE
    judged: list[Candidate] = field(default_factory=list)
    runs: int = 0
    said: list[str] = field(default_factory=list)
    budget_s: float = float("inf")
    cancelled: bool = False

    def run_suite(self, tree: Any, only: Sequence[str] | None) -> Observed:
        self.runs += 1
        good = self.passes({path: file.data for path, file in tree.items()})
        target = TestCase(TARGET, "passed") if good else self.failure.targets[0]
        cases = [target, *(TestCase(test, "passed") for test in OTHERS)]
        chosen = tuple(case for case in cases if only is None or case.id in only)
        return Observed(TestRun(chosen, int(not good), 0.1), int(not good), seconds=0.1)

    def judge(self, candidate: Candidate) -> Verdict:
        self.judged.append(candidate)
        return self.verdicts.pop(0) if self.verdicts else Verdict("accepted")

    def table(self, step: Any = run_directly) -> Table:
        return Table(
            job="repair:7:abc", tree=files(self.contents), why_protected=protected, run_suite=self.run_suite, checks={},
            judge=self.judge, step=step, budget_s=self.budget_s, progress=self.said.append, cancelled=lambda: self.cancelled,
        )  # fmt: skip


def rejected(code: str = "target-still-fails", detail: str = "it is still red") -> Verdict:
    return Verdict("rejected", (Reason("tests", code, detail),))


@contextmanager
def engine(
    *servers: ModelServer, provider: str = "anthropic", patience: Patience = HASTE, idle_s: float = 5.0, price: Price = PRICE,
    window: int = 95_000, max_tokens: int = 8000, **options: Any,
) -> Iterator[AgentEngine]:  # fmt: skip
    """An engine over one model for each server, the cheap one first."""
    with ExitStack() as stack:
        choices = []
        for number, server in enumerate(servers):
            model = MODELS[provider](f"scripted-{number}", Access("key", server.url(provider), idle_s))
            stack.callback(model.close)
            choices.append(Choice(Patient(model, patience), price, window, max_tokens))
        yield AgentEngine(Options(tuple(choices), **options))


def solve(
    server: ModelServer,
    desk: Desk | None = None,
    *,
    step: Any = run_directly,
    failure: Failure = FAILURE,
    **options: Any,
) -> Proposals:
    with engine(server, **options) as made:
        return made.converse(failure, (desk or Desk()).table(step))


def caps(**changes: Any) -> Caps:
    return replace(Caps(), **changes)


def transcript_of(folder: Path) -> Path:
    (found,) = folder.glob("*.jsonl")
    return found
