"""The tool `finish`: a model's claim to be done, which counts for nothing until the gate has judged the patch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.engines.agent.budget import Budget, Spent
from bot.engines.agent.running import Running
from bot.engines.agent.tools import Param, Said, Tool
from bot.engines.agent.tree import Tree
from bot.nouns import Candidate, Patch, Reason, Verdict

CLAIM = "finish"
MOST_CLAIMS = 3
Conclusion = Literal["accepted", "rejected", "gave-up", "test-looks-wrong"]
_CONCLUSIONS = ("fixed", "test-looks-wrong", "gave-up")

Review = Callable[[Patch], str]
"""What a reviewer has against a patch; empty where it approves."""


@dataclass
class Claims:
    """Brings an attempt's claims before the gate, and remembers what became of them."""

    tree: Tree
    running: Running
    budget: Budget
    judge: Callable[[Candidate], Verdict]
    model: str
    review: Review | None = None
    judged: list[tuple[Candidate, Verdict]] = field(default_factory=list)
    refuted: list[str] = field(default_factory=list)
    test_looks_wrong: str = ""
    _sent_back: int = 0

    def decide(self, arguments: Mapping[str, Any]) -> tuple[Said, Conclusion | None]:
        """What is said to a claim, and how the attempt ends where it ends with it."""
        self.refuted += [text[:500] for text in arguments.get("refuted") or ()]
        conclusion = arguments["conclusion"]
        if conclusion not in _CONCLUSIONS:
            return Said(f"`conclusion` is one of: {', '.join(_CONCLUSIONS)}.", error="arguments"), None
        cause = arguments["root_cause"].strip()
        if conclusion == "gave-up":
            return Said(f"The model gave up: {cause[:500]}"), "gave-up"
        if conclusion == "test-looks-wrong":
            self.test_looks_wrong = cause[:2000]
            return Said("The attempt ends here."), "test-looks-wrong"
        return self._fixed(cause)

    def _fixed(self, cause: str) -> tuple[Said, Conclusion | None]:
        patch = self.tree.patch()
        if not patch.files:
            return Said(
                "Nothing has been changed, so nothing can be fixed. Make an edit first.", error="no-edit"
            ), None
        red = self._still_red()
        if red is not None:
            return red, None
        objection = self.review(patch) if self.review and self._sent_back == 0 else ""
        if objection:
            self._sent_back += 1
            return Said("A reviewer sends the change back.", objection, "review", error="review"), None
        return self.verdict(patch, cause)

    def verdict(self, patch: Patch, cause: str) -> tuple[Said, Conclusion | None]:
        """Let the gate judge a patch."""
        candidate = Candidate(patch, "agent", self.model, cause[:2000], next(iter(patch.files)))
        verdict = self.judge(candidate)
        self.judged.append((candidate, verdict))
        self.budget.waited(sum(layer.seconds for layer in verdict.layers))
        if verdict.verdict == "accepted":
            return Said("The gate accepts the patch."), "accepted"
        said = Said(
            "The gate does not accept the patch. Its reasons are below; repair what they name, and claim again.",
            "\n".join(_reason(reason) for reason in verdict.reasons[:20]), "reasons of the gate", error="rejected",
        )  # fmt: skip
        return said, "rejected" if len(self.judged) >= MOST_CLAIMS else None

    def _still_red(self) -> Said | None:
        """The failing tests have to pass here before the gate is troubled."""
        if self.running.green_at == self.tree.digest():
            return None
        try:
            report = self.running.targets()
        except Spent:
            return None  # no run is left for this; the gate's own runs are not counted
        if self.running.green_at == self.tree.digest():
            return None
        return Said(
            f"Not yet: the failing tests do not pass. {report.note}", report.data, "results of tests", error="red"
        )


def finish_tool() -> Tool:
    """How `finish` is told to a model; what it does is decided by Claims."""
    return Tool(
        CLAIM, "Say that you are done. The patch is then judged; a refusal comes with its reasons.",
        (
            Param("conclusion", "string", f"One of: {', '.join(_CONCLUSIONS)}.", "fixed"),
            Param("root_cause", "string", "One or two sentences for a maintainer: what was wrong, and why.",
                  "`round(x)` drops the cents."),
            Param("explanation", "string", "How it removes the cause.", "It rounds to two digits.", required=False),
            Param("refuted", "strings", "Causes that you ruled out, and why.", ["…"], required=False),
        ),
        lambda arguments: Said("noted"),
    )  # fmt: skip


def _reason(reason: Reason) -> str:
    where = f" {reason.path}:" if reason.path else ""
    return f"{reason.layer}/{reason.code}:{where} {reason.detail}"
