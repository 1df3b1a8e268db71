"""What boxes have left on this machine: asked before and after whatever runs in them."""

from __future__ import annotations

import contextlib
import glob
from pathlib import Path

from sandbox.bubblewrap import usual_state
from sandbox.builder import UID
from sandbox.docker import DockerSandbox, engine
from sandbox.owner import Claim


def left_behind(sandbox) -> list[str]:
    """Everything of this owner's boxes that is still there, and everything that no living box accounts for."""
    if isinstance(sandbox, DockerSandbox):
        sandbox.settle()
        with engine() as api:
            boxes = api.containers(all=True, filters={"label": Claim(sandbox.owner).filter})
        return [f"container {one['Id']}" for one in boxes]
    own = [f"record {one}" for one, text in records().items() if sandbox.owner in text]
    return own + [f"group {one}" for one in nobodys(groups())] + nobodys_processes() + nobodys_folders()


def records() -> dict[Path, str]:
    """What is written of each living box, of whoever makes boxes on this machine meanwhile."""
    found = {}
    for one in usual_state().glob("boxes/*"):
        with contextlib.suppress(FileNotFoundError):
            found[one] = one.read_text()
    return found


def groups() -> list[Path]:
    """Control groups of boxes, in either version."""
    # Not Path.glob, which fails where a folder goes while it looks.
    places = (f"/sys/fs/cgroup/{depth}regreen-*" for depth in ("", "*/", "*/*/", "*/*/*/"))
    return [Path(one) for place in places for one in glob.glob(place)]  # noqa: PTH207


def nobodys(places: list[Path]) -> list[Path]:
    """Places that no record speaks of. The record comes first and goes last, so a living box always has one."""
    known = "".join(records().values())
    return [place for place in places if place.name not in known and place.exists()]


def nobodys_folders() -> list[str]:
    """Images in the making that nobody makes."""
    known = "".join(records().values())
    making = usual_state().glob("images/.*")
    return [f"folder {one}" for one in making if one.name not in known and one.exists()]


def nobodys_processes() -> list[str]:
    """Processes of the boxes' user that live in no container and in no box."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            uid = next(line for line in (place / "status").read_text().splitlines() if line.startswith("Uid:"))
            where = (place / "cgroup").read_text()
            argv = (place / "cmdline").read_bytes()
        except OSError:
            continue
        if str(UID) in uid and not any(word in where for word in ("docker", "libpod", "regreen-")) and argv:
            found.append(f"process {place.name} {argv[:200]!r} in {where}")
    return found


def mounts() -> set[str]:
    """Mounts of this machine, but those of other people's containers."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return {line for line in lines if not any(word in line for word in ("overlay", "/docker/", "netns", "/shm"))}
