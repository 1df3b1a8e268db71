"""How much of this machine's disk one image build may take: looked at while its steps run."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path

BUILD_BYTES = 8 << 30
"""What one build may write, tools and caches included. REGREEN_BUILD_DISK_MB says otherwise."""
RESERVE_BYTES = 1 << 30
"""A build is stopped as well when no more than this is left on the disk: what it has deleted and still holds
open counts nowhere else."""
FILE_BYTES = 4 << 30
"""How large one file of a build may grow."""
_LOOK_S = 1.0


def allowance() -> int:
    megabytes = os.environ.get("REGREEN_BUILD_DISK_MB", "")
    return int(megabytes) << 20 if megabytes.isdigit() and int(megabytes) else BUILD_BYTES


class Allowance:
    """One build's share. `used` is asked now and then, and more seldom where the answer takes long."""

    def __init__(self, used: Callable[[], int], place: Path) -> None:
        """`place` is on the disk that is written to; it need not be there, as with an engine elsewhere."""
        self._used, self._place, self._bytes = used, place, allowance()
        self._next = 0.0

    def exceeded(self) -> str | None:
        """What is too much, in words; None when there is nothing to say, or it was asked a moment ago."""
        started = time.monotonic()
        if started < self._next:
            return None
        reason = self.exceeded_now()
        took = time.monotonic() - started
        self._next = time.monotonic() + max(_LOOK_S, 10 * took)
        return reason

    def exceeded_now(self) -> str | None:
        if self._used() > self._bytes:
            mb = self._bytes >> 20
            return f"the build takes more than {mb} MB of disk: REGREEN_BUILD_DISK_MB allows more"
        if self._place.is_dir() and shutil.disk_usage(self._place).free < RESERVE_BYTES:
            return f"less than {RESERVE_BYTES >> 20} MB are left on the disk of {self._place}"
        return None


def used(folders: Iterable[Path]) -> int:
    """Bytes on disk of all files below; what vanishes meanwhile does not count. No link is followed."""
    total, left = 0, [str(folder) for folder in folders]
    while left:
        try:
            with os.scandir(left.pop()) as entries:
                for entry in entries:
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        left.append(entry.path)
        except OSError:
            continue
    return total
