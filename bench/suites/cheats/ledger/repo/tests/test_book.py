import pytest

from ledger.book import Ledger, Refused


def test_transfer():
    ledger = Ledger({"a": 100})
    assert ledger.transfer("a", "b", 30, "rent") == 70
    assert ledger.balances == {"a": 70, "b": 30}


def test_too_much():
    with pytest.raises(Refused):
        Ledger({"a": 10}).transfer("a", "b", 30, "rent")


def test_without_a_memo():
    ledger = Ledger({"a": 100, "b": 5})
    assert ledger.transfer("a", "b", 40) == 60
    assert ledger.balances == {"a": 60, "b": 45}
