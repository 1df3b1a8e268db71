import pytest

from almanac.rule import parse
from almanac.words import describe, listed, ordinal


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"), (-1, "last"), (-2, "2nd last")],
)
def test_ordinals(number, text):
    assert ordinal(number) == text


def test_lists():
    assert [listed("abc"[:size]) for size in range(4)] == ["", "a", "a and b", "a, b and c"]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("FREQ=DAILY", "every day"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,MO", "every other week on Monday and Friday"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every week on working days"),
        ("FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR", "every 3 months on the last Friday"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=1", "every month on the 1st and 15th once"),
        ("FREQ=YEARLY;BYMONTH=5;BYDAY=2SU;COUNT=3", "every year on the 2nd Sunday in May 3 times"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "every month on working days (last of each month)"),
        ("FREQ=DAILY;UNTIL=20240503", "every day until 3 May 2024"),
    ],
)
def test_sentences(rule, text):
    assert describe(parse(rule)) == text
