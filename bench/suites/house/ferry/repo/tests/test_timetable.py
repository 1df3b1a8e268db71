from datetime import date

import pytest

from ferryline.timetable import BadTimetable, parse

MONDAY, SATURDAY = date(2024, 5, 6), date(2024, 5, 11)


def starts(table, line, day):
    return [one.start for one in table.lines[line].sailings(day, table.holidays) if not one.cancelled]


def test_steps_include_their_end(table):
    assert starts(table, "North", date(2024, 5, 7)) == [420, 540, 660, 780, 900, 1020, 1140, 1260]


def test_exceptions(table):
    assert starts(table, "North", MONDAY) == [420, 540, 735, 780, 900, 1020, 1140, 1260]
    assert [one.start for one in table.lines["North"].sailings(MONDAY) if one.cancelled] == [660]


def test_seasons(table):
    assert starts(table, "North", date(2024, 1, 8)) == [540]


@pytest.mark.parametrize("day", [date(2024, 12, 25), date(2024, 5, 9)])
def test_holidays_run_as_sundays_do(table, day):
    assert starts(table, "North", day) == [480, 720, 1410]


def test_cancelled_later(table):
    assert len(table.sailings(MONDAY)) == 13
    table.cancel("Ring", MONDAY, 430)
    assert [one.start for one in table.sailings(MONDAY) if one.cancelled] == [430, 660]


def test_what_does_not_run_cannot_be_cancelled(table):
    with pytest.raises(KeyError, match="no sailing at 431"):
        table.cancel("Ring", MONDAY, 431)


def test_extra_sailing_brings_back_a_cancelled_one(table):
    table.sailings(MONDAY)
    table.add_extra("North", MONDAY, 660)
    assert not any(one.cancelled for one in table.sailings(MONDAY))


def test_harbours(table):
    assert table.harbours() == ["Ey", "Holm", "Kai", "Sand"]


def test_sailing_times(table):
    sailing = table.lines["North"].sailings(SATURDAY)[0]
    assert [sailing.leaves(1), sailing.arrives(1), sailing.arrives(2)] == [520, 510, 550]
    assert table.lines["Ring"].sailings(MONDAY)[0].places("Kai") == [0, 2]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("line A\nline A", 2), ("stop X +0", 1), ("line A\nstop X +5\nstop Y +10 6", 3), ("\n# x\nboat", 3), ("line A\nruns mon 7", 2),
        ("line A\nruns mon in spring 7:00", 2), ("season x 2-30 3-1", 1), ("line A\nruns mon 7:00 to 8:00 every 0", 2), ("holiday 2024-1-1", 1), ("line A\nruns mon", 2),
    ],
)
def test_bad_lines(text, number):
    with pytest.raises(BadTimetable) as caught:
        parse(text)
    assert caught.value.number == number


def test_tables_share_nothing():
    one, two = parse("line A\nstop X +0\n"), parse("")
    assert two.lines == {}
    assert one.lines["A"].cancelled is not parse("line A\n").lines["A"].cancelled
