"""Faulty repositories, offline: the first proposal must hold what hidden assertions ask."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from searchbox import FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of
from searchfaults import FAULTS, Fault

from bot.engines.contract import Proposals
from bot.engines.search.engine import SearchEngine
from sandbox import Files


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


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_first_proposal_is_the_right_repair(fault: Fault, tmp_path):
    proposals = proposals_for(fault, tmp_path)
    assert proposals.candidates, proposals.stats
    first = proposals.candidates[0]
    tree = dict(tree_of(fault.files))
    for path, data in first.patch.files.items():
        tree[path] = type(tree[path])(data)
    told = [(c.operator, c.line, c.root_cause) for c in proposals.candidates]
    assert holds(tree, fault.hidden, tmp_path / "hidden"), told
    assert first.path in first.root_cause
