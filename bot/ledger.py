"""What Regreen remembers of a pull request beyond its jobs: who stopped it, and how often it was tried by itself.

A SQLite file beside the job database. Each call is one short transaction of its own connection, so that any thread
may ask; a count is by job id, so that a job that runs again after a crash is counted once.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

_SCHEMA = """
CREATE TABLE IF NOT EXISTS stops (repo_id INTEGER, number INTEGER, by TEXT, PRIMARY KEY (repo_id, number));
CREATE TABLE IF NOT EXISTS attempts (job TEXT PRIMARY KEY, repo_id INTEGER, number INTEGER);
CREATE INDEX IF NOT EXISTS attempts_of ON attempts (repo_id, number);
CREATE TABLE IF NOT EXISTS results (repo_id INTEGER, number INTEGER, message TEXT, PRIMARY KEY (repo_id, number));
"""


class Ledger:
    """Stops, attempts and last results by (repository id, number of the pull request or issue)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.executescript(_SCHEMA)
        path.chmod(0o600)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with contextlib.closing(sqlite3.connect(self._path, timeout=30)) as database, database:
            yield database

    def stop(self, repo_id: int, number: int, by: str) -> None:
        """No automatic work for this pull request from now on."""
        with self._open() as database:
            database.execute("INSERT OR REPLACE INTO stops VALUES (?, ?, ?)", (repo_id, number, by))

    def stopped_by(self, repo_id: int, number: int) -> str | None:
        """Who stopped the work on a pull request; None where nobody did."""
        with self._open() as database:
            found = database.execute(
                "SELECT by FROM stops WHERE repo_id = ? AND number = ?", (repo_id, number)
            ).fetchone()
        return str(found[0]) if found else None

    def forgive(self, repo_id: int, number: int) -> None:
        """A person asked: lift the stop and forget the automatic attempts."""
        with self._open() as database:
            database.execute("DELETE FROM stops WHERE repo_id = ? AND number = ?", (repo_id, number))
            database.execute("DELETE FROM attempts WHERE repo_id = ? AND number = ?", (repo_id, number))

    def count(self, job: str, repo_id: int, number: int) -> int:
        """Enter an automatic attempt, and return which one for its pull request this is: 1, 2, …"""
        with self._open() as database:
            database.execute("INSERT OR IGNORE INTO attempts VALUES (?, ?, ?)", (job, repo_id, number))
            (found,) = database.execute(
                "SELECT count(*) FROM attempts WHERE repo_id = ? AND number = ?"
                " AND rowid <= (SELECT rowid FROM attempts WHERE job = ?)",
                (repo_id, number, job),
            ).fetchone()
        return int(found)

    def attempts(self, repo_id: int, number: int) -> int:
        """How many automatic attempts are entered."""
        with self._open() as database:
            (found,) = database.execute(
                "SELECT count(*) FROM attempts WHERE repo_id = ? AND number = ?", (repo_id, number)
            ).fetchone()
        return int(found)

    def conclude(self, repo_id: int, number: int, message: str) -> None:
        """Keep how the last job of a pull request ended, for `/regreen explain`."""
        with self._open() as database:
            database.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", (repo_id, number, message))

    def last(self, repo_id: int, number: int) -> str:
        """How the last job that ended came out; empty where none has."""
        with self._open() as database:
            found = database.execute(
                "SELECT message FROM results WHERE repo_id = ? AND number = ?", (repo_id, number)
            ).fetchone()
        return str(found[0]) if found else ""
