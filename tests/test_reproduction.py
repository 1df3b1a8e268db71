"""Issues without a failing test: a test that shows the fault comes first, is new, and is a commit of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from factories import FIXED, SHOP, files, make_baseline, make_run, patch
from modelserver import ModelServer, Reply, Status, call, finish
from test_agent_cli import settings
from world import FAULT, World

from bot import reproduction
from bot.nouns import Result, TestCase, TestRun
from handlers.demo import Place
from localhub.hub import Hub
from localhub.state import Issue

QUIET = (
    "from shop.pricing import apply_discount, total\n\n\n"
    "def test_no_discount():\n    assert apply_discount(20, 0) == 20\n\n\n"
    "def test_total():\n    assert total([1, 2]) == 3\n"
)
"""Tests that pass although the cents are lost."""
SHOWS = (
    "from shop.pricing import apply_discount\n\n\n"
    "def test_discount_keeps_cents():\n    assert apply_discount(19.99, 15) == 16.99\n"
)
TOLD = "A discount of 15 percent on 19.99 gives 17. It should give 16.99: the cents are lost."
NEW = "tests/test_issue.py"
TREE = files({**SHOP, "tests/test_pricing.py": QUIET})
GREEN: Mapping[str, Result] = {"tests/test_pricing.py::test_total": "passed"}


def judged(run: TestRun | None, again: TestRun | None = None, *, text: str = SHOWS, path: str = NEW) -> list[str]:
    """Codes of the reasons against a test whose runs come to this; none when it is accepted."""
    runs = iter([run, again or run])
    verdict = reproduction.judge(patch({path: text}), TREE, make_baseline(GREEN), lambda: next(runs))
    assert (verdict.verdict == "accepted") is not bool(verdict.reasons)
    return [reason.code for reason in verdict.reasons]


def red(exception: str = "AssertionError", result: Result = "failed", **others: Result) -> TestRun:
    known = {**GREEN, **{f"tests/test_pricing.py::{name}": value for name, value in others.items()}}
    cases = tuple(TestCase(test, value) for test, value in known.items())
    return TestRun((*cases, TestCase(f"{NEW}::test_discount_keeps_cents", result, exception=exception)), 1, 0.1)


def test_new_test_that_is_red_twice_is_taken() -> None:
    assert judged(red()) == []
    assert judged(red("ZeroDivisionError")) == []


@pytest.mark.parametrize(
    ("run", "again", "code"),
    [
        (red(result="passed"), None, "passes-already"),
        (red("NameError"), None, "fails-by-itself"),
        (red("ImportError"), None, "fails-by-itself"),
        (red(result="error"), None, "fails-by-itself"),
        (red(result="skipped"), None, "fails-by-itself"),
        (red(), red(result="passed"), "unstable"),
        (red(test_total="failed"), None, "disturbs-others"),
        (make_run(GREEN), None, "no-test"),
        (None, None, "no-report"),
    ],
)
def test_test_that_shows_nothing_is_refused(run: TestRun | None, again: TestRun | None, code: str) -> None:
    assert code in judged(run, again)


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("tests/test_pricing.py", SHOWS, "not-a-new-test"),
        ("shop/pricing.py", SHOWS, "not-a-new-test"),
        ("tests/conftest.py", SHOWS, "not-a-new-test"),
        ("shop/other.py", SHOWS, "not-a-new-test"),
        ("tests/data.txt", SHOWS, "not-a-new-test"),
        (NEW, "def test(:\n", "no-python"),
        (NEW, SHOWS + "# x\n" * 200, "too-large"),
    ],
)
def test_only_a_small_new_test_file_is_run_at_all(path: str, text: str, code: str) -> None:
    assert code in judged(None, path=path, text=text)


@contextmanager
def story(folder: Path, script: Sequence[Reply | Status] | None) -> Iterator[tuple[World, Issue, ModelServer]]:
    """A shop whose tests do not see its fault, and an issue that tells of it; with a scripted model, or without any."""
    contents = {**{path: text.encode() for path, text in SHOP.items()}, "tests/test_pricing.py": QUIET.encode()}
    with Hub() as hub, hub.serve(), ModelServer(script or ()) as server:
        repo = hub.create_repo("ada", "shop", contents)
        place = Place.make(hub, folder, repo)
        if script is not None:
            place.environment.update(settings(server, folder / "home", ENGINES="search,agent"))
        world = World(hub, repo, place, place.start())
        issue = hub.open_issue(repo, "Cents are lost", TOLD, by="ada")
        hub.add_label(repo, issue.number, "regreen", by="ada")
        try:
            yield world, issue, server
        finally:
            world.server.stop()
        assert hub.violations == []
        assert hub.request_violations == []


@pytest.mark.docker
def test_issue_is_shown_by_a_new_test_before_it_is_repaired(docker_engine: None, tmp_path: Path) -> None:
    """The model first edits a test that is there, then writes one that passes; the search finds the repair."""
    script = (
        call("edit_file", path="tests/test_pricing.py", old="== 3", new="== 4"),
        call("create_file", path=NEW, text=SHOWS.replace("16.99", "17")),
        finish("Cents are lost."),
        call("create_file", path=NEW, text=SHOWS, overwrite=True),
        call("run_new_tests"),
        finish("Discounts drop the cents."),
    )
    with story(tmp_path, script) as (world, issue, server):
        assert world.finished(world.head()).conclusion == "success"
        (fix,) = world.pulls()
        assert fix.pull is not None
        commits = [world.repo.git.commit(sha) for sha in world.repo.git.log(f"main..{fix.pull.head}")]
        changed = [[each.path for each in world.repo.git.diff(one.parents[0], one.sha)] for one in commits]
        assert changed == [[NEW], ["shop/pricing.py"]]
        assert {commit.sha for commit in commits} <= world.repo.signed
        assert world.hub.file_at(world.repo, fix.pull.head, NEW) == SHOWS.encode()
        assert world.hub.file_at(world.repo, fix.pull.head, "shop/pricing.py") == FIXED.encode()
        assert "### A new test" in (fix.body or "")
        assert "read it first" in (fix.body or "")
        assert len(server.requests) == len(script)
        assert "read-only" in server.requests[1].last
        assert "passes-already" in server.requests[3].last
        world.until(lambda: f"verified in #{fix.number}" in world.answer(issue.number))


@pytest.mark.docker
def test_issue_that_no_test_can_show_is_told_so(docker_engine: None, tmp_path: Path) -> None:
    gave_up = call("finish", conclusion="gave-up", root_cause="The issue does not say what should happen.")
    with story(tmp_path, (gave_up,)) as (world, issue, _):
        assert world.finished(world.head()).conclusion == "neutral"
        world.until(lambda: "does not say what should happen" in world.answer(issue.number))
        assert world.pulls() == []


@pytest.mark.docker
def test_without_a_model_the_comment_says_what_is_missing(docker_engine: None, tmp_path: Path) -> None:
    with story(tmp_path, None) as (world, issue, _):
        assert world.finished(world.head()).conclusion == "neutral"
        world.until(lambda: "With a language model configured" in world.answer(issue.number))
        assert world.hub.file_at(world.repo, "main", "shop/pricing.py") == FAULT["shop/pricing.py"]
