"""Reads books."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from cashbook.amount import Amount
from cashbook.entries import Entry, Posting
from cashbook.errors import BookError
from cashbook.prices import Prices

_HEAD = re.compile(r"(?P<day>\d{4}-\d\d-\d\d)\s+(?P<sign>[*!])\s+(?P<payee>[^|]*?)\s*(?:\|\s*(?P<note>.*))?")
_TAG = re.compile(r"(?:^|(?<=\s))#([\w-]+)")


@dataclass
class Journal:
    """All entries of a book by day, those of one day in the order in which they were read."""

    entries: list[Entry] = field(default_factory=list)
    prices: Prices = field(default_factory=Prices)

    def until(self, day: date | None) -> list[Entry]:
        """Return the entries up to a day, that day included."""
        return [entry for entry in self.entries if day is None or entry.day <= day]


def load(path: str | Path) -> Journal:
    """Return the book in a file and in all that it includes. Raises BookError, OSError."""
    journal = Journal()
    _file(Path(path), journal, ())
    journal.entries.sort(key=lambda entry: entry.day)
    return journal


def parse(text: str, file: str = "") -> Journal:
    """Return the book in a text, which includes nothing. Raises BookError."""
    journal = Journal()
    for line, kind, words in _blocks(text.splitlines(), file):
        if kind == "include":
            raise BookError("a text cannot include a file", file, line)
        _block(kind, words, journal, file, line)
    journal.entries.sort(key=lambda entry: entry.day)
    return journal


def _file(path: Path, journal: Journal, above: tuple[Path, ...]) -> None:
    here = path.resolve()
    if here in above:
        raise BookError("the file includes itself", path.name, 0)
    for line, kind, words in _blocks(path.read_text(encoding="utf-8").splitlines(), path.name):
        if kind == "include":
            _file(path.parent / words[0].partition(" ")[2].strip(), journal, (*above, here))
        else:
            _block(kind, words, journal, path.name, line)


def _blocks(lines: list[str], file: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield (number of the first line, kind, lines) of all that belongs together."""
    block: list[str] = []
    first = 0
    for number, raw in enumerate(lines, start=1):
        line = _uncommented(raw)
        if not line.strip():
            continue
        if line[0] in " \t":
            if not block:
                raise BookError("a posting without an entry", file, number)
            block.append(line.strip())
            continue
        if block:
            yield first, _kind(block[0]), block
        block, first = [line.rstrip()], number
    if block:
        yield first, _kind(block[0]), block


def _uncommented(line: str) -> str:
    """A semicolon begins a comment, but not in a note."""
    if "|" in line and line.find("|") < line.find(";"):
        return line
    return line.partition(";")[0]


def _kind(line: str) -> str:
    word = line.split()[0]
    return word if word in ("price", "include") else "entry"


def _block(kind: str, words: list[str], journal: Journal, file: str, line: int) -> None:
    try:
        if kind == "price":
            _, day, currency, price = words[0].split(None, 3)
            journal.prices.set(date.fromisoformat(day), currency, Amount.parse(price))
        else:
            journal.entries.append(_entry(words, file, line).balanced())
    except BookError as error:
        if error.file:
            raise
        raise BookError(error.why, file, line) from error
    except ValueError as error:
        raise BookError(str(error), file, line) from error


def _entry(words: list[str], file: str, line: int) -> Entry:
    match = _HEAD.fullmatch(words[0])
    if match is None:
        raise BookError(f"{words[0]!r} is no entry", file, line)
    note = match["note"] or ""
    postings = tuple(_posting(word) for word in words[1:])
    if len(postings) < 2:
        raise BookError("an entry has two postings or more", file, line)
    return Entry(
        day=date.fromisoformat(match["day"]),
        payee=match["payee"],
        postings=postings,
        cleared=match["sign"] == "*",
        note=_TAG.sub("", note).strip(),
        tags=frozenset(_TAG.findall(note)),
        file=file,
        line=line,
    )


def _posting(text: str) -> Posting:
    account, *rest = re.split(r"\s{2,}|\t", text, maxsplit=1)
    return Posting(account, Amount.parse(rest[0]) if rest and rest[0].strip() else None)
