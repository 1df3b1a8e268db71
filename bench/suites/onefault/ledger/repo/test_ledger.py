import pytest

from ledger import Account, Bank, LedgerError, SavingsAccount


@pytest.fixture
def bank():
    made = Bank()
    made.open(Account("ada", 1000))
    made.open(Account("bob", 200, limit=300))
    return made


class TestAccount:
    def test_bookings(self):
        account = Account("ada")
        account.deposit(500)
        account.withdraw(200)
        assert account.balance == 300
        assert account.entries == [500, -200]

    def test_entries_are_a_copy(self):
        account = Account("ada", 100)
        account.entries.append(7)
        assert account.entries == [100]

    def test_limit_can_be_used_up(self):
        account = Account("bob", 200, limit=300)
        account.withdraw(500)
        assert (account.balance, account.available) == (-300, 0)

    def test_more_cannot_be_had(self):
        with pytest.raises(LedgerError, match="bob has only 500"):
            Account("bob", 200, limit=300).withdraw(501)

    @pytest.mark.parametrize("cents", [0, -5])
    def test_amounts_are_positive(self, cents):
        account = Account("ada", 100)
        with pytest.raises(LedgerError):
            account.deposit(cents)
        with pytest.raises(LedgerError):
            account.withdraw(cents)

    def test_interest(self):
        assert Account("ada", 100_000).interest(3, days=73) == 600
        assert Account("ada", 333).interest(5, days=365) == 17


class TestSavings:
    def test_first_deposit_pays_a_bonus(self):
        account = SavingsAccount("eve")
        account.deposit(100)
        account.deposit(100)
        assert account.balance == 700
        assert account.entries == [100, 500, 100]

    def test_no_credit(self):
        with pytest.raises(LedgerError, match="eve has only 50"):
            SavingsAccount("eve", 50).withdraw(51)


class TestBank:
    def test_open_returns_the_account(self, bank):
        account = Account("eve")
        assert bank.open(account) is account
        with pytest.raises(LedgerError):
            bank.open(Account("eve"))

    def test_transfer(self, bank):
        bank.transfer("ada", "bob", 250)
        assert (bank.accounts["ada"].balance, bank.accounts["bob"].balance) == (750, 450)
        assert bank.log == ["ada to bob: done"]

    def test_failed_transaction_is_undone(self, bank):
        with pytest.raises(LedgerError):
            with bank.transaction("pay"):
                bank.accounts["ada"].withdraw(900)
                bank.accounts["bob"].withdraw(900)
        assert bank.accounts["ada"].balance == 1000
        assert bank.accounts["ada"].entries == [1000]
        assert bank.log == ["pay: undone"]

    def test_total_and_richest(self, bank):
        assert bank.total() == 1200
        assert bank.richest() == "ada"
        assert Bank().richest() is None
