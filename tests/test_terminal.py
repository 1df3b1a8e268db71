"""What a terminal shows, and what a local repair leaves behind: no boxes, real git, real files."""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path

import pytest
from factories import FIXED, git, make_checkout, make_evidence, patch

from bot import record
from bot.checkout import Checkout
from bot.errors import Refused
from bot.nouns import Behaviour, Evidence, LayerRecord, Outcome, TestChange
from bot.pipeline import Repair
from bot.settings import Settings
from bot.work import Means, Task, Work
from bot.workspace import unified_diff
from handlers import history, local
from handlers.show import Screen
from sandbox import Limits
from sandbox.bubblewrap import BubblewrapSandbox

CHANGE = patch({"shop/pricing.py": FIXED})


def test_a_log_gets_a_line_of_the_search_each_ten_seconds_and_all_other_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = 0.0
    screen = Screen(json=False, clock=lambda: now)
    for _ in range(41):
        screen.progress("repair", "search: 5 candidates tried")
        screen.progress("repair", "something else")
        now += 0.5
    lines = capsys.readouterr().err.splitlines()
    assert [line.split()[0] for line in lines if "search:" in line] == ["0.0", "10.0", "20.0"]
    assert sum("something else" in line for line in lines) == 41


def test_nothing_is_cut_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    name = "tests/test_of_something.py::TestWithALongName::" + "test_that_says_what_it_is_about_" * 4
    layer = LayerRecord("probe", True, changed=(Behaviour("call_" * 30, "before", "after"),))
    diff = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-x\n+" + "y = " * 60 + "1\n"
    evidence = make_evidence(tests=(TestChange(name, "failed", "passed"),), layers=(layer,), patch=diff)
    Screen(json=False).evidence(evidence)
    out = capsys.readouterr().out
    assert diff in out
    assert "…" not in out


def test_digest_of_a_patch_is_that_of_the_diff_that_is_shown(
    bubblewrap_sandbox: BubblewrapSandbox, tmp_path: Path
) -> None:
    commit = Checkout(make_checkout(tmp_path / "repo")).head(tmp_path / "git")
    work = Work(Task("t", "shop", commit), Means(bubblewrap_sandbox, {}, Limits(), search_s=1))
    evidence = record.Record(work).evidence(Outcome.FIXED, patch=CHANGE)
    assert evidence.patch == unified_diff(commit.files(), CHANGE)
    assert evidence.patch_sha256 == hashlib.sha256(evidence.patch.encode()).hexdigest()


def repaired(checkout: Checkout, scratch: Path) -> Repair:
    tree = checkout.head(scratch).tree_with(CHANGE)
    return Repair(Outcome.FIXED, make_evidence(tree=tree), CHANGE)


def test_branch_that_holds_the_same_fix_is_left_and_another_one_is_never_moved(tmp_path: Path) -> None:
    checkout = Checkout(make_checkout(tmp_path / "repo"))
    repair = repaired(checkout, tmp_path / "git")
    name = f"regreen/fix-{'c' * 12}"
    assert local.branch(checkout, repair) == (name, True)
    there = git(checkout.root, "rev-parse", name)
    assert local.branch(checkout, repair) == (name, False)
    other = dataclasses.replace(repair, evidence=dataclasses.replace(repair.evidence, tree="d" * 40))
    with pytest.raises(Refused, match="exists already"):
        local.branch(checkout, other)
    assert git(checkout.root, "rev-parse", name) == there


def test_git_is_called_for_the_checkout_from_wherever_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = Checkout(make_checkout(tmp_path / "a repo"))
    monkeypatch.chdir(tmp_path)
    assert local.git_at(checkout) == f"git -C '{checkout.root}'"
    monkeypatch.chdir(checkout.root / "shop")
    assert local.git_at(checkout) == "git"


def test_record_of_a_local_repair_is_shown_by_its_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(home=tmp_path)
    evidence: Evidence = make_evidence(job="cli:2a99dd95f22d")
    with pytest.raises(Refused, match="no evidence"):
        history.run(settings, evidence.job, Screen(json=False), transcript=False, as_json=False)
    record.keep(evidence, tmp_path)
    history.run(settings, evidence.job, Screen(json=False), transcript=False, as_json=False)
    assert capsys.readouterr().out == record.to_json(evidence) + "\n"
