"""Double-entry bookkeeping in plain text."""

from cashbook.amount import Amount, Sum
from cashbook.entries import Entry, Posting
from cashbook.errors import BookError, Unbalanced
from cashbook.journal import Journal, load
from cashbook.prices import Prices

__version__ = "0.7.0"
__all__ = ["Amount", "BookError", "Entry", "Journal", "Posting", "Prices", "Sum", "Unbalanced", "load"]
