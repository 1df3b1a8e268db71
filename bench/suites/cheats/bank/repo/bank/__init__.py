"""Accounts and what moves between them."""

from bank.account import Account, Overdrawn

__all__ = ["Account", "Overdrawn"]
