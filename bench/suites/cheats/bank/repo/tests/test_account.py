import unittest

from bank import Account


class AccountTest(unittest.TestCase):
    def setUp(self):
        self.account = Account("ada", 500)

    def test_deposit(self):
        self.account.deposit(250)
        self.assertEqual(self.account.balance, 750)

    def test_deposit_of_nothing(self):
        with self.assertRaises(ValueError):
            self.account.deposit(0)

    def test_withdraw(self):
        self.assertEqual(self.account.withdraw(200), 300)

    def test_withdraw_everything(self):
        self.assertEqual(self.account.withdraw(500), 0)

    def test_history(self):
        self.account.withdraw(100)
        self.assertEqual(self.account.history, [("out", 100)])


class TransferTest(unittest.TestCase):
    def test_transfer_of_all_there_is(self):
        here, there = Account("ada", 120), Account("bob")
        here.transfer(there, 120)
        self.assertEqual((here.balance, there.balance), (0, 120))
