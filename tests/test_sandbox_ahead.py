"""Boxes that are made ahead: used once each, not one too many, and gone with their session."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys

import pytest
from hoststate import left_behind

from sandbox import Command, Limits, SandboxError
from sandbox.ahead import Ahead

QUICK = Limits(timeout_s=60)
MARK = Command(("sh", "-c", "ls /tmp; touch /tmp/mark; hostname"))


class Made:
    """A box that remembers how it ended."""

    def __init__(self) -> None:
        self.alive, self.closed = True, 0

    def waits(self) -> bool:
        return self.alive

    def close(self) -> None:
        self.closed += 1


class Factory:
    def __init__(self) -> None:
        self.made: list[Made] = []
        self.broken = False

    def open(self, image, limits):
        if self.broken:
            raise SandboxError("the engine is away")
        self.made.append(Made())
        return self.made[-1]


@pytest.fixture
def factory():
    return Factory()


def test_as_many_boxes_are_made_as_there_are_runs(factory):
    ahead = Ahead(factory.open, runs=3)
    taken = [ahead.take("image", QUICK) for _ in range(3)]
    ahead.close()
    assert taken == factory.made
    assert [box.closed for box in taken] == [0, 0, 0]


def test_a_box_that_was_not_used_is_closed(factory):
    ahead = Ahead(factory.open, runs=5)
    first = ahead.take("image", QUICK)
    ahead.close()
    assert [box.closed for box in factory.made] == [0, 1]
    assert first is factory.made[0]


def test_more_runs_than_were_expected_get_their_boxes(factory):
    ahead = Ahead(factory.open, runs=1)
    assert len({id(ahead.take("image", QUICK)) for _ in range(4)}) == 4
    ahead.close()
    assert len(factory.made) == 4


@pytest.mark.parametrize(
    "other",
    [
        ("another image", QUICK),
        ("image", dataclasses.replace(QUICK, memory_mb=1)),
        ("image", dataclasses.replace(QUICK, timeout_s=61)),
    ],
    ids=["image", "limits", "more time than the box was given"],
)
def test_a_box_for_something_else_is_not_used(factory, other):
    ahead = Ahead(factory.open, runs=2)
    ahead.take("image", QUICK)
    taken = ahead.take(*other)
    ahead.close()
    assert taken is factory.made[2]
    assert [box.closed for box in factory.made] == [0, 1, 0]


def test_a_box_serves_a_command_with_less_time(factory):
    ahead = Ahead(factory.open, runs=2)
    ahead.take("image", QUICK)
    assert ahead.take("image", dataclasses.replace(QUICK, timeout_s=59)) is factory.made[1]
    ahead.close()


def test_a_box_that_died_while_it_waited_is_replaced(factory):
    ahead = Ahead(factory.open, runs=2)
    ahead.take("image", QUICK)
    ahead._spare.box.result()
    factory.made[1].alive = False
    assert ahead.take("image", QUICK) is factory.made[2]
    ahead.close()
    assert factory.made[1].closed == 1


def test_an_engine_that_broke_meanwhile_is_asked_again(factory):
    ahead = Ahead(factory.open, runs=3)
    ahead.take("image", QUICK)
    ahead._spare.box.result()
    factory.broken = True
    ahead.take("image", QUICK)
    with pytest.raises(SandboxError, match="away"):
        ahead.take("image", QUICK)
    factory.broken = False
    assert ahead.take("image", QUICK) is factory.made[-1]
    ahead.close()


def test_runs_of_a_session_see_nothing_of_each_other(backend):
    with backend.sandbox.session(backend.image, runs=3) as session:
        reports = [session.verify_fresh(MARK, QUICK).report for _ in range(4)]
    assert set(reports) == {b"sandbox\n"}
    assert left_behind(backend.sandbox) == []


def test_a_session_that_is_closed_early_leaves_nothing(backend):
    with backend.sandbox.session(backend.image, runs=9) as session:
        assert session.run(MARK, QUICK).report == b"sandbox\n"
    assert left_behind(backend.sandbox) == []


def test_a_box_that_was_killed_while_it_waited_costs_no_run(backend):
    """Somebody clears up behind our back, between two runs."""
    with backend.sandbox.session(backend.image, runs=3) as session:
        session.run(MARK, QUICK)
        waiting = session._boxes._opened.__self__._spare.box.result()
        waiting.close()
        assert session.run(MARK, QUICK).report == b"sandbox\n"


CONTROLLER = """
import sys, time
from sandbox import Command, Image, Limits
from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.docker import DockerSandbox
box = {"docker": DockerSandbox, "bubblewrap": BubblewrapSandbox}[sys.argv[1]](owner=sys.argv[3])
session = box.session(Image(sys.argv[2]), runs=9)
session.run(Command(("true",)), Limits())
session._boxes._opened.__self__._spare.box.result()
print("waiting", flush=True)
time.sleep(600)
"""


def test_a_killed_controllers_waiting_box_is_reaped(backend):
    argv = [sys.executable, "-c", CONTROLLER, backend.name, backend.image.id, backend.sandbox.owner]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env={**os.environ}) as controller:
        assert controller.stdout.readline() == "waiting\n"
        assert backend.sandbox.reap() == 0
        controller.send_signal(signal.SIGKILL)
    assert backend.sandbox.reap() >= 1
    assert left_behind(backend.sandbox) == []
