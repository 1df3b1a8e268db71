"""What a backend can and cannot promise on this machine, as it found out by trying."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Door = Literal[
    "network",
    "host files",
    "host processes",
    "root file system",
    "user namespace",
    "capabilities",
    "new privileges",
    "system calls",
    "memory",
    "processes",
    "cpu",
    "disk",
    "inodes",
    "file size",
    "build network",
]
"""What untrusted code could use or break, in the order in which people read about it."""

DOORS: tuple[Door, ...] = get_args(Door)


@dataclass(frozen=True)
class Guarantee:
    """One door: shut or not, and how; or why not, and what would shut it."""

    door: Door
    enforced: bool
    detail: str


@dataclass(frozen=True)
class Guarantees:
    """Every door of one backend on this machine, in the order of DOORS."""

    backend: str
    runtime: str
    """Program and version that makes the boxes."""
    cgroup: Literal["v1", "v2", "none"]
    each: tuple[Guarantee, ...]
    kind: str = ""
    """What makes the boxes, where that is not what `backend` is named after: podman, gvisor."""

    @property
    def missing(self) -> tuple[Guarantee, ...]:
        """The doors that are open."""
        return tuple(one for one in self.each if not one.enforced)

    def of(self, door: Door) -> Guarantee:
        return next(one for one in self.each if one.door == door)


def stated(found: dict[Door, tuple[bool, str]]) -> tuple[Guarantee, ...]:
    """Guarantees in their order; a door that nobody spoke of is open."""
    return tuple(Guarantee(door, *found.get(door, (False, "not looked at"))) for door in DOORS)
