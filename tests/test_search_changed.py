"""Lines that a push brought are looked at first, and only where they can be told from the rest."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from factories import git, make_checkout, write
from searchbox import FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of

from bot.checkout import Checkout
from bot.engines.contract import Workbench
from bot.engines.search.engine import SearchEngine
from bot.engines.search.inside.hints import Hints
from bot.engines.search.inside.suspects import Suspicion
from bot.engines.search.pack import MOST_CHANGED, command_for
from bot.nouns import Failure
from bot.work import Means, Task, Work
from bot.workspace import Commit
from sandbox import Limits
from sandbox.none import NoSandbox

TWICE = {
    "prices.py": """
        def net(price, rate):
            return price - rate


        def total(prices, rate):
            found = 0
            for price in prices:
                found += net(price, rate) - rate
            return found
    """,
    "tests/test_prices.py": """
        from prices import total


        def test_total():
            assert total([10, 20], 1) == 30
    """,
}


def asked(tmp_path: Path, changed: dict[str, tuple[range, ...]]) -> tuple[Failure, Workbench]:
    tree = tree_of(TWICE)
    failure = failure_of(run_suite(FolderSession(tmp_path / "before"), tree, launch_of(tree)))
    workbench = workbench_of(tree, FolderSession(tmp_path / "search"))
    return failure, dataclasses.replace(workbench, changed=changed)


def scores(changed: dict[str, set[int]]) -> dict[int, float]:
    hints = Hints([], {}, {}, {}, changed=changed)
    return Suspicion([{"a.py": [1, 5, 9]}], [{"a.py": [1, 5]}], hints).lines("a.py")


def test_new_lines_are_suspected_before_old_ones() -> None:
    plain, leaning = scores({}), scores({"a.py": {4}})
    assert plain[1] == plain[5] < plain[9]
    assert leaning[5] > plain[5]
    assert leaning[1] < plain[1]
    assert leaning[9] < plain[9]


def test_new_lines_that_no_red_test_runs_change_nothing() -> None:
    assert scores({"a.py": {40}}) == scores({"b.py": {1}}) == scores({})


def test_the_box_is_told_of_files_it_has_and_of_few_lines_only(tmp_path: Path) -> None:
    failure, workbench = asked(tmp_path, {"prices.py": (range(2, 3),), "gone.py": (range(1, 2),)})

    def told(bench: Workbench) -> object:
        return json.loads(command_for(failure, bench, cores=1).tools["search/job.json"].data)["changed"]

    assert told(workbench) == {"prices.py": [[2, 2]]}
    assert told(dataclasses.replace(workbench, changed={"prices.py": (range(1, MOST_CHANGED + 2),)})) == {}


def test_the_search_proposes_first_where_the_push_was(tmp_path: Path) -> None:
    """Two single changes cure the test: in line 2, and in line 8. The history says which of them is new."""
    for line in (2, 8):
        failure, workbench = asked(tmp_path / str(line), {"prices.py": (range(line, line + 1),)})
        proposals = SearchEngine().propose(failure, workbench)
        assert proposals.candidates, proposals.stats
        assert proposals.candidates[0].line == line


def test_history_of_the_pull_request_counts_before_that_of_the_commit(tmp_path: Path) -> None:
    folder = make_checkout(tmp_path / "repo", {"a.py": "x = 1\ny = 2\nz = 3\n"})
    for text in ("x = 1\ny = 22\nz = 3\n", "x = 1\ny = 22\nz = 33\n"):
        write(folder, {"a.py": text})
        git(folder, "commit", "-q", "-a", "-m", "Change")
    head = Checkout(folder).head(tmp_path / "scratch")
    base = Commit(head.git_dir, git(folder, "rev-parse", "HEAD~2"))
    means = Means(NoSandbox(), {}, Limits(timeout_s=10), 5)
    assert Work(Task("t", "t", head), means).changed() == {"a.py": (range(3, 4),)}
    assert Work(Task("t", "t", head, base=base), means).changed() == {"a.py": (range(2, 4),)}
