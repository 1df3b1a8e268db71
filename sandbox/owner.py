"""Whose box a container is: labels that tell a living controller's boxes from those of a dead one."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

_OWNER, _CONTROLLER, _DEADLINE = "regreen.box.owner", "regreen.box.controller", "regreen.box.deadline"
_GRACE_S = 60.0


class Claim:
    """The labels of one owner on one controller process."""

    def __init__(self, owner: str) -> None:
        self.owner = owner

    @property
    def filter(self) -> str:
        return f"{_OWNER}={self.owner}"

    def labels(self, seconds: float) -> dict[str, str]:
        """Labels of a box that this process makes now and that must be gone in `seconds`."""
        return {
            _OWNER: self.owner,
            _CONTROLLER: f"{machine()} {os.getpid()} {started(os.getpid())}",
            _DEADLINE: str(int(time.time() + seconds)),
        }

    def is_orphan(self, labels: Mapping[str, str]) -> bool:
        """True when nobody will come back for this box: its time is over, or its controller has died.

        A controller on another machine, or in another container, cannot be looked up from here: its boxes
        are left alone until their deadline.
        """
        if labels.get(_OWNER) != self.owner:
            return False
        if _number(labels.get(_DEADLINE)) + _GRACE_S < time.time():
            return True
        where, _, process = labels.get(_CONTROLLER, "").partition(" ")
        pid, _, start = process.partition(" ")
        return where == machine() != "" and started(int(_number(pid))) != start

    @staticmethod
    def blank() -> dict[str, str]:
        """Labels for an image that is made from a box: an image's labels go over to its containers."""
        return dict.fromkeys((_OWNER, _CONTROLLER, _DEADLINE), "")


def machine() -> str:
    """This boot and process namespace: where a process number means what it says. Empty where unknown."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        space = Path("/proc/self/ns/pid").readlink().name
    except OSError:
        return ""
    return f"{boot}/{space}"


def started(pid: int) -> str:
    """When the process started, in ticks since boot; empty when there is none. Numbers are used again."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    fields = line.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]


def _number(text: str | None) -> float:
    try:
        return float(text or "0")
    except ValueError:
        return 0.0
