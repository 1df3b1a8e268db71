"""The images that Regreen made as folders, for boxes without an engine."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sandbox import SandboxError
from sandbox.prune import Made
from sandbox.recipes import locked
from sandbox.roots import NOTE
from sandbox.traces import discard

NAME = "bubblewrap"


class FolderStock:
    """A Stock of folders below the state folder of the bubblewrap backend."""

    name = NAME

    def __init__(self, state: Path) -> None:
        self._images = state / "images"

    def answers(self) -> bool:
        """Whether there is such a folder, which this user may read."""
        return os.access(self._images, os.R_OK | os.X_OK)

    def made(self) -> list[Made]:
        if not self.answers():
            return []
        mounts = _mounts()
        found = []
        for note in self._images.glob(f"[!.]*/{NOTE}"):
            with suppress(OSError, ValueError):  # it is being removed, or was cut short by hand
                found.append(_made(note, in_use=f"/images/{note.parent.name}/" in mounts))
        own = {image.id: image.own_bytes for image in found}
        return [replace(one, size_bytes=one.own_bytes + own.get(one.made_from, 0)) for one in found]

    def remove(self, image: Made, *, though_used: bool) -> str:
        return taken_away(self._images / image.key / NOTE, image, lock=image.key, though_used=though_used)


def _made(note: Path, *, in_use: bool) -> Made:
    folder = note.parent
    known = json.loads(note.read_text("utf-8"))
    own_bytes = size_bytes(folder)
    return Made(
        id=f"{folder.name}@{known['digest']}", kind="dependencies" if known["base"] else "base", key=folder.name,
        created=folder.stat().st_mtime, last_used=note.stat().st_mtime, size_bytes=own_bytes, own_bytes=own_bytes,
        layers=2 if known["base"] else 1, made_from=known["base"] or "", in_use=in_use, stock=NAME,
    )  # fmt: skip


def taken_away(mark: Path, image: Made, *, lock: str, though_used: bool) -> str:
    """Remove the folder of `mark`, the file whose time is that of the last use. Why not; empty when it is gone."""
    with locked(lock):  # whoever finds an image holds this lock until it is marked
        try:
            used = mark.stat().st_mtime
        except OSError:
            return "it was gone already"
        if not though_used and used > image.last_used:
            return "it was used just now"
        try:
            mark.unlink()  # a folder without it is no image, and is made anew: half a removal harms nobody
            discard(mark.parent)
        except (OSError, SandboxError) as error:
            return str(error)
    return ""


def size_bytes(folder: Path) -> int:
    """What it takes on disk; hard links within it count once."""
    seen = {}
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                found = Path(place, name).lstat()
                seen[found.st_ino] = found.st_blocks * 512
    return sum(seen.values())


def _mounts() -> str:
    """Mounts of all processes whose mounts we may see: a box mounts folders of its image."""
    lines: set[str] = set()
    for table in Path("/proc").glob("[0-9]*/mountinfo"):
        with suppress(OSError):  # the process is gone, or not ours
            lines.update(table.read_text("utf-8", "replace").splitlines())
    return "\n".join(lines)
