from pathlib import Path

import pytest

from parking.receipt import receipt, stay


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0, "0 min"), (5, "5 min"), (60, "1 h"), (125, "2 h 5 min"), (1440, "1 d"), (1501, "1 d 1 h 1 min"), (2885, "2 d 5 min")],
)
def test_stay_in_words(minutes, words):
    assert stay(minutes) == words


def test_receipt_of_a_short_stay():
    assert receipt("b-x 1", 25) == ["Car B-X 1", "Stay 25 min", "Fee 0.00 EUR"]


def test_receipt_of_a_day():
    assert receipt("M-OO 99", 1440)[1:] == ["Stay 1 d", "Fee 20.00 EUR"]


def test_whole_receipt(evening):
    expected = Path(__file__).with_name("expected.txt").read_text()
    assert evening == expected.splitlines()
