"""A SQLite file of ours beside the job database."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path


class Store:
    """Each use is one short transaction of its own connection, so that any thread may ask."""

    def __init__(self, path: Path, schema: str, *pragmas: str) -> None:
        """Made at need, readable by its owner alone. `schema` is carried out now, `pragmas` on each connection."""
        self._path, self._pragmas = path, pragmas
        path.parent.mkdir(parents=True, exist_ok=True)
        with self.open() as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.executescript(schema)
        path.chmod(0o600)

    @contextlib.contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """A transaction: committed at the end of the `with` block, undone by an error in it."""
        with contextlib.closing(sqlite3.connect(self._path, timeout=30)) as database, database:
            for pragma in self._pragmas:
                database.execute(pragma)
            yield database
