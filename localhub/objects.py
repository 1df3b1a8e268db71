"""What git stores, as records, and how git writes them down."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

ZERO = "0" * 40


@dataclass(frozen=True)
class Signature:
    """Who wrote or committed, and when."""

    name: str
    email: str
    date: datetime


@dataclass(frozen=True)
class Commit:
    """One commit object, read."""

    sha: str
    tree: str
    parents: list[str]
    author: Signature
    committer: Signature
    message: str


@dataclass(frozen=True)
class Entry:
    """One line of a tree."""

    mode: str
    type: str
    sha: str
    size: int | None
    path: str


@dataclass(frozen=True)
class Change:
    """One entry of a new tree; `sha` None deletes the path."""

    path: str
    mode: str
    sha: str | None


@dataclass(frozen=True)
class FileDiff:
    """One changed file between two trees."""

    path: str
    previous: str | None
    status: str
    sha: str
    additions: int
    deletions: int
    patch: str | None


def entry(line: str) -> Entry:
    facts, _, path = line.partition("\t")
    mode, kind, sha, size = facts.split()
    return Entry(mode, kind, sha, None if size == "-" else int(size), path)


def index_line(change: Change) -> bytes:
    facts = f"{change.mode} {change.sha}" if change.sha else f"0 {ZERO}"
    return f"{facts}\t{change.path}\0".encode(errors="surrogateescape")


def signature(text: str) -> Signature:
    who, _, when = text.rpartition("> ")
    name, _, email = who.partition(" <")
    seconds, zone = when.split()
    sign = -1 if zone[0] == "-" else 1
    offset = timezone(sign * timedelta(hours=int(zone[1:3]), minutes=int(zone[3:5])))
    return Signature(name, email, datetime.fromtimestamp(int(seconds), tz=offset))


def written(who: Signature) -> str:
    date = who.date if who.date.tzinfo else who.date.replace(tzinfo=UTC)
    return f"{clean(who.name)} <{clean(who.email)}> {int(date.timestamp())} {date.strftime('%z')}"


def clean(text: str) -> str:
    """git ends a name at an angle bracket or a line break."""
    return "".join(letter for letter in text if letter not in "<>\n\0").strip()
