"""Faulty repositories, offline: the first proposal must hold what hidden assertions ask."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from searchbox import FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of
from searchfaults import FAULTS, Fault
from searchpackage import PACKAGE_FAULTS
from searchplanner import PLANNER_FAULTS

from bot.engines.contract import Proposals
from bot.engines.search.engine import SearchEngine
from bot.nouns import Candidate
from sandbox import File, Files


def proposals_for(fault: Fault, folder: Path, budget_s: float = 30.0) -> Proposals:
    tree = tree_of(fault.files)
    before = FolderSession(folder / "before")
    failure = failure_of(run_suite(before, tree, launch_of(tree, args=fault.args)))
    assert failure.targets, before.output.decode()
    session = FolderSession(folder / "search")
    workbench = workbench_of(tree, session, budget_s=budget_s, args=fault.args)
    return SearchEngine().propose(failure, workbench)


def holds(tree: Files, hidden: str, folder: Path) -> bool:
    """Run hidden assertions on a tree, in a process of their own."""
    for path, file in tree.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)
    script = f"import sys; sys.path[:0] = [{str(folder)!r}, {str(folder / 'src')!r}]\n" + dedent(hidden)
    ran = subprocess.run(
        [sys.executable, "-B", "-c", script], cwd=folder, timeout=20, capture_output=True, check=False
    )
    return ran.returncode == 0


def with_patch(fault: Fault, candidate: Candidate) -> Files:
    tree = dict(tree_of(fault.files))
    for path, data in candidate.patch.files.items():
        assert data is not None
        tree[path] = File(data)
    return tree


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_first_proposal_is_the_right_repair(fault: Fault, tmp_path):
    proposals = proposals_for(fault, tmp_path)
    assert proposals.candidates, proposals.stats
    first = proposals.candidates[0]
    told = [(c.operator, c.line, c.root_cause) for c in proposals.candidates]
    assert holds(with_patch(fault, first), fault.hidden, tmp_path / "hidden"), told
    assert first.path in first.root_cause


@pytest.mark.parametrize("faults", [PACKAGE_FAULTS[::4], PLANNER_FAULTS[::4]], ids=["library", "planner"])
def test_most_faults_of_a_package_are_repaired_and_few_wrongly(faults: list[Fault], tmp_path):
    """Some faults are out of reach of one edit; what is proposed first must nearly always be right."""
    right, wrong = [], []
    for fault in faults:
        proposals = proposals_for(fault, tmp_path / fault.name)
        if proposals.candidates:
            good = holds(with_patch(fault, proposals.candidates[0]), fault.hidden, tmp_path / fault.name / "hidden")
            (right if good else wrong).append(fault.name)
    assert len(right) >= 0.8 * len(faults), (right, wrong)
    assert len(wrong) <= 0.1 * len(faults), wrong
