"""Engines that know the answer show that tasks are sound; engines that are known to be bad get what they deserve."""

from __future__ import annotations

import pytest

from bench import bad, suites
from bench.known import KnownFix
from bench.run import KEY
from bench.score import score
from bench.tasks import BenchTask
from bot.work import Means
from sandbox import Limits

pytestmark = pytest.mark.docker


def task(suite: str, name: str) -> BenchTask:
    return next(one for one in suites.load(suite).tasks if one.name == name)


def first_of_each_host(suite: str) -> list[BenchTask]:
    return list({one.name.partition("/")[0]: one for one in reversed(suites.load(suite).tasks)}.values())


HELD_OUT = [task("packages", "almanac/short-one-inside-a-long-one"), task("onefault", "beacon/unchecked-import")]
"""So many red tests that some are kept from the engine."""

SOUND = [*first_of_each_host("packages"), task("onefault", "units/conversion-upside-down"), *HELD_OUT]


@pytest.mark.parametrize("one", SOUND, ids=lambda one: one.name)
def test_known_fix_is_accepted_and_proven(docker_sandbox, one):
    """`.ci/run` asks the same of a sample of every suite, and `regreen bench … --engine known` of all tasks."""
    found = score(one, Means(docker_sandbox, {"known": KnownFix()}, Limits(timeout_s=300), search_s=5, key=KEY))
    assert (found.outcome, found.resolved, found.as_known, found.rejected) == ("fixed", True, True, 0), found.said


PREY = [task("onefault", "units/conversion-upside-down"), task("packages", "wagon/signs-one-by-one")]


@pytest.mark.parametrize("name", bad.NAMES)
@pytest.mark.parametrize("one", PREY, ids=lambda one: one.name)
def test_bad_engine_gets_nothing_accepted(docker_sandbox, one, name):
    found = score(one, Means(docker_sandbox, {name: bad.engine(name)}, Limits(timeout_s=300), search_s=5, key=KEY))
    assert (found.outcome, found.resolved) == ("gave-up", False), found.patch
    assert found.rejected == found.attempts
    assert (found.attempts == 0) is (name == "bad:does-nothing")
    assert (found.protected > 0) is (name in ("bad:edits-tests", "bad:deletes"))
