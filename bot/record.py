"""The evidence record: what a repair learned, put together as it goes, and written as JSON."""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

from bot import symptoms, wording
from bot.nouns import Candidate, Evidence, Outcome, Patch, SearchStats, TestChange, Verdict
from bot.work import Judged, Prepared, Proposed, Reproduced, Shared, Work
from bot.workspace import unified_diff

_STILL_RED = {Outcome.GAVE_UP, Outcome.OVER_BUDGET, Outcome.TEST_LOOKS_WRONG, Outcome.CANNOT_SET_UP}


@dataclass
class Record:
    """What has been learned so far."""

    work: Work
    prepared: Prepared = field(default_factory=Prepared)
    reproduced: Reproduced = field(default_factory=Reproduced)
    shared: Shared = field(default_factory=Shared)
    stats: dict[str, SearchStats] = field(default_factory=dict)
    rejected: list[tuple[Candidate, Verdict]] = field(default_factory=list)
    repair_s: float = 0.0
    verify_s: float = 0.0
    attempts: int = 0

    def proposed(self, engine: str, proposed: Proposed) -> None:
        """Note what an engine tried."""
        self.repair_s += proposed.seconds
        self.stats[engine] = proposed.proposals.stats

    def judged(self, candidate: Candidate, judged: Judged) -> None:
        """Note a verdict of the gate."""
        self.attempts += 1
        self.verify_s += judged.seconds
        if judged.verdict.verdict != "accepted":
            self.rejected.append((candidate, judged.verdict))

    def evidence(
        self,
        outcome: Outcome,
        message: str = "",
        *,
        patch: Patch | None = None,
        verdict: Verdict | None = None,
        candidate: Candidate | None = None,
    ) -> Evidence:
        """The record as it stands. The tree's hash is there only for a patch that was accepted."""
        commit = self.work.task.commit
        judged = verdict or Verdict("rejected")
        diff = unified_diff(self.work.tree, patch) if patch else ""
        proven = patch is not None and judged.verdict == "accepted"
        return Evidence(
            job=self.work.task.id,
            outcome=str(outcome),
            repo=self.work.task.repo,
            base_sha=commit.sha,
            head_sha=commit.sha,
            tree=commit.tree_with(patch) if patch is not None and proven else "",
            patch=diff,
            patch_sha256=hashlib.sha256(diff.encode()).hexdigest() if patch else "",
            sandbox=self.work.means.sandbox.name,
            image=self.prepared.image,
            commands=(" ".join(("pytest", *self.work.task.pytest_args)),),
            engine=candidate.engine if candidate else "",
            operator=candidate.operator if candidate else "",
            root_cause=candidate.root_cause if candidate else "",
            verdict=verdict.verdict if verdict else "",
            reasons=judged.reasons,
            layers=judged.layers,
            tests=judged.tests if verdict else self._red(outcome),
            tests_total=judged.tests_total,
            attempts=self.attempts,
            candidates_tried=sum(stats.tried for stats in self.stats.values()),
            tokens=sum(stats.tokens for stats in self.stats.values()),
            cost_usd=round(sum(stats.cost_usd for stats in self.stats.values()), 6),
            durations_s=self._durations(),
            versions={"regreen": version("regreen"), "python": platform.python_version()},
            notes=self._notes(),
            message=message or wording.sentence(outcome),
        )

    def _red(self, outcome: Outcome) -> tuple[TestChange, ...]:
        """What is red, for a repair that did not come about."""
        baseline = self.reproduced.baseline
        return symptoms.rows(baseline.targets) if baseline is not None and outcome in _STILL_RED else ()

    def _durations(self) -> dict[str, float]:
        spent = {
            "prepare": self.prepared.seconds,
            "reproduce": self.reproduced.seconds + self.shared.seconds,
            "repair": self.repair_s,
            "verify": self.verify_s,
        }
        return {name: round(seconds, 3) for name, seconds in spent.items()}

    def _notes(self) -> tuple[str, ...]:
        baseline = self.reproduced.baseline
        notes = [*self.prepared.notes, *(note for stats in self.stats.values() for note in stats.notes)]
        if baseline is not None and baseline.network:
            notes.append(f"{len(baseline.network)} tests want a network and were not counted")
        if baseline is not None and baseline.unstable:
            notes.append(f"{len(baseline.unstable)} tests gave different results twice and were not counted")
        if self.shared.tests:
            notes.append(f"of the failing tests, {len(self.shared.tests)} fail on the base branch too")
        return tuple(notes)


def to_json(evidence: Evidence) -> str:
    """The evidence record as one JSON object."""
    return json.dumps(asdict(evidence), indent=2, ensure_ascii=False)


def place(home: Path, job: str) -> Path:
    """Where the evidence of a job lies."""
    name = "".join(char if char.isalnum() else "-" for char in job)
    return home / "evidence" / f"{name}.json"


def keep(evidence: Evidence, home: Path) -> None:
    """Store the evidence beside the database. A crash leaves the old file or the new one, never half of one."""
    path = place(home, evidence.job)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(to_json(evidence))
    fresh.replace(path)
