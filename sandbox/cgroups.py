"""Control groups: what all processes of one box may use together, in version 1 and in version 2 of the kernel's."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sandbox import Limits, SandboxError

CONTROLLERS = ("memory", "pids", "cpu")
_PERIOD_US = 100_000
_EMPTY_S = 20.0


@dataclass(frozen=True)
class Groups:
    """Where this process may make groups: version, controller -> the folder that takes new groups."""

    version: Literal["v1", "v2", "none"] = "none"
    parents: Mapping[str, Path] = field(default_factory=dict)
    reason: str = ""
    """Why a controller is missing."""

    def folders(self, name: str) -> dict[str, Path]:
        """Controller -> folder that the group `name` would have."""
        return {controller: parent / name for controller, parent in self.parents.items()}


def find(proc: Path = Path("/proc/self")) -> Groups:
    """Look where groups can be made, from what the kernel says of this process."""
    mounts = [_mount(line) for line in (proc / "mountinfo").read_text("utf-8", "replace").splitlines()]
    unified = next((place for kind, place, _ in mounts if kind == "cgroup2" and "memory" in _words(place)), None)
    if unified is not None:
        own = next((line[3:] for line in (proc / "cgroup").read_text().splitlines() if line.startswith("0::")), "/")
        return _version_2(unified, own)
    found = {one: place for one in CONTROLLERS for kind, place, has in mounts if kind == "cgroup" and one in has}
    return _version_1(found)


def _mount(line: str) -> tuple[str, Path, set[str]]:
    """Kind, place and options of a line of mountinfo."""
    before, _, after = line.partition(" - ")
    kind, _, options = after.split(" ", 2)
    return kind, Path(before.split(" ")[4]), set(options.split(","))


def _version_1(places: Mapping[str, Path]) -> Groups:
    """Directly below each hierarchy's root, as engines do it: only root may."""
    if not places:
        return Groups(reason="no control groups are mounted")
    usable = {one: place for one, place in places.items() if os.access(place, os.W_OK)}
    lacking = [one for one in CONTROLLERS if one not in usable]
    why = f"no right to make control groups for {', '.join(lacking)}: version 1 gives it to root only"
    return Groups("v1", usable, why if lacking else "")


def _version_2(root: Path, own: str) -> Groups:
    """The nearest folder above this process that hands its controllers down to new groups."""
    place = root / own.strip("/")
    while True:
        if os.access(place, os.W_OK) and os.access(place / "cgroup.procs", os.W_OK):
            with contextlib.suppress(OSError):  # EBUSY: processes live in it
                if not set(CONTROLLERS) <= _words(place, "cgroup.subtree_control"):
                    (place / "cgroup.subtree_control").write_text(" ".join(f"+{one}" for one in CONTROLLERS))
            given = _words(place, "cgroup.subtree_control") & set(CONTROLLERS)
            if {"memory", "pids"} <= given:
                why = "" if "cpu" in given else f"{place} does not hand down cpu"
                return Groups("v2", dict.fromkeys((one for one in CONTROLLERS if one in given), place), why)
        if place == root or root not in place.parents:
            break
        place = place.parent
    why = "no control group here hands memory and pids down to this user: run as root or as a unit of systemd --user"
    return Groups("v2", {}, why)


def _words(place: Path, file: str = "cgroup.controllers") -> set[str]:
    try:
        return set((place / file).read_text("ascii").split())
    except OSError:
        return set()


def make(folders: Mapping[str, Path], version: str, limits: Limits) -> None:
    """Make the group with its limits. Raises SandboxError where the kernel refuses one."""
    try:
        for folder in set(folders.values()):
            folder.mkdir()
        for controller, file, value in _settings(version, limits):
            path = folders.get(controller, Path("/nonexistent")) / file
            # Swap has no file where the kernel does not count it; the rest must be there.
            if controller in folders and (path.exists() or "sw" not in file):
                path.write_text(value)
    except OSError as error:
        end(folders.values())
        raise SandboxError(f"the control group of a box cannot be made: {error}") from error


def _settings(version: str, limits: Limits) -> Iterator[tuple[str, str, str]]:
    memory, quota = str(limits.memory_mb << 20), int(limits.cpus * _PERIOD_US)
    if version == "v2":
        yield "memory", "memory.max", memory
        yield "memory", "memory.swap.max", "0"
        yield "cpu", "cpu.max", f"{quota} {_PERIOD_US}"
    else:
        yield "memory", "memory.limit_in_bytes", memory
        yield "memory", "memory.memsw.limit_in_bytes", memory  # equal: no swap
        yield "cpu", "cpu.cfs_period_us", str(_PERIOD_US)
        yield "cpu", "cpu.cfs_quota_us", str(quota)
    yield "pids", "pids.max", str(limits.pids)


def end(folders: Iterable[Path]) -> None:
    """Kill what is in the group and remove it. Raises SandboxError when it stays.

    Both in turn: after a crash, a process may join a group that was seen empty.
    """
    places, late = set(folders), time.monotonic() + _EMPTY_S
    while places := {place for place in places if not _removed(place)}:
        if time.monotonic() > late:
            left = sorted(pid for place in places for pid in _pids(place))
            raise SandboxError(f"a box does not end: processes {left} in {sorted(map(str, places))}")
        for place in places:
            _kill(place)
        time.sleep(0.005)


def _removed(place: Path) -> bool:
    """Remove an empty group; the kernel may need a moment after its last process has gone."""
    try:
        place.rmdir()
    except FileNotFoundError:
        return True
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise SandboxError(f"the control group of a box cannot be removed: {error}") from error
        return False
    return True


def _pids(place: Path) -> list[int]:
    try:
        return [int(word) for word in (place / "cgroup.procs").read_text("ascii").split()]
    except OSError:
        return []


def _kill(place: Path) -> None:
    for pid in _pids(place):
        kill(pid, functools.partial(_holds, place, pid))


def _holds(place: Path, pid: int) -> bool:
    return pid in _pids(place)


def kill(pid: int, still: Callable[[], bool]) -> None:
    """Kill a process for which `still` holds. Asked with a handle on it: numbers are used again."""
    with contextlib.suppress(OSError):
        handle = os.pidfd_open(pid)
        try:
            if still():
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)


def memory_kills(folders: Iterable[Path]) -> int:
    """How many processes of the group the kernel has killed for memory."""
    files = [folder / name for folder in set(folders) for name in ("memory.events", "memory.oom_control")]
    texts = [file.read_text("ascii") for file in files if file.exists()]
    return sum(int(line.split()[1]) for text in texts for line in text.splitlines() if line.startswith("oom_kill "))
