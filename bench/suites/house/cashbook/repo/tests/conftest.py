import pytest

BOOK = """\
; the club's book
price 2024-01-01 USD 0.90 EUR
price 2024-03-01 USD 0.95 EUR

2024-03-05 * Baker | rolls; and cake  #catering
    expenses:food:rolls      12.40 EUR
    assets:cash

2024-01-10 * Members | fees
    assets:bank     1'250.00 EUR  ; by transfer
    assets:cash       150.00 EUR
    income:fees

2024-04-02 ! Printer | flyers #print #spring-fair
    expenses:print   80.00 USD
    assets:bank     -80.00 USD
"""


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "club.book"
    path.write_text(BOOK, encoding="utf-8")
    return path


@pytest.fixture
def wrong(tmp_path):
    path = tmp_path / "wrong.book"
    path.write_text("\n2024-01-01 * X\n  a  1 EUR\n  b  -2 EUR\n")
    return path
