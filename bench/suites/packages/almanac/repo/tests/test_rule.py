from datetime import date

import pytest

from almanac.errors import RuleError
from almanac.rule import Rule, WeekdayOf, parse, render


class TestDays:
    @pytest.mark.parametrize(
        ("rule", "expected"),
        [
            ("FREQ=DAILY", "01-31 02-01 02-02 02-03 02-04"),
            ("FREQ=DAILY;INTERVAL=10", "01-31 02-10 02-20 03-01 03-11"),
            ("FREQ=DAILY;BYDAY=SA,SU", "02-03 02-04 02-10 02-11 02-17"),
            ("FREQ=DAILY;BYMONTHDAY=-1", "01-31 02-29 03-31 04-30 05-31"),
            ("FREQ=DAILY;BYMONTH=3", "03-01 03-02 03-03 03-04 03-05"),
            ("FREQ=WEEKLY", "01-31 02-07 02-14 02-21 02-28"),
            ("FREQ=WEEKLY;BYDAY=MO,FR", "02-02 02-05 02-09 02-12 02-16"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH", "02-01 02-13 02-15 02-27 02-29"),
            ("FREQ=MONTHLY", "01-31 03-31 05-31 07-31 08-31"),
            ("FREQ=MONTHLY;BYDAY=-1FR", "02-23 03-29 04-26 05-31 06-28"),
            ("FREQ=MONTHLY;BYDAY=2TU", "02-13 03-12 04-09 05-14 06-11"),
            ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "09-13 12-13 06-13 02-13 03-13"),
            ("FREQ=MONTHLY;BYMONTHDAY=1,-1", "01-31 02-01 02-29 03-01 03-31"),
            ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "01-31 02-29 03-29 04-30 05-31"),
            ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", "02-01 03-01 04-01 05-01 06-03"),
            ("FREQ=MONTHLY;INTERVAL=6", "01-31 07-31 01-31 07-31 01-31"),
            ("FREQ=YEARLY;BYDAY=1SU;BYMONTH=5,10", "05-05 10-06 05-04 10-05 05-03"),
            ("FREQ=YEARLY;BYMONTHDAY=15", "02-15 03-15 04-15 05-15 06-15"),
        ],
    )
    def test_from_the_last_of_january(self, days, rule, expected):
        assert " ".join(days(rule, "2024-01-31")) == expected

    def test_leap_days(self):
        assert [day.year for day in parse("FREQ=YEARLY").first(date(2096, 2, 29), 3)] == [2096, 2104, 2108]

    def test_week_begins_where_it_is_said_to(self, days):
        rule = "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU"
        assert days(f"{rule};WKST=MO", "2024-03-05", 4) == ["03-05", "03-10", "03-19", "03-24"]
        assert days(f"{rule};WKST=SU", "2024-03-05", 4) == ["03-05", "03-17", "03-19", "03-31"]

    def test_positions_from_the_end(self, days):
        assert days("FREQ=MONTHLY;BYDAY=MO,WE;BYSETPOS=1,-2", "2024-03-01", 4) == ["03-04", "03-25", "04-01", "04-24"]
        assert days("FREQ=MONTHLY;BYMONTHDAY=5,6,7;BYSETPOS=4,-3", "2024-03-01", 2) == ["03-05", "04-05"]


class TestLimits:
    def test_count(self, days):
        assert days("FREQ=DAILY;COUNT=2", "2024-01-01") == ["01-01", "01-02"]
        assert days("FREQ=MONTHLY;COUNT=2", "2024-01-31") == ["01-31", "03-31"]

    def test_until_is_included(self, days):
        assert days("FREQ=DAILY;UNTIL=20240103", "2024-01-01") == ["01-01", "01-02", "01-03"]
        assert days("FREQ=DAILY;UNTIL=20240103T235959Z", "2024-01-03") == ["01-03"]

    def test_nothing_at_all_ends(self, days):
        assert days("FREQ=MONTHLY;BYMONTHDAY=30;BYMONTH=2", "2024-01-01") == []

    def test_end_of_the_calendar(self):
        assert len(parse("FREQ=YEARLY").first(date(9998, 1, 1), 5)) == 2

    def test_within(self):
        rule = parse("FREQ=WEEKLY;COUNT=4")
        found = rule.within(date(2024, 1, 1), date(2024, 1, 8), date(2024, 1, 22))
        assert [day.day for day in found] == [8, 15, 22]
        assert rule.within(date(2024, 1, 1), date(2024, 2, 1), date(2024, 3, 1)) == []


class TestText:
    @pytest.mark.parametrize(
        "text",
        [
            "FREQ=DAILY",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=5;BYDAY=MO,TU;WKST=SU",
            "FREQ=MONTHLY;UNTIL=20240305;BYMONTHDAY=1,-1",
            "FREQ=YEARLY;BYMONTH=3,4;BYDAY=-1SU,2MO;BYSETPOS=1",
        ],
    )
    def test_there_and_back(self, text):
        assert render(parse(text)) == text

    def test_case_and_blanks(self):
        assert parse(" freq=weekly ; byday=mo, tu") == Rule("WEEKLY", by_day=(WeekdayOf(0), WeekdayOf(1)))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "FREQ is missing"),
            ("FREQ=HOURLY", "unknown frequency 'HOURLY'"),
            ("FREQ=DAILY;FREQ=DAILY", "twice"),
            ("FREQ=DAILY;COLOUR=RED", "unknown part 'COLOUR'"),
            ("FREQ=DAILY;COUNT", "no value"),
            ("FREQ=DAILY;COUNT=x", "cannot read COUNT=x"),
            ("FREQ=DAILY;COUNT=0", "count must be 1"),
            ("FREQ=DAILY;INTERVAL=0", "interval must be 1"),
            ("FREQ=DAILY;COUNT=1;UNTIL=20240101", "exclude"),
            ("FREQ=WEEKLY;BYDAY=1MO", "numbered weekdays"),
            ("FREQ=WEEKLY;BYDAY=XX", "not a weekday: 'XX'"),
            ("FREQ=YEARLY;BYMONTH=13", "months go from"),
            ("FREQ=MONTHLY;BYMONTHDAY=32", "days of the month"),
            ("FREQ=MONTHLY;BYSETPOS=0", "positions begin"),
            ("FREQ=DAILY;UNTIL=2024", "cannot read UNTIL"),
        ],
    )
    def test_errors(self, text, message):
        with pytest.raises(RuleError, match=message):
            parse(text)
