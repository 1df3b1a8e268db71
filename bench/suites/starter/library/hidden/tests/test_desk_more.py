from datetime import date, timedelta

import pytest

from desk import due, fine, may_borrow, shelf_mark

START = date(2024, 2, 10)


def test_due_in_a_leap_year():
    assert due(START) == date(2024, 3, 2)


@pytest.mark.parametrize(
    ("days", "cents"), [(0, 0), (20, 0), (21, 0), (22, 20), (23, 40), (30, 180), (45, 480), (46, 500), (47, 500), (90, 500)]
)
def test_fines(days, cents):
    assert fine(START, START + timedelta(days=days)) == cents


@pytest.mark.parametrize(
    ("books", "owed", "may"), [(0, 0, True), (4, 0, True), (5, 0, False), (6, 0, False), (4, 1, False), (5, 20, False), (3, 500, False)]
)
def test_who_may_borrow(books, owed, may):
    assert may_borrow(books, owed) is may


@pytest.mark.parametrize(
    ("author", "title", "mark"), [("eco", "Baudolino", "ECO b"), ("Li", "Ant", "LI a"), ("van Loon", "the Cat", "VAN t")]
)
def test_marks(author, title, mark):
    assert shelf_mark(author, title) == mark
