"""Running without isolation: a warning on each run, an environment of its own, and nothing left in the folder."""

from __future__ import annotations

import os
import time

import pytest

from sandbox import BuildFailed, Command, Delta, File, Image, Limits, Recipe, SandboxError, Step, prune
from sandbox.none import WARNING, NoSandbox
from sandbox.prune import Rules
from sandbox.venvs import VenvStock

UV = "/opt/regreen/tools/bin/uv"
ECHO = """
import json, sys
print(sys.argv[1] + " " + open("a").read(), flush=True)
"""


@pytest.fixture
def warned() -> list[str]:
    return []


@pytest.fixture
def sandbox(tmp_path, warned):
    return NoSandbox(owner=f"regreen-tests-{os.getpid()}", state=tmp_path / "none", warn=warned.append)


def test_each_run_warns(sandbox, warned):
    image = sandbox.prepare(Recipe({}, ()))
    command = Command(("python3", "-c", ECHO, "/sbx/w"), tree={"a": File(b"tree")})
    for _ in range(2):
        ran = sandbox.verify_fresh(image, command, Limits(timeout_s=60))
        assert ran.report.endswith(b"/w tree\n"), "a place of the contract is a place of this machine"
    assert warned == [WARNING] * 3


def test_packages_come_into_an_environment_of_their_own(sandbox, tmp_path):
    recipe = Recipe(
        {"r.txt": File(b"iniconfig\n")},
        (
            Step("venv", (UV, "venv", "--quiet", "/opt/venv")),
            Step("install", (UV, "pip", "install", "--python", "/opt/venv/bin/python", "-r", "r.txt")),
        ),
    )
    first, again = sandbox.prepare(recipe), sandbox.prepare(recipe)
    assert (first.built, again.built, first.id) == (True, False, again.id)
    code = "import iniconfig, sys; print(sys.prefix)"
    for python in ("python", "/opt/venv/bin/python"):
        ran = sandbox.verify_fresh(first, Command((python, "-c", code)), Limits(timeout_s=60))
        assert ran.report.decode().strip() == str(tmp_path / "none" / first.id / "venv")
    assert {one.name for one in (tmp_path / "none").iterdir()} == {"boxes", "tools", first.id}


def test_environments_that_are_not_used_are_pruned(sandbox, tmp_path):
    """The oldest first, the one that was used just now not at all, and the next need builds it again."""
    recipes = [
        Recipe(
            {"mark": File(word)},
            (
                Step(
                    "make",
                    ("sh", "-c", "mkdir -p /opt/deps"),
                ),
            ),
        )
        for word in (b"1", b"2")
    ]
    old, new = (sandbox.prepare(recipe) for recipe in recipes)
    state, long_ago = tmp_path / "none", time.time() - 40 * 86400
    for image in (old, new):
        os.utime(state / image.id / "done", (long_ago, long_ago))
    assert sandbox.verify_fresh(new, Command(("true",)), Limits(timeout_s=60)).code == 0
    stock = VenvStock(state)
    assert {one.key: one.kind for one in stock.made()} == {
        old.id: "dependencies",
        new.id: "dependencies",
        "tools": "base",
    }
    done = prune.prune([stock], Rules(max_age_s=30 * 86400))
    assert [gone.image.id for gone in done.removed] == [old.id]
    assert not (state / old.id).exists()
    assert sandbox.prepare(recipes[0]).built
    assert not sandbox.prepare(recipes[1]).built


def test_an_environment_that_was_used_meanwhile_stays(sandbox, tmp_path):
    image = sandbox.prepare(Recipe({}, (Step("make", ("true",)),)))
    stock = VenvStock(tmp_path / "none")
    (seen,) = (one for one in stock.made() if one.id == image.id)
    later = seen.last_used + 10
    os.utime(tmp_path / "none" / image.id / "done", (later, later))
    assert stock.remove(seen, though_used=False) == "it was used just now"
    assert stock.remove(seen, though_used=True) == ""
    assert stock.remove(seen, though_used=True) == "it was gone already"


def test_without_any_environment_there_is_nothing_to_prune(tmp_path):
    assert VenvStock(tmp_path / "nowhere").made() == []


def test_a_failing_step_is_told_by_name_and_log_and_is_tried_again(sandbox, monkeypatch):
    monkeypatch.setattr(sandbox, "_make_tools", lambda way, tell: None)
    recipe = Recipe({}, (Step("second", ("sh", "-c", "echo no package >&2; exit 3")),))
    for _ in range(2):
        with pytest.raises(BuildFailed) as caught:
            sandbox.prepare(recipe)
        assert (caught.value.step, caught.value.log) == ("second", "no package\n")


def test_nothing_of_a_run_is_left_in_its_folder(sandbox, tmp_path):
    image = sandbox.prepare(Recipe({}, ()))
    code = "import os; os.mkdir('shut'); open('shut/x', 'w'); os.chmod('shut', 0); print('ok')"
    assert sandbox.verify_fresh(image, Command(("python3", "-c", code)), Limits(timeout_s=60)).code == 0
    assert [one.name for one in (tmp_path / "none").iterdir()] == ["boxes"]
    assert list((tmp_path / "none/boxes").iterdir()) == []


def test_an_image_of_another_sandbox_is_refused(sandbox):
    for other in ("sha256:" + "0" * 64, "0" * 24 + "@" + "0" * 64):
        with pytest.raises(SandboxError, match="prepare it again"):
            sandbox.verify_fresh(Image(other), Command(("true",)), Limits())


def test_a_server_that_does_not_start_is_said(sandbox):
    image = sandbox.prepare(Recipe({}, ()))
    with sandbox.session(image) as session, pytest.raises(SandboxError, match="does not start"):
        list(session.run_many(Command(("false",)), [Delta("a")], Limits(timeout_s=60), workers=1))
