import pytest

from timesheet.sheet import Sheet, Shift


class TestShift:
    def test_without_a_break(self):
        assert Shift("Mon", "09:00", "13:00").minutes() == 240

    def test_break_is_taken_off(self):
        assert Shift("Mon", "08:30", "17:00", pause=45).minutes() == 465

    def test_night_shift_goes_past_midnight(self):
        assert Shift("Fri", "22:00", "06:00").minutes() == 480


class TestSheet:
    @pytest.fixture
    def sheet(self):
        sheet = Sheet(weekly_hours=16)
        sheet.add("Mon", "08:00", "16:30", pause=30)
        sheet.add("Tue", "08:00", "18:00", pause=60)
        return sheet

    def test_hours_of_a_week(self, sheet):
        assert sheet.worked() == 8 * 60 + 9 * 60

    def test_overtime(self, sheet):
        assert sheet.summary() == "17:00 worked, 1:00 overtime"

    def test_empty_week_is_all_missing(self):
        assert Sheet(weekly_hours=10).overtime() == -600
