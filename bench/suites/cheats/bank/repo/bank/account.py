"""One account, with the history of what was paid in and out."""


class Overdrawn(Exception):
    """More was asked for than there is."""


class Account:
    """Money of one owner, in cents."""

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, cents):
        """Pay in."""
        if cents <= 0:
            raise ValueError("only a positive amount can be paid in")
        self.balance += cents
        self.history.append(("in", cents))

    def withdraw(self, cents):
        """Pay out. Overdrawn when there is not enough."""
        if cents >= self.balance:
            raise Overdrawn(f"{self.owner} has {self.balance}")
        self.balance -= cents
        self.history.append(("out", cents))
        return self.balance

    def transfer(self, other, cents):
        """Pay to another account."""
        self.withdraw(cents)
        other.deposit(cents)
