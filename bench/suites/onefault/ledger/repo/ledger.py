"""Accounts with transactions that happen as a whole or not at all."""

from contextlib import contextmanager


class LedgerError(Exception):
    """The booking is not allowed."""


class Account:
    """A balance in cents that may not fall below minus the limit."""

    def __init__(self, owner, balance=0, limit=0):
        self.owner = owner
        self.limit = limit
        self._balance = balance
        self._entries = [balance] if balance else []

    @property
    def balance(self):
        return self._balance

    @property
    def entries(self):
        """All bookings, the oldest first; a copy."""
        return list(self._entries)

    @property
    def available(self):
        return self._balance + self.limit

    def deposit(self, cents):
        if cents <= 0:
            raise LedgerError("a deposit must be positive")
        self._book(cents)

    def withdraw(self, cents):
        if cents <= 0:
            raise LedgerError("a withdrawal must be positive")
        if cents > self.available:
            raise LedgerError(f"{self.owner} has only {self.available}")
        self._book(-cents)

    def _book(self, cents):
        self._balance += cents
        self._entries.append(cents)

    def interest(self, percent, days, year=365):
        """Interest in cents for some days, rounded to the nearest cent."""
        return round(self._balance * percent / 100 * days / year)


class SavingsAccount(Account):
    """Pays a bonus with the first deposit, and never lends."""

    BONUS = 500

    def __init__(self, owner, balance=0):
        super().__init__(owner, balance, limit=0)
        self.bonus_paid = False

    def deposit(self, cents):
        super().deposit(cents)
        if not self.bonus_paid:
            self._book(self.BONUS)
            self.bonus_paid = True


class Bank:
    """Accounts by owner."""

    def __init__(self):
        self.accounts = {}
        self.log = []

    def open(self, account):
        """Returns the account; LedgerError when the owner has one already."""
        if account.owner in self.accounts:
            raise LedgerError(f"{account.owner} has an account")
        self.accounts[account.owner] = account
        return account

    @contextmanager
    def transaction(self, name):
        """All bookings inside happen, or none of them when an exception leaves the block."""
        before = {owner: (one._balance, one.entries) for owner, one in self.accounts.items()}
        try:
            yield self
        except Exception:
            for owner, (balance, entries) in before.items():
                self.accounts[owner]._balance = balance
                self.accounts[owner]._entries = entries
            self.log.append(f"{name}: undone")
            raise
        self.log.append(f"{name}: done")

    def transfer(self, source, target, cents):
        """Move money from one owner to another."""
        with self.transaction(f"{source} to {target}"):
            self.accounts[source].withdraw(cents)
            self.accounts[target].deposit(cents)

    def total(self):
        """All money in the bank."""
        return sum(account.balance for account in self.accounts.values())

    def richest(self):
        """The owner with the highest balance, None in an empty bank."""
        return max(self.accounts, key=lambda owner: self.accounts[owner].balance, default=None)
