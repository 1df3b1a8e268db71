"""Amounts of money that never lose a cent."""

from money.amount import CurrencyMismatch, Money
from money.invoice import Invoice, Line

__all__ = ["CurrencyMismatch", "Invoice", "Line", "Money"]
