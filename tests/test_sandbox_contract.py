"""Every backend does what the contract says, withstands what untrusted code tries, and leaves this machine as it was."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hoststate import left_behind, mounts

from sandbox import Command, Recipe, attacks
from sandbox.contract import CHECKS, KNOWN_DIFFERENCES, expected
from sandbox.guarantees import DOORS
from sandbox.none import NoSandbox


@pytest.fixture
def untouched(backend):
    """Of this machine: mounts, open files, environment, room on the disk, and nothing of a box."""
    assert left_behind(backend.sandbox) == []
    before = mounts(), _own()
    free = shutil.disk_usage("/").free
    yield
    assert left_behind(backend.sandbox) == []
    assert (mounts(), _own()) == before
    # Others work on this disk as well; a box that got out could write much more than this.
    assert shutil.disk_usage("/").free > free - (2 << 30)


def _own() -> tuple[int, list[str]]:
    """What a run could leave in this process: open files, and names in the environment."""
    return len(list(Path("/proc/self/fd").iterdir())), sorted(os.environ)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract(backend, check, untouched):
    if check.__name__ in KNOWN_DIFFERENCES[backend.name]:
        pytest.skip(KNOWN_DIFFERENCES[backend.name][check.__name__])
    check(backend.sandbox, backend.image)


@pytest.fixture
def no_sandbox(tmp_path):
    return NoSandbox(owner=f"regreen-tests-{os.getpid()}", state=tmp_path / "none", warn=lambda line: None)


@pytest.mark.parametrize("check", expected("none"), ids=lambda check: check.__name__)
def test_contract_without_isolation(no_sandbox, check):
    """As far as it goes: what it does not keep is listed, with reasons."""
    image = no_sandbox.prepare(Recipe(files={}, steps=()))
    check(no_sandbox, image)


def test_every_attack_is_in_the_contract():
    public = {name for name, it in vars(attacks).items() if getattr(it, "__module__", "") == attacks.__name__}
    tried = {check.__name__ for check in CHECKS}
    assert {name for name in public if not name.startswith("_")} - tried == {"must", "run", "told"}


def test_known_differences_are_of_checks_that_exist():
    names = {check.__name__ for check in CHECKS}
    assert set(KNOWN_DIFFERENCES) == {"docker", "podman", "gvisor", "bubblewrap", "none"}
    assert all(set(known) <= names for known in KNOWN_DIFFERENCES.values())
    assert len(names) == len(CHECKS)


def test_a_check_that_fails_says_so(no_sandbox):
    """The contract would notice a box that isolates nothing. Only checks that harm nothing then."""
    image = no_sandbox.prepare(Recipe(files={}, steps=()))
    for check in (attacks.the_user_has_no_rights, attacks.the_box_does_not_tell_what_it_is):
        with pytest.raises(AssertionError):
            check(no_sandbox, image)


def test_a_backend_says_of_every_door_whether_it_is_shut(backend):
    found = backend.sandbox.probe()
    assert found.backend == backend.name
    assert tuple(one.door for one in found.each) == DOORS
    assert all(one.detail for one in found.each)
    must_be_shut = set(DOORS) - {"user namespace", "build network", "memory", "processes", "cpu", "inodes"}
    assert all(found.of(door).enforced for door in must_be_shut)


def test_without_isolation_every_door_is_open(no_sandbox):
    assert no_sandbox.probe().missing == no_sandbox.probe().each


def test_the_host_is_looked_at_where_boxes_could_leave_something(backend):
    """The other tests rely on it: a box that runs is seen, by every way of looking."""
    seen: list[str] = []
    command = Command(("sleep", "600"))

    def look() -> bool:
        seen.extend(left_behind(backend.sandbox))
        return bool(seen)

    with backend.sandbox.session(backend.image) as session:
        session.run(command, attacks.QUICK, cancelled=look)
    assert seen
    assert not Path("/sbx").exists()
