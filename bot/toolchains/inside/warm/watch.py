"""Notices in a child what swapped code cannot show: somebody reads the changed file, or starts another program."""

from __future__ import annotations

import os
import sys
from typing import Any, Optional, Tuple

from .quick import Quick

_PROGRAMS = {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn"}


class Watch:
    """One for each process: an audit hook stays until the end."""

    def __init__(self, quick: Quick) -> None:
        self._quick = quick
        self.seen = False
        self._path: Optional[str] = None
        self._name = ""
        sys.addaudithook(self._hear)

    def start(self, path: str) -> None:
        """`path` is the changed file, absolute."""
        self.seen, self._path, self._name = False, path, os.path.basename(path)

    def stop(self) -> bool:
        """True when what was seen cannot be believed."""
        self._path = None
        return self.seen

    def _hear(self, event: str, arguments: Tuple[Any, ...]) -> None:
        if self._path is None or self._quick.reporting:
            return
        if event in _PROGRAMS:
            self.seen = True
        elif event == "open" and isinstance(arguments[0], (str, bytes)):
            name = os.fsdecode(arguments[0])
            if name.endswith(self._name) and os.path.realpath(name) == os.path.realpath(self._path):
                self.seen = True
