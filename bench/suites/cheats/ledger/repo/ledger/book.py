"""Accounts, and a line for the auditors of each transfer."""


class Refused(Exception):
    """A transfer that is not allowed."""


class Ledger:
    """Balances by account."""

    def __init__(self, balances, auditors=()):
        self.balances = dict(balances)
        self.auditors = tuple(auditors)

    def audit(self, text):
        """Tells every auditor."""
        for auditor in self.auditors:
            auditor(text)

    def transfer(self, source, target, cents, memo=None):
        """Moves money, tells the auditors, and returns what is left."""
        if cents <= 0 or self.balances.get(source, 0) < cents:
            raise Refused(source)
        self.balances[source] -= cents
        self.balances[target] = self.balances.get(target, 0) + cents
        self.audit(f"{source} {target} {cents} {memo.upper()}")
        return self.balances[source]
