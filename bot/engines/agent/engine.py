"""The model-driven engine: at most three attempts with cheap models first, each judged by the gate as it goes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.engines.agent import feedback, handover, prompt, roles, selection, transcript
from bot.engines.agent.asker import Asker, Choice
from bot.engines.agent.attempt import Attempt, Ended
from bot.engines.agent.budget import Budget, Caps, Spent
from bot.engines.agent.claim import Claims, Review, finish_tool
from bot.engines.agent.conversation import Conversation
from bot.engines.agent.grammar import Outline
from bot.engines.agent.outputs import Outputs
from bot.engines.agent.reading import Reading
from bot.engines.agent.repomap import Mapper, seeds
from bot.engines.agent.reproduce import Reproduction
from bot.engines.agent.running import Running
from bot.engines.agent.stuck import Watch
from bot.engines.agent.toolbox import Toolbox
from bot.engines.agent.transcript import Transcript
from bot.engines.agent.tree import Tree
from bot.engines.agent.untrusted import Fence
from bot.engines.agent.writing import Writing
from bot.engines.contract import Observed, Proposals, Table, TestWritten
from bot.errors import OutOfBudget
from bot.nouns import Candidate, Failure, Patch, SearchStats, TestRun, Verdict
from bot.workspace import unified_diff
from sandbox import Files

MOST_ATTEMPTS = 3
_FOR_A_TEST = 1 / 3
"""Of the limits of a repair, for a test that shows the fault, where none does."""


@dataclass(frozen=True)
class Options:
    """What an operator chooses."""

    choices: tuple[Choice, ...]
    """Models, the cheap one first; the last one gets the attempts that are left."""
    caps: Caps = field(default_factory=Caps)
    attempts: int = MOST_ATTEMPTS
    samples: int = 1
    """Accepted patches that are gathered before the best one is chosen."""
    planner: bool = False
    reviewer: bool = False
    explorers: bool = False
    transcripts: Path | None = None


class AgentEngine:
    """A Dialogue: proposes patches, hears the gate's reasons, goes on."""

    name = "agent"

    def __init__(self, options: Options) -> None:
        self._options = options

    def converse(self, failure: Failure, table: Table) -> Proposals:
        """The candidates that were judged, the best first."""
        path = self._options.transcripts
        written = Transcript(transcript.place(path, table.job) if path else None)
        # The word is drawn in a step: after a restart the same requests are built again.
        nonce = table.step("agent:nonce", str, lambda: secrets.token_hex(8))
        repair = _Repair(self._options, failure, table, Fence(nonce), written)
        return repair.run()

    def reproduce(self, told: str, table: Table) -> TestWritten:
        """A test that shows what an issue tells of, by the cheap model. It may take a third of what there is."""
        path, caps = self._options.transcripts, self._options.caps
        written = Transcript(transcript.place(path, table.job) if path else None)
        nonce = table.step("agent:reproduce:nonce", str, lambda: secrets.token_hex(8))
        budget = Budget(
            Caps(
                calls=int(caps.calls * _FOR_A_TEST),
                tokens=int(caps.tokens * _FOR_A_TEST),
                usd=caps.usd * _FOR_A_TEST,
                wall_s=min(caps.wall_s, table.budget_s) * _FOR_A_TEST,
                test_runs=int(caps.test_runs * _FOR_A_TEST),
            )
        )
        choice = self._options.choices[0]
        return Reproduction(told, table, budget, choice, fence=Fence(nonce), written=written).run()


class _Repair:
    """One repair: its attempts share a budget."""

    def __init__(self, options: Options, failure: Failure, table: Table, fence: Fence, written: Transcript) -> None:
        self._options = options
        self._failure = failure
        self._table = table
        self._fence = fence
        self._written = written
        caps = options.caps
        # Where a test was written before, a third of calls and tokens was set aside for it.
        share = _FOR_A_TEST if table.spent_usd else 0
        self._budget = Budget(
            Caps(
                calls=caps.calls - int(caps.calls * share),
                tokens=caps.tokens - int(caps.tokens * share),
                usd=max(0.0, caps.usd - table.spent_usd),
                wall_s=min(caps.wall_s, table.budget_s),
                test_runs=caps.test_runs,
            )
        )
        self._runs = 0
        self._accepted: list[Candidate] = []
        self._rejected: list[tuple[Candidate, Verdict]] = []
        self._ends: list[tuple[str, Ended]] = []
        self._missed = 0
        self._test_looks_wrong = ""
        self._outlines: dict[tuple[str, int], Outline] = {}

    def run(self) -> Proposals:
        """All attempts. When the time for the whole repair is over, what was spent is told all the same."""
        try:
            self._attempts()
        except OutOfBudget as error:
            self._ends.append(("the repair", Ended("spent", str(error))))
        return self._proposals()

    def _attempts(self) -> None:
        handed, refuted = "", list[str]()
        for number in range(min(self._options.attempts, MOST_ATTEMPTS)):
            choice = self._options.choices[min(number, len(self._options.choices) - 1)]
            if self._is_hopeless(choice):
                break
            ended, attempt = self._attempt(number + 1, choice, handed)
            self._ends.append((choice.patient.name, ended))
            refuted += attempt.claims.refuted
            if len(self._accepted) >= self._options.samples or ended.kind in (
                "spent",
                "cancelled",
                "test-looks-wrong",
            ):
                break
            handed = self._page(ended, attempt, refuted)

    def _is_hopeless(self, choice: Choice) -> bool:
        """The same model would only give the same fault again."""
        return any(name == choice.patient.name and not ended.retryable for name, ended in self._ends)

    def _attempt(self, number: int, choice: Choice, handed: str) -> tuple[Ended, Attempt]:
        name = f"agent:{number}"
        self._table.progress(f"attempt {number} with {choice.patient.name}")
        attempt = self._prepared(name, choice, handed)
        ended = attempt.run()
        if ended.kind not in ("accepted", "cancelled", "test-looks-wrong"):
            ended = self._saved(attempt, ended)
        claims = attempt.claims
        self._accepted += [candidate for candidate, verdict in claims.judged if verdict.verdict == "accepted"]
        self._rejected += [pair for pair in claims.judged if pair[1].verdict != "accepted"]
        self._test_looks_wrong = claims.test_looks_wrong or self._test_looks_wrong
        self._missed += attempt.asker.missed
        self._written.write("end", attempt=number, how=ended.kind, why=ended.why, left=self._budget.left())
        return ended, attempt

    def _prepared(self, name: str, choice: Choice, handed: str) -> Attempt:
        table, budget = self._table, self._budget
        tree, outputs = Tree(table.tree, table.why_protected), Outputs()
        mapper = Mapper(tree, self._outlines)
        found = seeds(self._failure, tree)
        running = Running(
            tree,
            outputs,
            self._failure,
            run_tests=self._run_tests,
            run_check=self._run_check,
            checks=sorted(table.checks),
        )
        asker = Asker(name, table, budget, choice, self._written)
        reading = Reading(tree, outputs, mapper, found)
        tools = [*reading.tools(), *Writing(tree).tools(), *running.tools(), finish_tool()]
        if self._options.explorers:
            helper = Asker(f"{name}:explore", table, budget, choice, self._written)
            tools.append(roles.Explorer(helper, Toolbox(reading.tools(), self._fence, outputs), self._fence).tool())
        toolbox = Toolbox(tools, self._fence, outputs)
        review = self._review(name, choice, running) if self._options.reviewer else None
        claims = Claims(tree, running, budget, table.judge, choice.patient.name, review)
        first = self._first(mapper.map(found), handed, Asker(f"{name}:plan", table, budget, choice, self._written))
        self._written.write("task", attempt=name, model=choice.patient.name, text=first)
        conversation = Conversation(prompt.SYSTEM, toolbox.specs(), first)
        return Attempt(asker, conversation, toolbox, tree, running, claims, Watch(tree.digest()), table.progress)

    def _first(self, shown_map: str, handed: str, planner: Asker) -> str:
        targets = Observed(TestRun(self._failure.targets, 1, 0.0))
        report = feedback.report(targets, {}).data

        def task(plan: str = "") -> str:
            return prompt.task(
                self._failure,
                self._fence,
                report=report,
                shown_map=shown_map,
                room=self._budget.left(),
                handed=handed,
                plan=plan,
            )

        return task(roles.plan(planner, task())) if self._options.planner else task()

    def _review(self, name: str, choice: Choice, running: Running) -> Review:
        asker = Asker(f"{name}:review", self._table, self._budget, choice, self._written)

        def review(patch: Patch) -> str:
            evidence = running.last.note if running.last else "the failing tests pass with it"
            failing = "\n".join(f"{case.id}: {case.message[:500]}" for case in self._failure.targets[:5])
            diff = unified_diff(self._table.tree, patch)
            return roles.review(asker, self._fence, failing=failing, diff=diff, evidence=evidence)

        return review

    def _run_tests(self, tree: Files, only: Sequence[str] | None) -> Observed:
        return self._observed(lambda: self._table.run_suite(tree, only))

    def _run_check(self, name: str, tree: Files, paths: Sequence[str]) -> Observed:
        return self._observed(lambda: self._table.checks[name](tree, paths))

    def _observed(self, act: Callable[[], Observed]) -> Observed:
        self._budget.may_test()
        self._runs += 1
        observed = self._table.step(f"agent:run:{self._runs}", Observed, act)
        self._budget.test_run(observed.seconds)
        return observed

    def _saved(self, attempt: Attempt, ended: Ended) -> Ended:
        """An attempt that ended may still have the repair in its tree: then the gate judges it."""
        patch, claims = attempt.tree.patch(), attempt.claims
        if not patch.files or any(candidate.patch == patch for candidate, _ in claims.judged):
            return ended
        if attempt.running.green_at != attempt.tree.digest():
            try:
                attempt.running.targets()
            except Spent:
                return ended
        if attempt.running.green_at != attempt.tree.digest():
            return ended
        cause = f"The change to {', '.join(patch.files)} turns the failing tests green; its author gave no reason."
        _, conclusion = claims.verdict(patch, cause)
        return Ended("accepted", ended.why) if conclusion == "accepted" else ended

    def _page(self, ended: Ended, attempt: Attempt, refuted: Sequence[str]) -> str:
        last = attempt.running.last
        return handover.page(
            why=ended.why or ended.kind, diff=unified_diff(self._table.tree, attempt.tree.patch()),
            red=last.red if last else (), refuted=refuted, judged=self._rejected,
        )  # fmt: skip

    def _proposals(self) -> Proposals:
        accepted = selection.best_first(self._accepted, self._table.tree)
        rest = [candidate for candidate, _ in self._rejected]
        why = self._ends[-1][1] if self._ends else Ended("no-result")
        ends = "; ".join(f"{name}: {ended.why or ended.kind}" for name, ended in self._ends)
        notes = [f"prices of {choice.patient.name} are not known; the dearest known ones were counted"
                 for choice in self._options.choices if not choice.price.known]  # fmt: skip
        if self._missed:
            notes.append(f"the provider's cache was missed {self._missed} times")
        stats = SearchStats(
            tried=len(self._accepted) + len(self._rejected), seconds=round(self._budget.seconds, 3),
            best="" if accepted else ends[:1500], tokens=self._budget.tokens, cost_usd=round(self._budget.usd, 6),
            notes=tuple(notes),
        )  # fmt: skip
        return Proposals(
            tuple(accepted or rest), stats, "" if accepted else self._test_looks_wrong,
            why.why if why.kind == "spent" and not accepted else "",
        )  # fmt: skip
