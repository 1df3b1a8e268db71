from datetime import date

from desk import due, fine, may_borrow, shelf_mark

MAY_2 = date(2023, 5, 2)


def test_three_weeks():
    assert due(MAY_2) == date(2023, 5, 23)


def test_on_the_last_day_it_is_free():
    assert fine(MAY_2, date(2023, 5, 23)) == 0


def test_two_days_late():
    assert fine(MAY_2, date(2023, 5, 25)) == 40


def test_back_early():
    assert fine(MAY_2, date(2023, 5, 3)) == 0


def test_forgotten_for_a_year():
    assert fine(MAY_2, date(2024, 5, 2)) == 500


def test_card_is_full():
    assert not may_borrow(books_out=5, cents_owed=0)


def test_one_place_left():
    assert may_borrow(books_out=4, cents_owed=0)


def test_debts_first():
    assert not may_borrow(books_out=0, cents_owed=40)


def test_mark_on_the_spine():
    assert shelf_mark("Lindgren", "Ronja") == "LIN r"
