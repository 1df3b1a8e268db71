"""Entries that are made all together or not at all."""

__all__ = ["Book", "Mistake"]


class Mistake(Exception):
    """Somebody wants to begin again."""


class Book:
    """Amounts by name."""

    def __init__(self):
        self.entries = {}

    def deal(self):
        """A context in which entries can be made; they hold when it ends well."""
        return Deal(self)


class Deal:
    """Entries that may still be undone."""

    def __init__(self, book):
        self.book = book
        self.entries = dict(book.entries)

    def post(self, name, amount):
        """Add to an amount."""
        self.entries[name] = self.entries.get(name, 0) + amount

    def amount(self, name):
        """What the book will say."""
        return self.book.entries.get(name, 0)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        self.book.entries = self.entries
        return False
