"""Stories of failures that a pull request did not bring: they are repaired on its base branch, once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from world import FAULT, World, a_world

pytestmark = pytest.mark.docker


@pytest.fixture
def world(docker_engine: None, tmp_path: Path) -> Iterator[World]:
    with a_world(tmp_path) as made:
        yield made


def innocent(world: World, branch: str) -> tuple[str, int]:
    """A pull request that is red because `main` is."""
    sha = world.hub.commit(world.repo, branch, {f"{branch}.md": b"x"}, "Topic", "ada")
    return sha, world.hub.open_pull(world.repo, branch, "main", by="ada").number


def test_base_that_fails_the_same_way_is_fixed_once_and_pull_requests_point_there(world: World) -> None:
    """Two pull requests and the base branch itself turn red by one fault."""
    shas = [innocent(world, branch)[0] for branch in ("one", "two")]
    for sha in (*shas, world.head()):
        world.hub.report_check(world.repo, sha, "tests")
    assert world.finished(world.head()).conclusion == "success"
    (fix,) = world.pulls()
    assert fix.pull is not None
    assert fix.pull.base == "main"
    for sha in shas:
        run = world.finished(sha)
        assert (run.conclusion, [button["identifier"] for button in run.actions]) == ("neutral", ["fix"])
        assert "same tests fail on the base branch" in str(run.output["title"])
        world.until(lambda run=run: f"pull request {fix.number}" in str(run.output["summary"]))
    assert len(world.ours(world.head())) == 1


def test_person_who_asks_is_pointed_to_the_base_and_may_insist(world: World) -> None:
    sha, number = innocent(world, "topic")
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    run = world.finished(sha)
    world.until(lambda: "merge it, then bring this branch up to date" in world.answer(number))
    assert len(world.pulls()) == 1
    world.hub.request_action(world.repo, run, "fix", by="ada")
    world.until(lambda: len(world.pulls()) == 2)
    assert {pull.pull.base for pull in world.pulls() if pull.pull} == {"main", "topic"}


def test_failure_that_the_pull_request_brings_itself_is_repaired_there(world: World) -> None:
    sha, number = world.topic()
    world.hub.report_check(world.repo, sha, "tests")
    assert world.finished(sha).conclusion == "success"
    (fix,) = world.pulls()
    assert fix.pull is not None
    assert fix.pull.base == "topic"
    assert world.said(number) == ""  # nobody asked


def test_branch_that_the_policy_leaves_alone_gets_no_repair_by_way_of_a_pull_request(world: World) -> None:
    world.policy("triggers: {branches: [topic]}")
    sha, _ = innocent(world, "topic")
    world.hub.report_check(world.repo, sha, "tests")
    assert world.finished(sha).conclusion == "success"
    (fix,) = world.pulls()
    assert fix.pull is not None
    assert fix.pull.base == "topic"


def test_commit_status_of_an_older_ci_is_the_same_failure(world: World) -> None:
    """Statuses and checks of one commit, of a pull request that no event names: one job, in view of its policy."""
    world.hub.create_user("ci")
    sha, number = world.topic()
    world.hub.report_status(world.repo, sha, "ci/older", "pending", by="ada")
    world.hub.report_status(world.repo, sha, "ci/older", "failure", by="ada")
    world.hub.report_status(world.repo, sha, "ci/oldest", "error", by="ada")
    world.hub.report_check(world.repo, sha, "tests")
    assert world.finished(sha).conclusion == "success"
    assert world.hub.settle()
    assert len(world.ours(sha)) == 1
    (fix,) = world.pulls()
    assert f"For #{number}." in (fix.body or "")


def test_status_of_a_draft_starts_nothing_although_it_names_no_pull_request(world: World) -> None:
    sha, _ = world.topic(draft=True)
    world.hub.report_status(world.repo, sha, "ci/older", "failure", by="ada")
    world.until(lambda: "the pull request is a draft" in world.log())
    assert world.ours(sha) == []
    assert world.hub.file_at(world.repo, "topic", "shop/pricing.py") == FAULT["shop/pricing.py"]
