import pytest

from timesheet.sheet import Sheet, Shift


@pytest.mark.parametrize("pause", [0, 1, 15, 30, 45, 60, 90, 240])
@pytest.mark.parametrize(("start", "end", "length"), [("06:15", "14:45", 510), ("20:00", "04:10", 490)])
def test_break_is_taken_off_every_shift(start, end, length, pause):
    assert Shift("Wed", start, end, pause).minutes() == length - pause


def test_longer_breaks_mean_less_work():
    worked = [Shift("Thu", "10:00", "15:00", pause).minutes() for pause in range(0, 120, 10)]
    assert worked == sorted(worked, reverse=True)
    assert len(set(worked)) == 12


def test_week_with_a_night_shift():
    sheet = Sheet(weekly_hours=20)
    sheet.add("Mon", "07:00", "12:00", pause=20)
    sheet.add("Tue", "21:30", "05:30", pause=40)
    sheet.add("Wed", "13:00", "13:30")
    assert sheet.summary() == "12:30 worked, -7:30 overtime"
