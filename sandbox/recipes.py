"""What makes two images one, the steps that every base gets, and one builder at a time: the same for all backends."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from sandbox import BuildFailed, Progress, Recipe, SandboxUnavailable, Step
from sandbox.builder import TOOL_ENV, UID
from sandbox.egress import Egress

SCHEMA = "2"
TOOLS = ("uv==0.13.9", "coverage==7.17.5")

_USER = f"sandbox:x:{UID}:{UID}:sandbox:/tmp:/bin/bash"
_ACCOUNTS = f"""
grep -q '^sandbox:' /etc/passwd || echo '{_USER}' >> /etc/passwd
grep -q '^sandbox:' /etc/group || echo 'sandbox:x:{UID}:' >> /etc/group
mkdir -p /opt/venv /opt/deps /opt/regreen
"""
_OWNERS = f"chown {UID}:{UID} /opt/venv /opt/deps\n"
_TOOLBOX = """ldconfig || true
python3 -m venv /opt/regreen/tools
"""
_GIT = """
command -v git >/dev/null || { apt-get -qq update && apt-get -qq -y install --no-install-recommends git procps; }
"""
_INSTALL = f"/opt/regreen/tools/bin/python -m pip install --only-binary :all: {' '.join(TOOLS)}"
# No package script ran in an image of ours, and at run time the file system cannot be written to.
_COMPILE = "python3 -m compileall -q -j 0 $(python3 -c 'import os; print(os.path.dirname(os.__file__))')"
BASE_STEPS = (
    Step("user and folders", ("sh", "-euc", _ACCOUNTS + _OWNERS + _TOOLBOX)),
    Step("git", ("sh", "-euc", _GIT), optional=True),
    Step("tools", ("sh", "-euc", _INSTALL)),
    Step("byte code", ("sh", "-euc", _COMPILE), optional=True),
)
ONE_USER_BASE_STEPS = (Step("user and folders", ("sh", "-euc", _ACCOUNTS + _TOOLBOX)), *BASE_STEPS[1:])
"""The same where the builder has no second user to give folders to."""


class Box(Protocol):
    """Where the steps of a build run."""

    def run(self, name: str, argv: tuple[str, ...], *, root: bool = False) -> None:
        """Run one step. Raises BuildFailed."""
        ...


def run_steps(box: Box, steps: tuple[Step, ...], progress: Progress, *, root: bool = False) -> list[str]:
    """Run all steps; a note for each optional one that failed."""
    notes = []
    for step in steps:
        progress(f"image: {step.name}")
        try:
            box.run(step.name, step.argv, root=root)
        except BuildFailed as error:
            if not step.optional:
                raise
            notes.append(f"{step.name} failed: {error.log[-500:].strip()}")
            progress(f"image: {step.name} failed, which is allowed")
    return notes


def recipe_key(recipe: Recipe, base: str, way: Egress) -> str:
    """What two recipes share when they yield one image. Where packages come from counts, credentials do not."""
    parts = [SCHEMA, base, platform.machine(), *way.indexes, json.dumps(TOOL_ENV)]
    for step in recipe.steps:
        parts += ["step", step.name, str(step.optional), *step.argv]
    for path, file in sorted(recipe.files.items()):
        parts += ["file", path, str(file.executable), str(file.link), hashlib.sha256(file.data).hexdigest()]
    return hash_of(*parts)


def base_key(raw: str) -> str:
    """What identifies a base that is made from `raw`."""
    return hash_of(SCHEMA, raw, *(word for step in BASE_STEPS for word in step.argv))


def hash_of(*parts: str) -> str:
    """Of the parts, not of their concatenation."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@contextlib.contextmanager
def locked(key: str) -> Iterator[None]:
    """One builder per image and machine: the second one waits, and then finds the image."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "regreen", "locks")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SandboxUnavailable(f"no place for lock files ({error}): set XDG_CACHE_HOME") from error
    with (folder / f"{key[:24]}.lock").open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
