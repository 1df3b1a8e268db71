from datetime import date, datetime, timedelta, timezone

import pytest

from almanac.errors import AlmanacError
from almanac.rule import parse
from almanac.series import Series


def starts(found):
    return [f"{one.start:%m-%d %H:%M}" for one in found]


class TestOccurrences:
    def test_single_event(self, series, at):
        assert starts(series().occurrences(at(3, 1), at(4, 1))) == ["03-04 09:00"]
        assert series().occurrences(at(3, 5), at(4, 1)) == []

    def test_weekly(self, series, at):
        assert starts(series("FREQ=WEEKLY").occurrences(at(3, 10), at(3, 26))) == ["03-11 09:00", "03-18 09:00", "03-25 09:00"]

    def test_wall_clock_stays(self, series, at):
        found = series("FREQ=WEEKLY;COUNT=2", day=25).occurrences(at(3, 1), at(5, 1))
        assert starts(found) == ["03-25 09:00", "04-01 09:00"]
        assert [one.start.astimezone(timezone.utc).hour for one in found] == [8, 7]

    @pytest.mark.parametrize(("first", "last", "count"), [((8, 0), (9, 0), 0), ((8, 0), (9, 1), 1), ((9, 59), (11, 0), 1), ((10, 0), (11, 0), 0)])
    def test_touching_is_not_sharing(self, series, at, first, last, count):
        assert len(series().occurrences(at(3, 4, *first), at(3, 4, *last))) == count

    def test_length_is_real_time(self, series, at):
        night = series(month=3, day=31, hour=1, hours=3)
        (one,) = night.occurrences(at(3, 31), at(4, 1))
        assert (one.end.hour, one.length) == (5, timedelta(hours=3))

    def test_hour_that_comes_twice(self, series, at):
        """On 27 October 2024, 2:30 comes twice; the first one is an hour before the second."""
        night = series(month=10, day=27, hour=2, hours=1)
        second = at(10, 27, 2, 30).replace(fold=1)
        assert night.occurrences(at(10, 27, 2, 30), second) != []
        assert night.occurrences(second, at(10, 27, 5)) == []

    def test_next(self, series, at):
        weekly = series("FREQ=WEEKLY;COUNT=2")
        assert weekly.next(at(3, 1)).start == at(3, 4, 9)
        assert weekly.next(at(3, 4, 9)).start == at(3, 11, 9)
        assert weekly.next(at(3, 11, 9)) is None

    def test_needs(self, at):
        with pytest.raises(AlmanacError, match="time zone"):
            Series("s", "t", datetime(2024, 1, 1), timedelta(hours=1))
        with pytest.raises(AlmanacError, match="not negative"):
            Series("s", "t", at(1, 1), timedelta(hours=-1))


class TestExceptions:
    def test_skip(self, series, at):
        weekly = series("FREQ=WEEKLY;COUNT=3")
        weekly.skip(at(3, 11, 9))
        assert starts(weekly.occurrences(at(3, 1), at(5, 1))) == ["03-04 09:00", "03-18 09:00"]

    def test_only_what_is_planned(self, series, at):
        weekly = series("FREQ=WEEKLY")
        with pytest.raises(AlmanacError, match="not planned at 2024-03-11 10:00"):
            weekly.skip(at(3, 11, 10))
        with pytest.raises(AlmanacError):
            weekly.move(at(3, 12, 9), at(3, 13, 9))

    def test_move(self, series, at):
        weekly = series("FREQ=WEEKLY;COUNT=3")
        weekly.move(at(3, 18, 9), at(3, 5, 14))
        found = weekly.occurrences(at(3, 1), at(5, 1))
        assert starts(found) == ["03-04 09:00", "03-05 14:00", "03-11 09:00"]
        assert found[1].planned == at(3, 18, 9)
        assert starts(weekly.occurrences(at(3, 5), at(3, 6))) == ["03-05 14:00"]
        assert weekly.occurrences(at(3, 18), at(3, 19)) == []

    def test_changes_add_up(self, series, at):
        weekly = series("FREQ=WEEKLY")
        weekly.move(at(3, 11, 9), title="retro")
        weekly.move(at(3, 11, 9), at(3, 11, 15))
        weekly.move(at(3, 11, 9), length=timedelta(hours=2))
        (one,) = weekly.occurrences(at(3, 11), at(3, 12))
        assert (one.title, one.start, one.end) == ("retro", at(3, 11, 15), at(3, 11, 17))

    def test_length_may_become_nothing(self, series, at):
        weekly = series("FREQ=WEEKLY")
        weekly.move(at(3, 11, 9), length=timedelta(hours=2))
        weekly.move(at(3, 11, 9), length=timedelta(0))
        assert weekly.changes[at(3, 11, 9)].length == timedelta(0)

    def test_extra(self, series, at):
        weekly = series("FREQ=WEEKLY;COUNT=2")
        weekly.extra.add(at(3, 6, 11))
        assert starts(weekly.occurrences(at(3, 1), at(5, 1))) == ["03-04 09:00", "03-06 11:00", "03-11 09:00"]
        weekly.skip(at(3, 6, 11))
        assert len(weekly.occurrences(at(3, 1), at(5, 1))) == 2

    def test_skipping_forgets_changes(self, series, at):
        weekly = series("FREQ=WEEKLY")
        weekly.move(at(3, 11, 9), at(3, 12, 9))
        weekly.skip(at(3, 11, 9))
        assert starts(weekly.occurrences(at(3, 10), at(3, 19))) == ["03-18 09:00"]


class TestSplit:
    def test_count_is_shared(self, series, at):
        weekly = series("FREQ=WEEKLY;COUNT=5")
        rest = weekly.split(date(2024, 3, 15))
        assert starts(weekly.occurrences(at(3, 1), at(6, 1))) == ["03-04 09:00", "03-11 09:00"]
        assert starts(rest.occurrences(at(3, 1), at(6, 1))) == ["03-18 09:00", "03-25 09:00", "04-01 09:00"]
        assert rest.id == "s-20240315"

    def test_exceptions_go_where_they_belong(self, series, at):
        weekly = series("FREQ=WEEKLY")
        weekly.skip(at(3, 11, 9))
        weekly.skip(at(3, 25, 9))
        weekly.move(at(3, 18, 9), title="x")
        rest = weekly.split(date(2024, 3, 18))
        assert weekly.without == {at(3, 11, 9)}
        assert rest.without == {at(3, 25, 9)}
        assert (list(weekly.changes), list(rest.changes)) == ([], [at(3, 18, 9)])

    def test_until_stays_with_the_rest(self, series):
        weekly = series("FREQ=WEEKLY;UNTIL=20240401")
        rest = weekly.split(date(2024, 3, 11))
        assert (weekly.rule.until, rest.rule.until) == (date(2024, 3, 10), date(2024, 4, 1))

    @pytest.mark.parametrize(
        ("rule", "day", "message"),
        [(None, 5, "not come again"), ("FREQ=WEEKLY", 4, "not begin before"), ("FREQ=WEEKLY;COUNT=1", 9, "has ended")],
    )
    def test_what_cannot_be_split(self, series, rule, day, message):
        with pytest.raises(AlmanacError, match=message):
            series(rule).split(date(2024, 3, day))


def test_series_keeps_its_rule(series):
    assert series("FREQ=DAILY").rule == parse("FREQ=DAILY")
