"""Entries and their postings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from cashbook.amount import Amount, Sum
from cashbook.errors import Unbalanced


@dataclass(frozen=True)
class Posting:
    """An account gets an amount; None gets what is missing."""

    account: str
    amount: Amount | None


@dataclass(frozen=True)
class Entry:
    """What happened on one day. Equal entries may stand in a book twice."""

    day: date
    payee: str
    postings: tuple[Posting, ...]
    cleared: bool = True
    note: str = ""
    tags: frozenset[str] = frozenset()
    file: str = ""
    line: int = 0

    def balanced(self) -> Entry:
        """Return the entry with all amounts filled in. Raises Unbalanced."""
        left = Sum(posting.amount for posting in self.postings if posting.amount is not None)
        open_ = [posting for posting in self.postings if posting.amount is None]
        if len(open_) > 1:
            raise Unbalanced("more than one posting has no amount", self.file, self.line)
        if not open_:
            if left:
                raise Unbalanced(f"{left} too much", self.file, self.line)
            return self
        filled = tuple(Posting(open_[0].account, -amount) for amount in left)
        return replace(self, postings=tuple(self._filled(filled)))

    def _filled(self, filled: tuple[Posting, ...]) -> list[Posting]:
        postings: list[Posting] = []
        for posting in self.postings:
            postings.extend(filled if posting.amount is None else (posting,))
        return postings

    def touches(self, account: str) -> bool:
        """Whether a posting goes to the account or one of its children."""
        return any(within(posting.account, account) for posting in self.postings)


def within(account: str, parent: str) -> bool:
    """Whether an account is another one or one of its children."""
    return account == parent or account.startswith(f"{parent}:")


def parents(account: str) -> list[str]:
    """Return the account and all above it, the highest first."""
    parts = account.split(":")
    return [":".join(parts[:count]) for count in range(1, len(parts) + 1)]
