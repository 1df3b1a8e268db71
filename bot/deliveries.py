"""The last webhook deliveries, and what was decided about each: for an operator who asks why nothing happened.

Only signed deliveries get a row, so that nobody else can push rows out; what
was turned away before that is counted by its reason. Nothing here decides anything.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from bot.escape import plain
from bot.store import Store

KEPT = 1000
"""Older rows are dropped."""
MAX_CHARS = 300
"""Of one field: all of them come from outside."""

Decision = Literal["accepted", "known", "skipped", "failed", "job", "answered", "declined", "noted"]
"""accepted: stored; once it was looked at it becomes `job`, `answered`, `declined`, or `noted`: it only ended work.
known: a redelivery. failed: not stored."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS deliveries (
    id TEXT, event TEXT, action TEXT, repo TEXT, decision TEXT, reason TEXT, at TEXT);
CREATE INDEX IF NOT EXISTS deliveries_by_id ON deliveries (id);
CREATE TABLE IF NOT EXISTS refused (reason TEXT PRIMARY KEY, count INTEGER, last TEXT);
"""
# A crash of the machine may cost the last rows of this table, never those of the job queue.
_OPEN = ("PRAGMA synchronous=NORMAL",)


@dataclass(frozen=True)
class Delivery:
    """One signed delivery: what came, and what was decided about it, with the reason."""

    id: str
    event: str
    action: str
    repo: str
    decision: Decision
    reason: str = ""
    at: str = ""


@dataclass(frozen=True)
class Refusal:
    """How often, and when last, requests were turned away at the door for a reason."""

    reason: str
    count: int
    last: str


class Deliveries:
    """Keeps them."""

    def __init__(self, path: Path) -> None:
        self._open = Store(path, _SCHEMA, *_OPEN).open

    def keep(self, delivery: Delivery) -> int:
        """Enter a delivery; what others wrote in it is cut, and cleaned of secrets and invisible characters.

        Returns the number of its row.
        """
        row = [_harmless(value) for value in astuple(delivery)[:-1]]
        with self._open() as database:
            entered = database.execute("INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, _now()))
            row_id = entered.lastrowid or 0
            database.execute("DELETE FROM deliveries WHERE rowid <= ?", (row_id - KEPT,))
        return row_id

    def amend(self, row_id: int, decision: Decision, reason: str = "") -> None:
        """Correct what was entered, before anybody else has looked at it."""
        with self._open() as database:
            database.execute(
                "UPDATE deliveries SET decision = ?, reason = ? WHERE rowid = ?", (decision, reason, row_id)
            )

    def decide(self, delivery: str, decision: Decision, reason: str) -> None:
        """Say what became of an accepted delivery."""
        with self._open() as database:
            database.execute(
                "UPDATE deliveries SET decision = ?, reason = ? WHERE id = ? AND decision = 'accepted'",
                (decision, _harmless(reason), delivery),
            )

    def refuse(self, reason: str) -> None:
        """Count a request that was turned away. `reason` is a sentence of ours: there are few of them."""
        with self._open() as database:
            database.execute(
                "INSERT INTO refused VALUES (?, 1, ?)"
                " ON CONFLICT (reason) DO UPDATE SET count = count + 1, last = excluded.last",
                (reason, _now()),
            )

    def last(self, count: int = 100) -> list[Delivery]:
        """The newest deliveries, newest first."""
        with self._open() as database:
            rows = database.execute("SELECT * FROM deliveries ORDER BY rowid DESC LIMIT ?", (count,)).fetchall()
        return [Delivery(*row) for row in rows]

    def refusals(self) -> list[Refusal]:
        """What was turned away, by its reason."""
        with self._open() as database:
            rows = database.execute("SELECT * FROM refused ORDER BY last DESC").fetchall()
        return [Refusal(*row) for row in rows]


def _harmless(text: str) -> str:
    # SQLite takes no half of a surrogate pair, which JSON allows.
    whole = " ".join(plain(text[: 10 * MAX_CHARS].encode("utf-8", "replace").decode()).split())
    return whole if len(whole) <= MAX_CHARS else whole[: MAX_CHARS - 1] + "…"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
