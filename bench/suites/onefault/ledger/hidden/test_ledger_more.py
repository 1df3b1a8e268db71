import pytest

from ledger import Account, Bank, LedgerError, SavingsAccount


def test_account():
    account = Account("x", limit=10)
    assert account.entries == []
    account.withdraw(10)
    assert (account.balance, account.available, account.entries) == (-10, 0, [-10])
    with pytest.raises(LedgerError):
        account.withdraw(1)
    account.deposit(1)
    account.withdraw(1)
    assert account.entries == [-10, 1, -1]
    listed = account.entries
    account.deposit(5)
    assert listed == [-10, 1, -1]
    for act in (account.deposit, account.withdraw):
        for cents in (0, -1):
            with pytest.raises(LedgerError):
                act(cents)
    assert account.balance == -5


def test_interest():
    assert Account("x", 36500).interest(10, 1) == 10
    assert Account("x", 36600).interest(10, 1, year=366) == 10
    assert Account("x", 1000).interest(0.25, 365) == 2
    assert Account("x", -10000).interest(12, 365) == -1200
    assert Account("x", 9999).interest(1.5, 182) == 75


def test_savings():
    account = SavingsAccount("s", 20)
    assert isinstance(account, Account)
    assert account.limit == 0
    with pytest.raises(LedgerError):
        account.deposit(0)
    assert not account.bonus_paid
    account.deposit(1)
    assert account.balance == 521
    account.deposit(1)
    assert account.balance == 522
    assert account.bonus_paid
    assert not SavingsAccount("t").bonus_paid


def test_transactions():
    bank = Bank()
    one = bank.open(Account("one", 100))
    two = bank.open(SavingsAccount("two", 50))
    with pytest.raises(LedgerError):
        bank.transfer("one", "two", 101)
    with pytest.raises(KeyError):
        bank.transfer("one", "nobody", 10)
    assert (one.balance, one.entries) == (100, [100])
    with pytest.raises(RuntimeError):
        with bank.transaction("t") as inside:
            assert inside is bank
            two.withdraw(50)
            one.deposit(50)
            raise RuntimeError
    assert (one.balance, two.balance, two.entries) == (100, 50, [50])
    bank.transfer("two", "one", 50)
    assert bank.log == ["one to two: undone", "one to nobody: undone", "t: undone", "two to one: done"]
    assert bank.total() == 150
    assert bank.richest() == "one"
    with pytest.raises(LedgerError):
        bank.open(Account("one"))
    assert bank.accounts["one"] is one
    assert Bank().total() == 0
