"""Files that the server's own user alone may read, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path


def write(place: Path, text: str) -> None:
    """Write the file, in place of one that is there. Raises OSError."""
    with _draft(place, text) as draft:
        draft.replace(place)


def write_new(place: Path, text: str) -> None:
    """Write the file unless it is there: another process may make it at the same time, and then its own holds."""
    with _draft(place, text) as draft, contextlib.suppress(FileExistsError):
        os.link(draft, place)


@contextlib.contextmanager
def _draft(place: Path, text: str) -> Iterator[Path]:
    """The whole text beside its place; gone at the end of the `with` block, unless it was moved."""
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = place.with_name(f"{place.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)
