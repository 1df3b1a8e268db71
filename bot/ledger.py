"""What Regreen remembers of a pull request beyond its jobs: who stopped it, its automatic attempts, their cost.

A count is by job id, so that a job that runs again after a crash is counted once.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from bot.store import Store

_SCHEMA = """
CREATE TABLE IF NOT EXISTS stops (repo_id INTEGER, number INTEGER, by TEXT, PRIMARY KEY (repo_id, number));
CREATE TABLE IF NOT EXISTS attempts (job TEXT PRIMARY KEY, repo_id INTEGER, number INTEGER);
CREATE INDEX IF NOT EXISTS attempts_of ON attempts (repo_id, number);
CREATE TABLE IF NOT EXISTS costs (job TEXT PRIMARY KEY, repo_id INTEGER, number INTEGER, usd REAL);
CREATE TABLE IF NOT EXISTS ends (job TEXT PRIMARY KEY, found TEXT);
CREATE TABLE IF NOT EXISTS pointers (job TEXT, waiting TEXT, PRIMARY KEY (job, waiting));
CREATE TABLE IF NOT EXISTS fixes (repo_id INTEGER, sha TEXT, found TEXT, PRIMARY KEY (repo_id, sha));
CREATE TABLE IF NOT EXISTS sweeps (one INTEGER PRIMARY KEY CHECK (one = 1), at TEXT);
CREATE TABLE IF NOT EXISTS results (repo_id INTEGER, number INTEGER, message TEXT, PRIMARY KEY (repo_id, number));
"""


class Ledger:
    """Stops, attempts and last results by (repository id, number of the pull request or issue)."""

    def __init__(self, path: Path) -> None:
        self._open = Store(path, _SCHEMA).open

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
        """A person asked: lift the stop and forget the automatic attempts and what they cost."""
        with self._open() as database:
            database.execute("DELETE FROM stops WHERE repo_id = ? AND number = ?", (repo_id, number))
            database.execute("DELETE FROM attempts WHERE repo_id = ? AND number = ?", (repo_id, number))
            database.execute("DELETE FROM costs WHERE repo_id = ? AND number = ?", (repo_id, number))

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

    def pay(self, job: str, repo_id: int, number: int, usd: float) -> None:
        """Enter what the models cost for a job, in US dollars, failed calls included."""
        with self._open() as database:
            database.execute("INSERT OR REPLACE INTO costs VALUES (?, ?, ?, ?)", (job, repo_id, number, usd))

    def paid(self, repo_id: int, number: int) -> float:
        """What the repairs of a pull request have cost since a person last asked, in US dollars."""
        with self._open() as database:
            (found,) = database.execute(
                "SELECT total(usd) FROM costs WHERE repo_id = ? AND number = ?", (repo_id, number)
            ).fetchone()
        return float(found)

    def fixed(self, repo_id: int, sha: str, found: str) -> None:
        """Keep what was published for a commit to which a fix was carried over."""
        with self._open() as database:
            database.execute("INSERT OR REPLACE INTO fixes VALUES (?, ?, ?)", (repo_id, sha, found))

    def fix_of(self, repo_id: int, sha: str) -> str | None:
        """What was published for a commit already; None where nothing was."""
        with self._open() as database:
            row = database.execute("SELECT found FROM fixes WHERE repo_id = ? AND sha = ?", (repo_id, sha)).fetchone()
        return str(row[0]) if row else None

    def point(self, job: str, waiting: str) -> None:
        """Somebody waits for the end of a job; `waiting` is for whoever reads it then."""
        with self._open() as database:
            database.execute("INSERT OR REPLACE INTO pointers VALUES (?, ?)", (job, waiting))

    def waiting(self, job: str) -> list[str]:
        """Who waits for the end of a job, in the order in which they came."""
        with self._open() as database:
            rows = database.execute("SELECT waiting FROM pointers WHERE job = ? ORDER BY rowid", (job,)).fetchall()
        return [str(row[0]) for row in rows]

    def ended(self, job: str, found: str) -> None:
        """Keep how a job came out, for those that come to wait for it later."""
        with self._open() as database:
            database.execute("INSERT OR REPLACE INTO ends VALUES (?, ?)", (job, found))

    def end_of(self, job: str) -> str | None:
        """How a job came out; None while it goes on, or where there was none."""
        with self._open() as database:
            row = database.execute("SELECT found FROM ends WHERE job = ?", (job,)).fetchone()
        return str(row[0]) if row else None

    def sweep(self, at: datetime) -> None:
        """Keep when red pull requests were last looked for."""
        with self._open() as database:
            database.execute("INSERT OR REPLACE INTO sweeps VALUES (1, ?)", (at.isoformat(),))

    def swept(self) -> datetime | None:
        """When red pull requests were last looked for; None where they never were."""
        with self._open() as database:
            row = database.execute("SELECT at FROM sweeps").fetchone()
        return datetime.fromisoformat(row[0]) if row else None

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
