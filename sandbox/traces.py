"""What a box may leave on this machine, written down before it is made, so that the next start can remove it."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import secrets
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from sandbox import SandboxError, cgroups
from sandbox.owner import Claim, started

MARK = "REGREEN_BOX"
"""In the environment of the programs that make a box, not of those in it: the box's name."""


class Traces:
    """One small file per living box in `folder`: whose it is, its control groups and its folders."""

    def __init__(self, folder: Path, claim: Claim) -> None:
        self._folder, self._claim = folder, claim

    @contextlib.contextmanager
    def kept(
        self, name: str, seconds: float, *, groups: Iterable[Path] = (), folders: Iterable[Path] = ()
    ) -> Iterator[None]:
        """While the context is open, what is named can be found by `reap`; at its end it is removed."""
        record = self._folder / f"{os.getpid()}.{started(os.getpid())}.{name}"
        places = {"groups": [str(one) for one in groups], "folders": [str(one) for one in folders]}
        record.write_text(json.dumps({"labels": self._claim.labels(seconds), **places}), "utf-8")
        try:
            yield
        finally:
            _clear(places)
            record.unlink()

    def reap(self) -> int:
        """Remove what killed controllers left behind; how many boxes that was."""
        records = sorted(self._folder.glob("*")) if self._folder.is_dir() else []
        return sum(self._reaped(record) for record in records)

    def living(self) -> int:
        """How many boxes are written down."""
        return len(list(self._folder.glob("*"))) if self._folder.is_dir() else 0

    def _reaped(self, record: Path) -> bool:
        try:
            known = json.loads(record.read_text("utf-8"))
        except FileNotFoundError:
            return False
        except ValueError:  # killed while it was writing: nothing was made yet
            pid, start, _ = record.name.split(".", 2)
            if started(int(pid)) == start:
                return False
            known = {"labels": None}
        if known["labels"] is not None and not self._claim.is_orphan(known["labels"]):
            return False
        _kill_marked(record.name.split(".", 2)[2])
        _clear(known)
        record.unlink(missing_ok=True)
        return True


def new_name() -> str:
    """A name that no other box has or had."""
    return f"regreen-{secrets.token_hex(8)}"


def _kill_marked(name: str) -> None:
    """Kill the processes that carry the box's mark: a bwrap that was started, and not yet told to go on.

    In that moment it does not notice that its parent has died, and it would wait for ever.
    """
    mark = f"{MARK}={name}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        if _carries(place, mark):
            cgroups.kill(int(place.name), functools.partial(_carries, place, mark))


def _carries(place: Path, mark: bytes) -> bool:
    try:
        return mark in (place / "environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _clear(places: dict[str, list[str]]) -> None:
    cgroups.end(Path(one) for one in places.get("groups", ()))
    for folder in places.get("folders", ()):
        discard(Path(folder))


def discard(folder: Path) -> None:
    """Remove a tree, however deep, folders that somebody has shut against us included. Follows no link."""
    for preparation in ([], ["chmod", "-R", "u+rwX", "--", str(folder)]):
        if os.path.lexists(folder):
            if preparation:
                subprocess.run(preparation, capture_output=True, check=False)
            subprocess.run(["rm", "-rf", "--", str(folder)], capture_output=True, check=False)
    if os.path.lexists(folder):
        raise SandboxError(f"the folder {folder} cannot be removed")
