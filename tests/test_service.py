"""Stories of the server: a payload comes in over HTTP, something stands in the local GitHub, or rightly nothing."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import FIXED
from world import World, a_world

pytestmark = pytest.mark.docker


@pytest.fixture
def world(docker_engine: None, tmp_path: Path) -> Iterator[World]:
    with a_world(tmp_path) as made:
        yield made


def test_one_red_commit_yields_one_pull_request_however_often_it_is_reported(world: World) -> None:
    """Two checks turn red, every webhook arrives twice, and one is redelivered after the success."""
    world.hub.duplicate_webhooks(lambda event, body: 2)
    world.hub.report_check(world.repo, world.head(), "tests (3.11)")
    world.hub.report_check(world.repo, world.head(), "tests (3.12)")
    assert world.finished(world.head()).conclusion == "success"
    for delivery in world.hub.deliveries:
        if delivery.event == "check_run":
            world.hub.redeliver(delivery.guid)
    world.until(lambda: world.log().count("this delivery") + world.log().count('"known"') > 0)
    assert len(world.pulls()) == 1
    (run,) = world.ours(world.head())
    assert run.output["title"] == f"Fix verified: pull request {world.pulls()[0].number}"


def test_killed_server_finishes_the_job_after_its_restart(world: World) -> None:
    """kill -9 in the middle of the repair: the job goes on, one pull request stands, no box is left behind."""
    sha = world.head()
    world.hub.report_check(world.repo, sha, "tests")
    world.until(
        lambda: any(run.output.get("title") in ("Reproducing", "Looking for a fix") for run in world.ours(sha))
    )
    killed = world.server.process.pid
    os.kill(killed, signal.SIGKILL)
    world.server.process.wait()
    world.server = world.place.start()
    assert world.finished(sha).conclusion == "success"
    assert len(world.pulls()) == 1
    boxes = ["docker", "ps", "-a", "--format", '{{.Label "regreen.box.controller"}}']
    world.until(lambda: f" {killed} " not in subprocess.run(boxes, check=True, capture_output=True, text=True).stdout)


def test_comment_of_a_stranger_changes_nothing(world: World) -> None:
    world.hub.create_user("mallory")
    sha, number = world.topic()
    comment = world.hub.comment(world.repo, number, "/regreen fix", by="mallory")
    world.until(lambda: "mallory has no write permission" in world.log())
    assert world.ours(sha) == []
    assert comment.reactions == []
    assert len(world.hub.comments(world.repo, number)) == 1


def test_command_is_answered_by_reactions_a_stacked_pull_request_and_one_comment(world: World) -> None:
    sha, number = world.topic()
    comment = world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    assert world.finished(sha).conclusion == "success"
    (fix,) = world.pulls()
    assert fix.pull is not None
    assert fix.pull.base == "topic"
    assert world.hub.file_at(world.repo, fix.pull.head, "shop/pricing.py") == FIXED.encode()
    world.until(lambda: {reaction.content for reaction in comment.reactions} == {"eyes", "rocket"})
    world.until(lambda: f"verified in #{fix.number}" in world.answer(number))
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    world.until(lambda: len(world.ours(sha)) == 2 and all(run.status == "completed" for run in world.ours(sha)))
    assert len(world.pulls()) == 1
    assert len([found for found in world.hub.comments(world.repo, number) if found.app is not None]) == 1


def test_commit_that_is_green_here_is_said_to_be_green(world: World) -> None:
    sha = world.hub.commit(world.repo, "main", {"shop/pricing.py": FIXED.encode()}, "Fix", "ada")
    world.hub.report_check(world.repo, sha, "tests")
    run = world.finished(sha)
    assert run.conclusion == "neutral"
    assert "every test passes" in str(run.output["title"])
    assert world.pulls() == []


def test_project_that_cannot_be_set_up_is_told_with_cause_and_remedy(world: World) -> None:
    files = {"requirements.txt": b"surely-no-such-package-regreen==1\n"}
    sha = world.hub.commit(world.repo, "main", files, "Need something", "ada")
    world.hub.report_check(world.repo, sha, "tests")
    run = world.finished(sha)
    assert run.conclusion == "neutral"
    assert "install the requirements" in str(run.output["summary"])
