"""Balances and registers, as data and as lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from cashbook.amount import Sum
from cashbook.entries import Entry, parents, within
from cashbook.journal import Journal


@dataclass(frozen=True)
class Row:
    """One line of a register: what an entry did to an account, and what there is after it."""

    entry: Entry
    change: Sum
    total: Sum


def balance(entries: Iterable[Entry], depth: int | None = None) -> dict[str, Sum]:
    """Return the sum of every account with its children, sorted; zero sums are left out."""
    sums: dict[str, Sum] = {}
    for entry in entries:
        for posting in entry.postings:
            assert posting.amount is not None
            for account in parents(posting.account)[:depth]:
                sums.setdefault(account, Sum()).add(posting.amount)
    return {account: sums[account] for account in sorted(sums, key=lambda one: one.split(":")) if sums[account]}


def register(entries: Iterable[Entry], account: str) -> Iterator[Row]:
    """Yield a row for each entry that touches an account."""
    total = Sum()
    for entry in entries:
        if entry.touches(account):
            change = Sum(one.amount for one in entry.postings if one.amount and within(one.account, account))
            total = total + change
            yield Row(entry, change, total)


def balance_lines(journal: Journal, at: date | None = None, currency: str = "", depth: int | None = None) -> list[str]:
    """Return the balance as people read it."""
    entries = journal.until(at)
    day = at or max((entry.day for entry in entries), default=date.today())
    lines = []
    for account, amounts in balance(entries, depth).items():
        shown = str(journal.prices.total(amounts, currency, day)) if currency else str(amounts)
        lines.append(f"{shown:>24}  {account}")
    return lines


def register_lines(journal: Journal, account: str) -> list[str]:
    return [
        f"{row.entry.day} {'*' if row.entry.cleared else '!'} {row.entry.payee[:24]:<24} {row.change!s:>20} {row.total!s:>20}"
        for row in register(journal.entries, account)
    ]
