"""A controller that is killed at any moment: after the next start, nothing of its boxes is left."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from hoststate import left_behind

import sandbox as package
from sandbox import Command, File, Limits, Recipe, Step
from sandbox.bubblewrap import usual_state
from sandbox.traces import discard

FOLDER = str(Path(package.__file__).parent)
LEAVES_MUCH = """
import os, time
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
print("up", flush=True)
open("/tmp/left", "w").write("x" * 1000)
"""
COMMAND = Command(("python3", "-c", LEAVES_MUCH), tree={"a": File(b"x")})


def watched(act, hook) -> None:
    """Do it, with `hook` told of each of our own functions that begins or ends."""

    def profile(frame, event, argument) -> None:
        if event in ("call", "return") and frame.f_code.co_filename.startswith(FOLDER):
            hook((event, Path(frame.f_code.co_filename).stem, frame.f_code.co_qualname))

    sys.setprofile(profile)
    try:
        act()
    finally:
        sys.setprofile(None)


def moments(act, every: int) -> list[tuple[str, str, str]]:
    """Moments at which to kill: the first begin and the first end of each function, in order; some of them."""
    seen: dict[tuple[str, str, str], None] = {}
    watched(act, seen.setdefault)
    return list(seen)[::every]


def killed_at(moment: tuple[str, str, str], act) -> bool:
    """Do it in a child that kills itself at the moment, as `kill -9` would. False when it came to its end."""
    child = os.fork()
    if child == 0:
        try:
            watched(act, lambda now: os.kill(os.getpid(), signal.SIGKILL) if now == moment else None)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def check(backend, act, every: int) -> None:
    chosen, killed = moments(act, every), 0
    for moment in chosen:
        killed += killed_at(moment, act)
        backend.sandbox.reap()
        assert left_behind(backend.sandbox) == [], f"killed at {moment}"
    assert len(chosen) >= 10
    assert killed >= len(chosen) * 0.8
    assert backend.sandbox.reap() == 0


def test_killed_while_a_box_runs(backend):
    def run() -> None:
        backend.sandbox.verify_fresh(backend.image, COMMAND, Limits(timeout_s=60))

    check(backend, run, every=9 if backend.name == "docker" else 2)


def test_killed_while_an_image_is_built(bubblewrap_backend):
    """What was finished may stay; what was not is gone, and the next build is none the worse."""
    recipe = Recipe({"mark": File(os.urandom(8))}, (Step("install", ("sh", "-c", "echo x > /opt/deps/x")),))
    built = set()

    def build() -> None:
        built.add(bubblewrap_backend.sandbox.prepare(recipe).id)

    def build_anew() -> None:
        for image in built:
            discard(usual_state() / "images" / image.partition("@")[0])
        build()

    try:
        check(bubblewrap_backend, build_anew, every=6)
        build_anew()
        (image,) = built
        command = Command(("cat", "/opt/deps/x"))
        ran = bubblewrap_backend.sandbox.verify_fresh(package.Image(image), command, Limits())
        assert ran.report == b"x\n"
    finally:
        for image in built:
            discard(usual_state() / "images" / image.partition("@")[0])


@pytest.fixture
def bubblewrap_backend(bubblewrap_sandbox):
    from conftest import Backend

    return Backend("bubblewrap", bubblewrap_sandbox, bubblewrap_sandbox.prepare(Recipe({}, ())))


CONTROLLER = """
import sys
from sandbox import Command, Image, Limits
from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.docker import DockerSandbox
kinds = {"docker": DockerSandbox, "bubblewrap": BubblewrapSandbox}
box = kinds[sys.argv[1]](owner=sys.argv[3])
command = Command(("python3", "-c", "import time; print('up', flush=True); time.sleep(600)"))
with box.session(Image(sys.argv[2])) as session:
    session.run(command, Limits(), on_report=lambda data: print(data.decode(), flush=True))
"""


def test_a_living_controllers_box_is_not_taken_away(backend):
    """And when that controller is killed from outside, its box is."""
    import subprocess

    argv = [sys.executable, "-c", CONTROLLER, backend.name, backend.image.id, backend.sandbox.owner]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as controller:
        assert controller.stdout.readline() == "up\n"
        assert backend.sandbox.reap() == 0
        assert left_behind(backend.sandbox) != []
        controller.send_signal(signal.SIGKILL)
    assert backend.sandbox.reap() == 1
    assert left_behind(backend.sandbox) == []
    assert backend.sandbox.reap() == 0
