"""One repair with engines whose answers are known: what comes out where the gate does not simply accept."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from factories import FIXED, SHOP, make_checkout, patch

from bot import pipeline, work
from bot.checkout import Checkout
from bot.engines.contract import Proposals, Workbench
from bot.nouns import Candidate, Failure, Outcome, Patch, SearchStats
from bot.work import Means, Task
from sandbox import Limits
from sandbox.bubblewrap import BubblewrapSandbox


class Proposes:
    """An engine with one answer."""

    name = "proposes"

    def __init__(self, answer: Patch) -> None:
        self._answer = answer

    def propose(self, failure: Failure, workbench: Workbench) -> Proposals:
        return Proposals((Candidate(self._answer, self.name, "known", "Because."),), SearchStats(tried=1))


DOUBTFUL = FIXED.replace(
    "    return sum(prices)", "    try:\n        return sum(prices)\n    except Exception:\n        pass"
)
WRONG = SHOP["shop/pricing.py"].replace("/ 100)", "/ 100, 1)")


@pytest.mark.parametrize(
    ("text", "outcome", "shown"),
    [(FIXED, Outcome.FIXED, False), (DOUBTFUL, Outcome.GAVE_UP, True), (WRONG, Outcome.GAVE_UP, False)],
    ids=["accepted", "needs review", "rejected"],
)
def test_what_only_a_person_can_judge_is_shown_and_not_published(
    bubblewrap_sandbox: BubblewrapSandbox, tmp_path: Path, text: str, outcome: Outcome, shown: bool
) -> None:
    commit = Checkout(make_checkout(tmp_path / "repo")).head(tmp_path / "git")
    engine = Proposes(patch({"shop/pricing.py": text}))
    means = Means(bubblewrap_sandbox, {"proposes": engine}, Limits(timeout_s=120), search_s=5)
    repair = pipeline.repair(Task("t", "ada/shop", commit), means)
    assert repair.outcome is outcome, repair.evidence.message
    assert (repair.patch is not None) is (outcome is Outcome.FIXED)
    assert ("One of them only a person can judge" in repair.evidence.message) is shown
    assert ("+    except Exception:" in repair.evidence.message) is shown


HANGS = SHOP["shop/pricing.py"].replace("    return round", "    while percent:\n        pass\n    return round")


def test_patch_that_hangs_is_stopped_by_what_the_untouched_suite_took(
    bubblewrap_sandbox: BubblewrapSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by the time limit of any suite, which would be longer than this test may take."""
    monkeypatch.setattr(work, "_PATIENCE_S", 1.0)
    commit = Checkout(make_checkout(tmp_path / "repo")).head(tmp_path / "git")
    means = Means(bubblewrap_sandbox, {}, Limits(timeout_s=86_400), search_s=5)
    verdict, _ = pipeline.verify(Task("t", "ada/shop", commit), patch({"shop/pricing.py": HANGS}), means)
    assert verdict is not None
    assert [reason.code for reason in verdict.reasons] == ["timed-out"]


class Searches:
    """An engine that finds nothing in all the time that it has."""

    name = "search"

    def propose(self, failure: Failure, workbench: Workbench) -> Proposals:
        time.sleep(workbench.budget_s)
        return Proposals((), SearchStats(tried=1))


def test_limit_that_ended_the_search_is_named(bubblewrap_sandbox: BubblewrapSandbox, tmp_path: Path) -> None:
    commit = Checkout(make_checkout(tmp_path / "repo")).head(tmp_path / "git")
    until = time.monotonic() + 10
    means = Means(bubblewrap_sandbox, {"search": Searches()}, Limits(timeout_s=120), search_s=600, until=until)
    repair = pipeline.repair(Task("t", "ada/shop", commit), means)
    assert repair.outcome is Outcome.OVER_BUDGET
    assert "The time for this repair is over (`--timeout`)" in repair.evidence.message
