"""The virtual environments that Regreen made for running without isolation."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from sandbox.none import DONE, TOOLS_KEY, lock_name
from sandbox.prune import Made
from sandbox.shelf import size_bytes, taken_away

NAME = "none"


class VenvStock:
    """A Stock of environments below the state folder of the backend without isolation; its tools are their base."""

    name = NAME

    def __init__(self, state: Path) -> None:
        self._state = state

    def made(self) -> list[Made]:
        if not os.access(self._state, os.R_OK | os.X_OK):
            return []
        running, found = _arguments(), []
        for done in self._state.glob(f"*/{DONE}"):
            with suppress(OSError):  # it is being removed
                found.append(_made(done, in_use=f"{done.parent}/" in running))
        return found

    def remove(self, image: Made, *, though_used: bool) -> str:
        mark = self._state / image.key / DONE
        return taken_away(mark, image, lock=lock_name(image.key), though_used=though_used)


def _made(done: Path, *, in_use: bool) -> Made:
    folder, own_bytes = done.parent, size_bytes(done.parent)
    return Made(
        id=folder.name, kind="base" if folder.name == TOOLS_KEY else "dependencies", key=folder.name,
        created=folder.stat().st_mtime, last_used=done.stat().st_mtime, size_bytes=own_bytes, own_bytes=own_bytes,
        layers=1, in_use=in_use, stock=NAME,
    )  # fmt: skip


def _arguments() -> str:
    """Arguments of all processes that we may see: one that runs from an environment names it."""
    words = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # the process is gone
            words.append(place.read_bytes().decode("utf-8", "replace"))
    return "\n".join(words)
