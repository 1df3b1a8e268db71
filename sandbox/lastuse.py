"""When an image was last used, which the engine does not know: the stamp of one empty file for each image."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def mark(image_id: str) -> None:
    """This image is used now. One system call or two; a place that cannot be written to costs only accuracy."""
    path = _folder() / _name(image_id)
    with contextlib.suppress(OSError):
        try:
            path.touch()
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


def last_use(image_id: str) -> float | None:
    """Seconds since the epoch; None for an image that was never marked by this user on this machine."""
    try:
        return (_folder() / _name(image_id)).stat().st_mtime
    except OSError:
        return None


def forget(image_id: str) -> None:
    """The image is gone."""
    with contextlib.suppress(OSError):
        (_folder() / _name(image_id)).unlink()


def _folder() -> Path:
    """Beside the lock files of the image builds: both speak of this user's share of one machine."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "regreen", "used")


def _name(image_id: str) -> str:
    return image_id.replace(":", "-")
