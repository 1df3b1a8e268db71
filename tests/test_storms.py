"""Stories of too much: many reports of one failure, the same deliveries again, and bots that answer each other.

What is counted is what costs something: jobs in the queue, and questions to a language model.
"""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from modelserver import ModelServer, Reply, Seen, call, finish
from world import World, a_world

from bot.deliveries import Deliveries, Delivery

pytestmark = pytest.mark.docker


def decided(world: World) -> list[Delivery]:
    """What was decided of the last deliveries, once something was decided of each."""
    kept = Deliveries(world.server.home / "deliveries.sqlite")
    world.until(lambda: all(each.decision != "accepted" for each in kept.last(1000)))
    return kept.last(1000)


def shuffled(deliveries: list) -> list:
    return random.Random(11).sample(deliveries, len(deliveries))


def kill(world: World) -> None:
    os.kill(world.server.process.pid, signal.SIGKILL)
    world.server.process.wait()


def arrived(world: World) -> bool:
    """Every event was taken by the server at least once."""
    taken = {each.guid for each in world.hub.deliveries if each.status == "OK"}
    return {each.guid for each in world.hub.deliveries} == taken


def test_storm_across_a_restart_is_one_job_one_pull_request_and_one_comment(
    docker_engine: None, tmp_path: Path
) -> None:
    """One push, ten red jobs and two statuses: check runs, suites, workflow runs, each twice, in any order, a third of them sent
    while the server is dead. GitHub does not send those again by itself: the server asks for them."""
    with a_world(tmp_path) as world:
        sha, number = world.topic()
        world.hub.settle()
        world.hub.hold_webhooks()
        world.hub.duplicate_webhooks(lambda event, body: 2)
        for leg in range(10):
            world.hub.report_check(world.repo, sha, f"tests ({leg})")
        for context in ("ci/older", "ci/oldest"):
            world.hub.report_status(world.repo, sha, context)
        third = len(world.hub.deliveries) // 3
        assert third > 25
        world.hub.release_webhooks(shuffled, count=third)
        world.until(lambda: "accepted" in world.log())
        assert world.hub.settle()
        kill(world)
        world.hub.release_webhooks(count=third)
        assert world.hub.settle()
        world.server = world.place.start()
        world.hub.release_webhooks()
        assert world.finished(sha).conclusion == "success"
        world.until(lambda: arrived(world))
        assert {each.decision for each in decided(world)} <= {"job", "declined", "known", "skipped"}
        assert len(world.jobs()) == 1
        assert len(world.pulls()) == 1
        assert len(world.ours(sha)) == 1
        world.until(lambda: "Fixed and verified in #" in world.said(number))
        assert len(world.hub.comments(world.repo, number)) == 1


@pytest.mark.docker
def test_red_pull_request_of_which_no_delivery_tells_is_repaired_after_the_restart(
    docker_engine: None, tmp_path: Path
) -> None:
    """GitHub forgets deliveries after three days: then only the red check is left to tell."""
    with a_world(tmp_path) as world:
        kill(world)
        sha, number = world.topic()
        world.hub.settle()
        world.hub.hold_webhooks()
        world.hub.report_check(world.repo, sha, "tests", "failure")
        world.server = world.place.start()
        assert world.finished(sha).conclusion == "success"
        world.until(lambda: "Fixed and verified in #" in world.said(number))
        assert len(world.jobs()) == 1


class Model:
    """Repairs the shop, but only when it is let; then has nothing more to say."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.asked = threading.Event()
        self.script = iter(
            (call("edit_file", path="shop/pricing.py", old="/ 100)", new="/ 100, 2)"), call("run_tests", targets=["all"]), finish())
        )  # fmt: skip

    def __call__(self, seen: Seen) -> Reply:
        self.asked.set()
        assert self.free.wait(120)
        return next(self.script, Reply("There is nothing more to say."))


@pytest.fixture
def told(docker_engine: None, tmp_path: Path) -> Iterator[tuple[World, ModelServer, Model]]:
    """A world whose repairs cost money: each question to the model is one."""
    script = Model()
    with ModelServer(script) as model:
        settings = {
            "ENGINES": "agent",
            "MODELS": "anthropic:scripted",
            "ANTHROPIC_KEY": "k" * 20,
            "ANTHROPIC_URL": model.url(),
        }
        with a_world(tmp_path, **settings) as world:
            yield world, model, script
            script.free.set()


def redeliver_everything(world: World) -> None:
    for guid in {each.guid: None for each in world.hub.deliveries if each.event != "ping"}:
        world.hub.redeliver(guid)
    assert world.hub.settle()


def test_redelivery_during_work_after_success_and_after_failure_costs_nothing(
    told: tuple[World, ModelServer, Model],
) -> None:
    world, model, script = told
    sha, number = world.topic()
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    assert script.asked.wait(120)
    redeliver_everything(world)  # during the work
    script.free.set()
    assert world.finished(sha).conclusion == "success"
    world.until(lambda: "verified in #" in world.answer(number))
    decided(world)
    spent, known = len(model.requests), world.jobs()
    redeliver_everything(world)  # after success
    decided(world)
    assert (len(model.requests), world.jobs()) == (spent, known)
    later = world.hub.commit(
        world.repo, "topic", {"requirements.txt": b"surely-no-such-package-regreen==1\n"}, "Need", "ada"
    )
    world.hub.comment(world.repo, number, "/regreen fix", by="ada")
    assert world.finished(later).conclusion == "neutral"
    world.until(lambda: "Working on" not in world.answer(number))
    redeliver_everything(world)  # after failure
    assert "known" in {each.decision for each in decided(world)}
    assert (len(model.requests), len(world.jobs())) == (spent, len(known) + 1)
    assert len(world.pulls()) == 1


def test_two_bots_that_answer_each_other_and_quoted_commands_start_nothing(
    told: tuple[World, ModelServer, Model],
) -> None:
    """Another bot answers each comment of ours with our own command; people quote us; our own texts show commands."""
    world, model, script = told
    script.free.set()
    sha, number = world.topic()
    world.hub.register_app("chatty", "", "", {"pull_requests": "write", "contents": "write"}, [])
    world.hub.set_permission(world.repo, "chatty[bot]", "admin")
    for verb in ("fix", "help", "status", "explain", "nonsense"):
        world.hub.comment(world.repo, number, f"/regreen {verb}", by="ada")
    assert world.finished(sha).conclusion == "success"
    world.until(lambda: "verified in #" in world.said(number))
    decided(world)
    spent, known, said = len(model.requests), world.jobs(), world.said(number)
    for round_ in range(5):
        for text in (
            "/regreen fix",
            "/regreen retry\n\nagain",
            world.said(number),
            f"/regreen fix tests/test_{round_}.py",
        ):
            world.hub.comment(world.repo, number, text, by="chatty[bot]")
    quoted = "\n".join(f"> {line}" for line in said.splitlines())
    for text in (
        quoted,
        f"{quoted}\n\n/regreen fix",
        "> /regreen fix",
        "`/regreen fix`",
        "Say `/regreen fix` to it",
        said,
    ):
        world.hub.comment(world.repo, number, text, by="ada")
    (fix,) = world.pulls()
    world.hub.comment(world.repo, fix.number, "/regreen fix", by="chatty[bot]")
    assert world.hub.settle()
    decided(world)
    assert (len(model.requests), world.jobs(), world.said(number)) == (spent, known, said)
    assert len(world.pulls()) == 1
