from datetime import timedelta

import pytest

from almanac.calendar import Calendar
from almanac.errors import AlmanacError, IcsError
from almanac.ics import escape, fold, read, unescape, unfold, write


@pytest.fixture
def weekly(series, at):
    made = series("FREQ=WEEKLY;COUNT=4", title="Jour fixe; with, all\n", id="w")
    made.skip(at(3, 11, 9))
    made.extra.add(at(3, 12, 9))
    made.move(at(3, 18, 9), at(3, 19, 10), title="moved")
    made.move(at(3, 25, 9), length=timedelta(minutes=90))
    return made


def test_text(series):
    assert write(Calendar([series("FREQ=DAILY;COUNT=2")])).split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:almanac",
        "BEGIN:VEVENT",
        "UID:s",
        "SUMMARY:stand-up",
        "DTSTART;TZID=Europe/Berlin:20240304T090000",
        "DURATION:PT1H",
        "RRULE:FREQ=DAILY;COUNT=2",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_there_and_back(weekly):
    assert read(write(Calendar([weekly]))) == {"w": weekly}


@pytest.mark.parametrize("text", ["", "a;b,c\\d\ne", "\\n", "\\\\;", "a\\;"])
def test_escaped_text(text):
    assert unescape(escape(text)) == text
    assert "\n" not in escape(text)


def test_escapes():
    assert escape("a,b;c\\d\n") == "a\\,b\\;c\\\\d\\n"


class TestFolding:
    def test_short_lines_stay(self):
        assert fold("x" * 75) == "x" * 75

    def test_long_lines(self):
        assert fold("x" * 150) == "x" * 75 + "\r\n " + "x" * 74 + "\r\n " + "x"

    def test_bytes_count_and_letters_stay_whole(self):
        lines = fold("ü" * 60).split("\r\n")
        assert [len(line.encode()) for line in lines] == [74, 47]

    @pytest.mark.parametrize("line", ["", "x" * 200, "ü€" * 70])
    def test_unfolded_again(self, line):
        assert [whole for _, whole in unfold(fold(line))] == ([line] if line else [])

    def test_numbers(self):
        assert unfold("a\r\n b\nc\n\nd") == [(1, "ab"), (3, "c"), (5, "d")]


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (timedelta(minutes=90), "PT1H30M"),
        (timedelta(days=1), "P1D"),
        (timedelta(days=2, minutes=5), "P2DT5M"),
        (timedelta(0), "PT0M"),
    ],
)
def test_durations(series, length, text):
    made = series()
    made.length = length
    shown = write(Calendar([made]))
    assert f"DURATION:{text}\r\n" in shown
    assert read(shown)["s"].length == length


def test_end_instead_of_duration():
    text = "BEGIN:VEVENT\nUID:1\nDTSTART:20240101T100000Z\nDTEND:20240101T113000Z\nEND:VEVENT"
    assert read(text)["1"].length == timedelta(minutes=90)


def test_many_exceptions_in_one_line(at):
    text = (
        "BEGIN:VEVENT\nUID:1\nDTSTART;TZID=\"Europe/Berlin\":20240304T090000\nRRULE:FREQ=DAILY\n"
        "EXDATE;TZID=Europe/Berlin:20240305T090000,20240306T090000\nEND:VEVENT"
    )
    assert read(text)["1"].without == {at(3, 5, 9), at(3, 6, 9)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("BEGIN:VEVENT\nUID:1\nEND:VEVENT", "line 3: an event without DTSTART"),
        ("BEGIN:VEVENT\nDTSTART:x\nEND:VEVENT", "line 3: an event without UID"),
        ("BEGIN:VEVENT\nUID:1\nDTSTART:x\nEND:VEVENT", "line 3: not a time: 'x'"),
        ("BEGIN:VEVENT\nUID:1\nDURATION:5\nEND:VEVENT", "line 3: not a duration: '5'"),
        ("BEGIN:VEVENT\nUID:1", "line 2: an event is never ended"),
        ("END:VEVENT", "line 1: END without BEGIN"),
        ("nonsense", "line 1: not a property"),
    ],
)
def test_errors(text, message):
    with pytest.raises(IcsError, match=message):
        read(text)


def test_change_of_nothing():
    text = "BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:20240101T100000Z\nSUMMARY:x\nEND:VEVENT"
    with pytest.raises(AlmanacError, match="'1', which is not there"):
        read(text)
