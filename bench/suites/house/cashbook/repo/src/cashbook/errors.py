"""What can go wrong with a book."""

from __future__ import annotations


class BookError(Exception):
    """A line that cannot be read, or an entry that is wrong. `file` and `line` say where."""

    def __init__(self, why: str, file: str = "", line: int = 0) -> None:
        super().__init__(f"{file}:{line}: {why}" if file else why)
        self.why = why
        self.file = file
        self.line = line


class Unbalanced(BookError):
    """The postings of an entry do not come to zero."""


class NoPrice(BookError):
    """No price is known for that currency on that day."""
