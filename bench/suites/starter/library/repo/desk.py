"""Loans of a small town library."""

from datetime import timedelta

LOAN_DAYS = 21
CENTS_A_DAY = 20
MOST_CENTS = 500
MOST_BOOKS = 5


def due(borrowed):
    """Return the last day on which the book can come back for free."""
    return borrowed + timedelta(days=LOAN_DAYS)


def fine(borrowed, returned):
    """Return the fine in cents: for each day after the last free one, up to a limit."""
    late = (returned - due(borrowed)).days
    return min(max(late, 0) * CENTS_A_DAY, MOST_CENTS)


def may_borrow(books_out, cents_owed):
    """Whether a reader may take one more book: with a free place on the card and nothing owed."""
    return books_out < MOST_BOOKS and cents_owed == 0


def shelf_mark(author, title):
    """Return the label for a book's spine: three letters of the author and one of the title."""
    return f"{author[:3].upper()} {title[:1].lower()}"
