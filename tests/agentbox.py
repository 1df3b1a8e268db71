"""An agent's toolbox over a small tree, with a test runner whose answers a test writes down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factories import SHOP, TARGET, files

from bot.engines.agent.outputs import Outputs
from bot.engines.agent.reading import Reading
from bot.engines.agent.repomap import Mapper, seeds
from bot.engines.agent.running import Running
from bot.engines.agent.tools import Said, Tool
from bot.engines.agent.tree import Tree
from bot.engines.agent.writing import Writing
from bot.engines.contract import Observed
from bot.gate.protected import EXPLANATIONS, why_protected
from bot.nouns import Failure, Frame, TestCase, TestRun

FAILURE = Failure(
    (TestCase(TARGET, "failed", message="AssertionError: assert 17 == 16.99", exception="AssertionError",
              frames=(Frame("tests/test_pricing.py", 5, "test_discount_keeps_cents"),)),),
    ("tests/test_pricing.py::test_no_discount", "tests/test_pricing.py::test_total"),
)  # fmt: skip


def protected(path: str) -> str | None:
    code = why_protected(path)
    return None if code is None else EXPLANATIONS[code]


class Box:
    """The tools by name; `answers` are what the next runs come to, `asked` which tests they were asked for."""

    def __init__(self, contents: Mapping[str, str | bytes] = SHOP, failure: Failure = FAILURE) -> None:
        self.tree = Tree(files(contents), protected)
        self.outputs = Outputs()
        self.answers: list[Observed] = []
        self.asked: list[Sequence[str] | None] = []
        mapper = Mapper(self.tree)
        self.reading = Reading(self.tree, self.outputs, mapper, seeds(failure, self.tree))
        self.running = Running(
            self.tree, self.outputs, failure, run_tests=self._run, run_check=lambda name, tree, paths: Observed(code=1, output=f"{name} {paths}"), checks=["ruff"]
        )  # fmt: skip
        made = [*self.reading.tools(), *Writing(self.tree).tools(), *self.running.tools()]
        self.tools: dict[str, Tool] = {tool.name: tool for tool in made}

    def call(self, name: str, /, **arguments: object) -> Said:
        return self.tools[name].call(arguments)

    def _run(self, tree, only) -> Observed:
        self.asked.append(only)
        return self.answers.pop(0)


def observed(*cases: TestCase, exit_code: int | None = None) -> Observed:
    red = any(case.result in ("failed", "error") for case in cases)
    return Observed(TestRun(cases, int(red) if exit_code is None else exit_code, 0.1), int(red))
