"""Stories of people who steer the bot: commands, buttons, policy, and what happens around a running repair."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import FIXED
from world import FAULT, World, a_world

from bot.ledger import Ledger

pytestmark = pytest.mark.docker


@pytest.fixture
def world(docker_engine: None, tmp_path: Path) -> Iterator[World]:
    with a_world(tmp_path) as made:
        yield made


def test_stop_ends_the_running_repair_and_blocks_red_checks_until_a_person_asks(world: World) -> None:
    sha, number = world.topic()
    world.hub.report_check(world.repo, sha, "tests")
    world.until(lambda: any(run.output.get("title") for run in world.ours(sha)))
    world.hub.comment(world.repo, number, "/regreen stop", by="ada")
    run = world.finished(sha)
    assert run.output["title"] == "The repair was cancelled."
    world.until(
        lambda: "ada stopped the work on this pull request. The repair that was running" in world.said(number)
    )
    later = world.hub.commit(world.repo, "topic", {"README": b"y"}, "More", "ada")
    world.hub.report_check(world.repo, later, "tests")
    world.until(lambda: "ada stopped the work on pull request" in world.log())
    assert world.ours(later) == []
    assert world.pulls() == []
    world.hub.comment(world.repo, number, "/regreen retry", by="ada")
    assert world.finished(later).conclusion == "success"
    assert len(world.pulls()) == 1


def test_stop_while_github_is_down_is_told_as_soon_as_it_answers(world: World) -> None:
    """The repair ends at once; its check run is completed when GitHub takes that, also by a server that was killed."""
    sha, number = world.topic()
    world.hub.report_check(world.repo, sha, "tests")
    world.until(lambda: any(run.output.get("title") for run in world.ours(sha)))
    world.hub.fail_next(503, verb="PATCH", path="/check-runs/", headers={"Retry-After": "1"}, times=1000)
    world.hub.comment(world.repo, number, "/regreen stop", by="ada")
    world.until(lambda: "cannot tell yet that it ended" in world.log())
    os.kill(world.server.process.pid, signal.SIGKILL)
    world.server.process.wait()
    world.hub.stop_failing()
    world.server = world.place.start()
    assert world.finished(sha).output["title"] == "The repair was cancelled."
    assert world.pulls() == []


def test_result_that_github_does_not_take_is_told_later(world: World) -> None:
    """A failing last word costs neither the pull request nor the comment."""
    sha, number = world.topic()
    world.hub.fail_next(503, verb="PATCH", path="/check-runs/", headers={"Retry-After": "1"}, times=6)
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    assert world.finished(sha).conclusion == "success"
    world.until(lambda: f"verified in #{world.pulls()[0].number}" in world.said(number))


def test_button_of_a_check_without_a_pull_request_stops_its_own_commit_alone(world: World) -> None:
    sha = world.hub.commit(world.repo, "other", {"README": b"x"}, "Other", "ada")
    world.hub.report_check(world.repo, world.head(), "tests")
    world.hub.report_check(world.repo, sha, "tests")
    world.until(lambda: any(run.actions for run in world.ours(world.head()) + world.ours(sha)))
    (run,) = [run for run in world.ours(world.head()) + world.ours(sha) if run.status != "completed"]
    world.hub.request_action(world.repo, run, "stop", by="ada")
    assert world.finished(run.head_sha).output["title"] == "The repair was cancelled."
    (left,) = {world.head(), sha} - {run.head_sha}
    assert world.finished(left).conclusion == "success"


def test_questions_are_answered_in_one_comment_and_by_nobody_elses_command(world: World) -> None:
    world.hub.create_user("mallory")
    _, number = world.topic()
    world.hub.comment(world.repo, number, "/regreen help", by="mallory")
    world.until(lambda: "mallory has no write permission" in world.log())
    assert world.said(number) == ""
    for command, answer in (
        ("help", "| `/regreen stop` |"),
        ("status", "No repair is under way."),
        ("explain", "Nothing has been repaired here yet"),
        ("fxi", "There is no command `fxi`."),
    ):
        comment = world.hub.comment(world.repo, number, f"/regreen {command}", by="ada")
        world.until(lambda answer=answer: answer in world.said(number))
        world.until(lambda comment=comment: len(comment.reactions) == 1)
    assert len([found for found in world.hub.comments(world.repo, number) if found.app is not None]) == 1
    assert not any(line.startswith("/") for line in world.said(number).splitlines())


def test_one_test_file_is_repaired_when_a_person_names_it(world: World) -> None:
    sha, number = world.topic()
    world.hub.comment(world.repo, number, "/regreen fix tests/test_nothing.py", by="ada")
    assert "tests/test_nothing.py" in str(world.finished(sha).output["summary"])
    world.hub.comment(world.repo, number, "/regreen fix tests/test_pricing.py", by="ada")
    world.until(lambda: len(world.pulls()) == 1)
    world.until(lambda: "verified in #" in world.said(number))
    world.hub.comment(world.repo, number, "/regreen explain", by="ada")
    world.until(lambda: "What the gate looked at" in world.said(number))


def test_new_commits_end_waiting_work_on_old_ones_and_closing_ends_all_of_it(world: World) -> None:
    """What runs goes on (test_publication.py); what has not begun would only be about an old commit."""
    sha, number = world.topic()
    main = world.hub.commit(world.repo, "main", FAULT, "Break", "ada")
    world.hub.report_check(world.repo, main, "tests")
    world.begun(main)
    world.hub.report_check(world.repo, sha, "tests")
    world.until(lambda: f"repair:{world.repo.id}:{sha}" in world.jobs())
    later = world.hub.commit(world.repo, "topic", {"README": b"y"}, "More", "ada")
    world.hub.report_check(world.repo, later, "tests")
    world.begun(later)
    world.hub.close_issue(world.repo, number, by="ada")
    assert "closed" in str(world.finished(later).output["summary"])
    assert world.ours(sha) == []


def test_branch_of_a_fix_goes_when_its_pull_request_does(world: World) -> None:
    world.hub.report_check(world.repo, world.head(), "tests")
    world.finished(world.head())
    (fix,) = world.pulls()
    assert fix.pull is not None
    branch = fix.pull.head
    assert world.repo.git.branch(branch) is not None
    world.hub.close_issue(world.repo, fix.number, by="ada")
    world.until(lambda: world.repo.git.branch(branch) is None)


def test_retry_button_tries_again_and_a_stranger_cannot_press_it(world: World) -> None:
    """The first try fails on a requirement that is not there; then it is mended, and the commit stays red."""
    broken = {"requirements.txt": b"surely-no-such-package-regreen==1\n"}
    sha = world.hub.commit(world.repo, "main", broken, "Need something", "ada")
    world.hub.report_check(world.repo, sha, "tests")
    run = world.finished(sha)
    assert [button["identifier"] for button in run.actions] == ["retry"]
    world.hub.create_user("mallory")
    world.hub.request_action(world.repo, run, "retry", by="mallory")
    world.until(lambda: "mallory has no write permission" in world.log())
    world.hub.request_action(world.repo, run, "retry", by="ada")
    world.until(lambda: len(world.ours(sha)) == 2 and all(run.status == "completed" for run in world.ours(sha)))


def test_the_policy_of_the_default_branch_decides_and_that_of_a_pull_request_does_not(world: World) -> None:
    world.policy("triggers: {branches: [release/*]}")
    world.hub.report_check(world.repo, world.head(), "tests")
    world.until(lambda: "leaves out the branch main" in world.log())
    world.policy("triggers: {checks: true, branches: ['*']}", branch="topic")
    _, number = world.topic()
    world.hub.report_check(world.repo, world.head("topic"), "tests")
    world.until(lambda: "leaves out the branch topic" in world.log())
    assert world.ours(world.head("topic")) == []
    assert world.said(number) == ""


def test_policy_that_cannot_be_read_is_told_on_the_check(world: World) -> None:
    sha = world.policy("gate: {max_files: 3}")
    world.hub.report_check(world.repo, sha, "tests")
    run = world.finished(sha)
    assert run.conclusion == "neutral"
    assert "there is no key" in str(run.output["summary"])
    assert "max-files" in str(run.output["summary"])


def test_draft_is_left_alone_until_a_person_asks(world: World) -> None:
    sha, number = world.topic(draft=True)
    world.hub.report_check(world.repo, sha, "tests")
    world.until(lambda: "the pull request is a draft" in world.log())
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    assert world.finished(sha).conclusion == "success"


def test_pull_request_is_tried_as_often_as_its_policy_allows_and_this_is_said_once(world: World) -> None:
    world.policy("triggers: {attempts: 1}")
    sha, number = world.topic()
    # Green here: an attempt that ends quickly.
    sha = world.hub.commit(world.repo, "topic", {"shop/pricing.py": FIXED.encode()}, "Fix", "ada")
    world.hub.report_check(world.repo, sha, "tests")
    world.finished(sha)
    for text in (b"1", b"2"):
        sha = world.hub.commit(world.repo, "topic", {"README": text}, "More", "ada")
        world.hub.report_check(world.repo, sha, "tests")
        world.until(lambda sha=sha: f"pull request {number} was tried 1 times" in world.log())
        assert world.ours(sha) == []
    world.until(lambda: "This pull request was tried" in world.said(number))
    assert world.said(number).count("This pull request was tried") == 1


def test_pull_request_costs_no_more_than_the_operator_allows_and_this_is_said_once(world: World) -> None:
    sha, number = world.topic()
    ledger = Ledger(world.place.folder / "home" / "ledger.sqlite")
    ledger.pay("repair:1:earlier", world.repo.id, number, 9.5)
    ledger.pay("repair:1:later", world.repo.id, number, 0.5)
    ledger.pay("repair:1:later", world.repo.id, number, 0.5)  # once more after a crash
    assert ledger.paid(world.repo.id, number) == 10.0
    world.hub.report_check(world.repo, sha, "tests")
    world.until(lambda: f"the repairs of pull request {number} have cost $10.00" in world.log())
    assert world.ours(sha) == []
    world.until(lambda: "REGREEN_PULL_BUDGET_USD" in world.answer(number))
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    assert world.finished(sha).conclusion == "success"
    assert ledger.paid(world.repo.id, number) == 0.0


def test_every_token_is_revoked_and_only_the_publisher_may_write_files(world: World) -> None:
    world.hub.report_check(world.repo, world.head(), "tests")
    world.finished(world.head())
    made = [json.loads(found.body) for found in world.hub.requests if found.path.endswith("/access_tokens")]
    writers = [token for token in made if token["permissions"]["contents"] == "write"]
    assert len(writers) == 1
    world.until(lambda: revoked(world) == len(made))


def revoked(world: World) -> int:
    return sum((found.verb, found.path) == ("DELETE", "/installation/token") for found in world.hub.requests)
