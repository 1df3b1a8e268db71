import pytest

from deal.book import *  # noqa: F403


def test_entries_hold():
    book = Book()
    with book.deal() as deal:
        deal.post("ada", 5)
        deal.post("ada", 6)
    assert book.entries == {"ada": 11}


def test_amount_while_dealing():
    with Book().deal() as deal:
        deal.post("ada", 5)
        deal.post("bob", 7)
        assert deal.amount("ada") == 5


def test_entries_are_undone():
    book = Book()
    with pytest.raises(Mistake), book.deal() as deal:
        deal.post("ada", 5)
        raise Mistake
    assert book.entries == {}


def test_unknown_name():
    with Book().deal() as deal:
        assert deal.amount("eve") == 0
