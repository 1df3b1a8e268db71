"""Stories of verified patches: where they go by the policy, and what happens when the branch moves meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import FIXED
from world import FAULT, World, a_world

pytestmark = pytest.mark.docker


@pytest.fixture
def world(docker_engine: None, tmp_path: Path) -> Iterator[World]:
    with a_world(tmp_path) as made:
        yield made


def content(world: World, ref: str) -> str:
    found = world.hub.file_at(world.repo, ref, "shop/pricing.py")
    assert found is not None
    return found.decode()


def test_fix_that_holds_on_the_new_head_is_proven_again_there_and_published(world: World) -> None:
    """New commits come while the repair runs: nothing is lost, and nothing is published unproven."""
    sha, number = world.topic()
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    world.begun(sha)
    later = world.hub.commit(world.repo, "topic", {"README": b"y"}, "More", "ada")
    world.hub.report_check(world.repo, later, "tests")
    assert world.finished(sha).conclusion == "success"
    (fix,) = world.pulls()
    assert fix.pull is not None
    assert world.repo.git.commit(fix.pull.head_sha).parents == [later]
    assert content(world, fix.pull.head) == FIXED
    assert f"the branch moved from {sha[:12]} to {later[:12]}" in (fix.body or "")
    known = world.finished(later)
    assert known.output["title"] == f"Fix verified: pull request {fix.number}"
    assert len(world.pulls()) == 1


def test_fix_that_does_not_hold_on_the_new_head_gives_way(world: World) -> None:
    sha = world.head()
    world.hub.report_check(world.repo, sha, "tests")
    world.begun(sha)
    world.mend("main")
    run = world.finished(sha)
    assert run.conclusion == "neutral"
    assert "moved on" in str(run.output["title"])
    assert f"does not hold on {world.head()[:12]}" in str(run.output["summary"]).replace("`", "")
    assert world.pulls() == []


def test_policy_may_ask_for_a_commit_on_the_branch(world: World) -> None:
    world.policy("publish: {mode: commit}")
    sha, number = world.topic()
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    assert world.finished(sha).conclusion == "success"
    head = world.head("topic")
    assert world.repo.git.commit(head).parents == [sha]
    assert head in world.repo.signed
    assert content(world, "topic") == FIXED
    assert world.pulls() == []
    world.until(lambda: f"verified in {head}" in world.answer(number))


def test_protected_branch_gets_a_pull_request_in_place_of_a_commit(world: World) -> None:
    world.policy("publish: {mode: commit, draft: true}")
    sha, number = world.topic()
    world.hub.protect(world.repo, "topic")
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    assert world.finished(sha).conclusion == "success"
    (fix,) = world.pulls()
    assert fix.pull is not None
    assert (fix.pull.base, fix.pull.draft) == ("topic", True)
    assert world.head("topic") == sha
    world.until(lambda: "topic is protected" in world.answer(number))


def test_ruleset_that_forbids_our_branches_is_found_before_any_work(world: World) -> None:
    world.hub.rule(world.repo, "creation", "regreen/*")
    sha = world.head()
    world.hub.report_check(world.repo, sha, "tests")
    run = world.finished(sha)
    assert run.conclusion == "neutral"
    assert "ruleset" in str(run.output["summary"])
    assert list((world.place.folder / "home" / "repositories").glob("*")) == []


def test_policy_may_ask_for_suggestions(world: World) -> None:
    world.policy("publish: {mode: suggestions}")
    sha, number = world.topic()
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    assert world.finished(sha).conclusion == "success"
    (review,) = world.hub.pull(world.repo, number).reviews
    assert (review.state, review.commit_id, world.pulls()) == ("COMMENTED", sha, [])
    world.until(lambda: "suggestions of my review" in world.answer(number))
    world.hub.comment(world.repo, number, "/regreen retry", by="ada")
    world.until(lambda: len(world.ours(sha)) == 2 and all(run.status == "completed" for run in world.ours(sha)))
    assert len(world.hub.pull(world.repo, number).reviews) == 1
    world.hub.commit_suggestions(world.repo, number)
    assert content(world, "topic") == FIXED


def test_suggestions_outside_of_what_the_pull_request_shows_become_a_pull_request(world: World) -> None:
    world.policy("publish: {mode: suggestions}")
    _, number = world.topic()
    world.hub.commit(world.repo, "main", FAULT, "Break", "ada")
    world.mend("main")
    # The fault came with a commit that is part of both branches, and the base was mended since.
    sha, other = _other_topic(world)
    world.hub.comment(world.repo, other, "/regreen fix", by="ada")
    assert world.finished(sha).conclusion == "success"
    assert world.hub.pull(world.repo, other).reviews == []
    assert len(world.pulls()) == 1
    world.until(lambda: "lies outside of what the pull request shows" in world.answer(other))
    assert world.said(number) == ""


def _other_topic(world: World) -> tuple[str, int]:
    """A pull request whose own changes are elsewhere than its fault: it began when `main` was faulty."""
    first = world.repo.git.log("main")[0]
    world.repo.git.set_ref("refs/heads/other", first)
    sha = world.hub.commit(world.repo, "other", {"README": b"z"}, "Other", "ada")
    return sha, world.hub.open_pull(world.repo, "other", "main", by="ada").number


def _from_fork(world: World, files: dict[str, bytes | None]) -> tuple[str, int]:
    world.hub.create_user("eve")
    fork = world.hub.fork(world.repo, "eve")
    sha = world.hub.commit(fork, "topic", files, "Topic", "eve")
    return sha, world.hub.open_pull(world.repo, "topic", "main", fork=fork, by="eve").number


def test_pull_request_of_a_fork_gets_the_verified_patch_as_suggestions(world: World) -> None:
    """Nothing can be pushed to a fork; suggestions on its lines can be committed by its author."""
    world.mend("main")
    sha, number = _from_fork(world, dict(FAULT))
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    assert world.finished(sha).conclusion == "success"
    (review,) = world.hub.pull(world.repo, number).reviews
    assert "/ 100, 2)" in review.comments[0].body
    assert world.pulls() == []
    made = [request for request in world.hub.requests if request.path.endswith("/access_tokens")]
    assert not any(b'"contents": "write"' in request.body for request in made)


def test_pull_request_of_a_fork_gets_the_patch_to_apply_where_suggestions_cannot_be(world: World) -> None:
    """The fault is not on the lines that the fork changes."""
    sha, number = _from_fork(world, {"README": b"x"})
    world.mend("main")
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    assert world.finished(sha).conclusion == "success"
    assert world.pulls() == []
    world.until(lambda: "git apply" in world.answer(number))
    assert "/ 100, 2)" in world.answer(number)
    assert "lies outside of what the pull request shows" in world.answer(number)
