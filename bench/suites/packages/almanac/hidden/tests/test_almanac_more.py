"""Judges repairs: never seen by an engine or the gate."""

from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from almanac.calendar import Calendar
from almanac.ics import fold, read, unfold, write
from almanac.rule import parse
from almanac.series import Change, Series, later, real
from almanac.work import USA, Fixed, FromEaster, Nth, WorkCalendar

NEW_YORK = ZoneInfo("America/New_York")
BERLIN = ZoneInfo("Europe/Berlin")


def first(text, start, count):
    return [day.isoformat()[5:] for day in parse(text).first(date.fromisoformat(start), count)]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1", ["01-29", "02-26", "03-25"]),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-2", ["01-22", "02-19", "03-18"]),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2,-2", ["01-08", "01-22", "02-12", "02-19"]),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=5", ["01-29", "04-29", "07-29"]),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-5", ["01-01", "04-01", "07-01"]),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1,1,-5", ["01-01", "02-05", "03-04", "04-01"]),
        ("FREQ=YEARLY;BYMONTH=1;BYDAY=MO;BYSETPOS=-1", ["01-29", "01-27", "01-26"]),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=-1", ["01-05", "01-12", "01-19"]),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=2", ["01-03", "01-10", "01-17"]),
        ("FREQ=MONTHLY;BYMONTHDAY=10,20;BYSETPOS=-2", ["01-10", "02-10", "03-10"]),
    ],
)
def test_positions(rule, expected):
    assert first(rule, "2024-01-01", len(expected)) == expected


@pytest.mark.parametrize(
    ("rule", "start", "expected"),
    [
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", "2024-01-01", ["01-01", "01-14", "01-15", "01-28"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=MO", "2024-01-01", ["01-01", "01-07", "01-15", "01-21"]),
        ("FREQ=WEEKLY;INTERVAL=3;BYDAY=WE,TH;WKST=TH", "2024-01-04", ["01-04", "01-10", "01-25", "01-31"]),
        ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", "2024-01-07", ["01-07", "01-21", "02-04"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;WKST=SU", "2024-01-06", ["01-06", "01-14", "01-20", "01-28"]),
    ],
)
def test_beginnings_of_weeks(rule, start, expected):
    assert first(rule, start, len(expected)) == expected


def hours(zone, *parts, length=1.0, rule=None, id="x"):
    return Series(id, id, datetime(*parts, tzinfo=zone), timedelta(hours=length), rule and parse(rule))


class TestClocksChange:
    def test_back(self):
        """In New York the hour from 1:00 comes twice on 3 November 2024."""
        night = hours(NEW_YORK, 2024, 11, 3, 1, 15, length=0.5)
        first_half = datetime(2024, 11, 3, 1, 30, tzinfo=NEW_YORK)
        again = first_half.replace(fold=1)
        (one,) = night.occurrences(first_half, again)
        assert not one.overlaps(again, again + timedelta(hours=3))
        assert one.overlaps(datetime(2024, 11, 3, 5, 0, tzinfo=timezone.utc), datetime(2024, 11, 3, 5, 20, tzinfo=timezone.utc))
        assert night.occurrences(datetime(2024, 11, 3, 1, 50, tzinfo=NEW_YORK), again) == []

    def test_forward(self):
        night = hours(BERLIN, 2024, 3, 31, 1, 30, length=1)
        (one,) = night.occurrences(datetime(2024, 3, 31, tzinfo=BERLIN), datetime(2024, 4, 1, tzinfo=BERLIN))
        assert (one.end.hour, one.end.minute) == (3, 30)
        assert one.overlaps(datetime(2024, 3, 31, 3, 0, tzinfo=BERLIN), datetime(2024, 3, 31, 4, tzinfo=BERLIN))
        assert not one.overlaps(datetime(2024, 3, 31, 3, 30, tzinfo=BERLIN), datetime(2024, 3, 31, 4, tzinfo=BERLIN))

    def test_other_zones(self):
        lunch = hours(NEW_YORK, 2024, 6, 3, 12)
        assert lunch.occurrences(datetime(2024, 6, 3, 18, 59, tzinfo=BERLIN), datetime(2024, 6, 3, 20, tzinfo=BERLIN))
        assert not lunch.occurrences(datetime(2024, 6, 3, 19, tzinfo=BERLIN), datetime(2024, 6, 3, 20, tzinfo=BERLIN))

    def test_collisions(self):
        early = hours(BERLIN, 2024, 10, 27, 2, 10, length=0.75, id="early")
        late = Series("late", "late", datetime(2024, 10, 27, 2, 15, fold=1, tzinfo=BERLIN), timedelta(hours=1))
        day = datetime(2024, 10, 27, tzinfo=BERLIN), datetime(2024, 10, 28, tzinfo=BERLIN)
        assert Calendar([early, late]).collisions(*day) == []
        assert len(Calendar([early, late]).busy(*day)) == 2

    def test_later(self):
        before = datetime(2024, 10, 27, 1, tzinfo=BERLIN)
        assert later(before, timedelta(hours=3)).hour == 3
        assert real(later(before, timedelta(hours=3))) - real(before) == timedelta(hours=3)


class TestChanges:
    def test_each_alone_and_all_together(self):
        weekly = hours(BERLIN, 2024, 1, 1, 9, rule="FREQ=WEEKLY")
        at = datetime(2024, 1, 8, 9, tzinfo=BERLIN)
        weekly.move(at, length=timedelta(0))
        assert weekly.changes[at] == Change(None, None, timedelta(0))
        weekly.move(at, title="t")
        assert weekly.changes[at] == Change("t", None, timedelta(0))
        weekly.move(at, at + timedelta(hours=1), length=timedelta(hours=3))
        assert weekly.changes[at] == Change("t", at + timedelta(hours=1), timedelta(hours=3))
        weekly.move(at, length=timedelta(0))
        weekly.move(at, title="")
        assert weekly.changes[at] == Change("", at + timedelta(hours=1), timedelta(0))
        weekly.move(at)
        assert weekly.changes[at] == Change("", at + timedelta(hours=1), timedelta(0))

    def test_length_of_nothing_is_shown(self):
        weekly = hours(BERLIN, 2024, 1, 1, 9, rule="FREQ=WEEKLY")
        at = datetime(2024, 1, 8, 9, tzinfo=BERLIN)
        weekly.move(at, length=timedelta(hours=2))
        weekly.move(at, length=timedelta(0))
        (one,) = weekly.occurrences(datetime(2024, 1, 8, 8, tzinfo=BERLIN), datetime(2024, 1, 8, 12, tzinfo=BERLIN))
        assert one.start == one.end == at


class TestStretches:
    def make(self, *spans):
        events = [
            Series(str(number), "t", datetime(2024, 1, 1, first, tzinfo=BERLIN), timedelta(hours=last - first))
            for number, (first, last) in enumerate(spans)
        ]
        return Calendar(events)

    def day(self):
        return datetime(2024, 1, 1, 0, tzinfo=BERLIN), datetime(2024, 1, 1, 23, tzinfo=BERLIN)

    @pytest.mark.parametrize(
        ("spans", "busy"),
        [
            (((8, 12), (9, 10)), ((8, 12),)),
            (((8, 12), (9, 10), (11, 13)), ((8, 13),)),
            (((8, 12), (9, 10), (10, 11), (12, 14)), ((8, 14),)),
            (((8, 9), (8, 12), (8, 10)), ((8, 12),)),
            (((8, 9), (9, 10), (11, 12)), ((8, 10), (11, 12))),
            (((8, 10), (9, 12)), ((8, 12),)),
            (((8, 20), (9, 10), (21, 22)), ((8, 20), (21, 22))),
        ],
    )
    def test_busy_and_free(self, spans, busy):
        calendar = self.make(*spans)
        assert tuple((slot.start.hour, slot.end.hour) for slot in calendar.busy(*self.day())) == busy
        edges = [0, *(hour for slot in busy for hour in slot), 23]
        free = [pair for pair in zip(edges[::2], edges[1::2]) if pair[0] < pair[1]]
        assert [(slot.start.hour, slot.end.hour) for slot in calendar.free(*self.day())] == free


class TestWorkingYears:
    def test_every_added_holiday_counts_at_once(self):
        calendar = WorkCalendar(weekend=(6,))
        days = [date(2024, 5, 2), date(2024, 5, 3), date(2025, 5, 2)]
        assert all(map(calendar.is_working, days))
        calendar.add(Fixed("a", 5, 2))
        assert list(map(calendar.is_working, days)) == [False, True, False]
        calendar.add(Fixed("b", 5, 3))
        assert list(map(calendar.is_working, days)) == [False, False, False]
        assert calendar.holidays(2024) == {days[0]: "a", days[1]: "b"}
        assert calendar.add_days(date(2024, 5, 1), 1) == date(2024, 5, 4)
        assert calendar.count(date(2024, 5, 1), date(2024, 5, 4)) == 2

    def test_calendars_do_not_share(self):
        one, other = WorkCalendar(USA), WorkCalendar(USA)
        day = date(2024, 3, 29)
        assert one.is_working(day) and other.is_working(day)
        one.add(FromEaster("Good Friday", -2))
        assert (one.is_working(day), other.is_working(day)) == (False, True)

    def test_neighbouring_years(self):
        calendar = WorkCalendar([Fixed("new year", 1, 1, observed=True), Fixed("silvester", 12, 31, observed=True)])
        assert date(2010, 12, 31) in calendar.holidays(2010)
        assert calendar.holidays(2011) == {date(2011, 12, 30): "silvester"}
        assert calendar.holidays(2023) == {date(2023, 1, 2): "new year"}
        assert date(2024, 1, 1) in calendar.holidays(2024)
        assert calendar.holidays(2018)[date(2018, 1, 1)] in ("new year", "silvester")
        assert Nth("x", 2, 0, 5).day(2024) is None


@pytest.mark.parametrize("letter", ["x", "ü", "€", "𝄞"])
@pytest.mark.parametrize("length", [18, 19, 25, 37, 38, 74, 75, 76, 149, 150, 300])
def test_folded_lines(letter, length):
    for line in (letter * length, "a" + letter * length):
        folded = fold(line)
        parts = folded.split("\r\n")
        sizes = [len(part.encode()) for part in parts]
        assert all(size <= 75 for size in sizes)
        assert all(size > 75 - len(letter.encode()) for size in sizes[:-1])
        assert all(part.startswith(" ") for part in parts[1:])
        assert unfold(folded) == [(1, line)]


def test_long_titles_survive():
    series = hours(BERLIN, 2024, 1, 1, 9)
    series.title = "Größe, Süße; 日本 " * 20
    text = write(Calendar([series]))
    assert max(len(line.encode()) for line in text.split("\r\n")) <= 75
    assert read(text)["x"].title == series.title
